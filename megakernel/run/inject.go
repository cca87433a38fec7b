package run

import (
	"context"
	"fmt"
	"sync"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// injected counts the tasks that users have added to those of the workload. They are left out of what the workload is told of, and of the
// tasks that its verification counts; what they did to buffers is not.
type injected struct {
	mu    sync.Mutex
	next  uint32 // id of the next one, from megakernel.InjectedIDBase
	tally workload.Tally
}

// Spawn publishes a task beside those of the workload, and says which id it has. Errors are resident.ErrFull, ErrTask, ErrDraining and ErrStopped.
func (r *steering) Spawn(_ context.Context, x megakernel.Injected) (text string, err error) {
	if r.run.group.of.Several() {
		return "", oneDevice("spawn")
	}
	if err := r.admit(x); err != nil {
		return "", err
	}
	i := &r.injected
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.next >= megakernel.SpawnedIDBase-megakernel.InjectedIDBase {
		return "", &fault.Error{Kind: ErrInject, Op: "spawn", Detail: fmt.Sprintf("%d tasks were added, and there are no ids for more", i.next), Fix: "start the run again (rerun)"}
	}
	t := x.Task(megakernel.InjectedIDBase + i.next)
	if err := r.run.group.first().Session.Inject(t); err != nil {
		return "", err
	}
	i.next++
	r.run.hub.Submitted([]tasks.Task{t})
	text = x.Text(t.TaskID, r.run.hub.Target().Opcodes[x.Opcode])
	r.run.hub.Event(megakernel.EventSpawned, text)
	return text, nil
}

// ErrInject is the kind of errors about tasks that a run does not take from users.
const ErrInject fault.Kind = "the task cannot be added"

// admit refuses what comes from elsewhere than this program's own commands.
func (r *steering) admit(x megakernel.Injected) error {
	target := r.run.hub.Target()
	if target.Opcodes[x.Opcode] == "" {
		return &fault.Error{Kind: ErrInject, Op: "spawn", Detail: fmt.Sprintf("opcode %d has no handler", x.Opcode), Fix: "use that of a handler"}
	}
	if n := len(x.Words); n > megakernel.MaxInjectedWords {
		return &fault.Error{Kind: ErrInject, Op: "spawn", Detail: fmt.Sprintf("it has %d words", n), Fix: fmt.Sprintf("use at most %d", megakernel.MaxInjectedWords)}
	}
	return nil
}

// ended counts the injected tasks among those that have ended.
func (i *injected) ended(list []megakernel.Completion) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, c := range list {
		switch {
		case !megakernel.IsInjected(c.Task):
		case c.State == tasks.Faulted:
			i.tally.Faulted++
		default:
			i.tally.Done++
		}
	}
}

// without is a tally of all tasks without those that users have added and that have ended.
func (i *injected) without(t workload.Tally) workload.Tally {
	i.mu.Lock()
	defer i.mu.Unlock()
	t.Done -= min(t.Done, i.tally.Done)
	t.Faulted -= min(t.Faulted, i.tally.Faulted)
	return t
}

// collectInjected takes the completions of tasks that were added when the work had ended.
func (r *steering) collectInjected() {
	if !r.run.group.of.Several() {
		r.run.recordResults(r.run.group.first().Session.Poll(nil))
	}
}

// note says in a verification that there were such tasks.
func (i *injected) note(v *workload.Verification) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.next > 0 {
		v.Detail += fmt.Sprintf("; without %s that spawn has added", units.Plural(int(i.next), "task"))
	}
}
