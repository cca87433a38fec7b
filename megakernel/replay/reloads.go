package replay

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// placeReloads puts the handlers that were reloaded between the inputs: tasks that had ended by then come before, those that no activation
// had had come behind. Of a task that was in between, which activations ran which text depends on the order of tasks: such a run is not
// executed again.
func placeReloads(p *plan) error {
	list := p.header.Target.Reloads
	if len(list) == 0 {
		return nil
	}
	for i := range list {
		if r := &list[i]; r.Begun > 0 {
			return p.cannot(fmt.Sprintf("handlers were reloaded at %v, and of %s that had begun, some activations ran one text and some the other", r.At.Round(time.Millisecond), units.Plural(r.Begun, "task")), "record a run whose handlers are reloaded while all tasks wait for their first activation, or have ended")
		}
	}
	stages, n := make([][]input, len(list)+1), uint64(0)
	for _, in := range p.inputs {
		if in.tasks == nil {
			k := stageOf(list, func(r *megakernel.Reload) bool { return r.At < in.at })
			stages[k] = append(stages[k], in)
			continue
		}
		divide(stages, list, in, n)
		n += uint64(len(in.tasks))
	}
	p.inputs = stages[0]
	for i := range list {
		p.inputs = append(append(p.inputs, input{at: list[i].At, reload: &list[i]}), stages[i+1]...)
	}
	return nil
}

// divide gives each stage its tasks of an input, before which n tasks were published.
func divide(stages [][]input, list []megakernel.Reload, in input, n uint64) {
	parts := make([][]tasks.Task, len(stages))
	for _, t := range in.tasks {
		k := stageOf(list, func(r *megakernel.Reload) bool { return n >= r.Taken || slices.Contains(r.Waiting, t.TaskID) })
		parts[k] = append(parts[k], t)
		n++
	}
	for k, part := range parts {
		if len(part) > 0 {
			stages[k] = append(stages[k], input{at: in.at, tasks: part})
		}
	}
}

// stageOf counts the reloads behind which something is.
func stageOf(list []megakernel.Reload, behind func(*megakernel.Reload) bool) (n int) {
	for i := range list {
		if behind(&list[i]) {
			n++
		}
	}
	return n
}

// reload gives a target that is at rest other handlers.
func reload(ctx context.Context, p *plan, s *resident.Session, r *megakernel.Reload) error {
	text, err := kernel.Unpack(r.Kernel)
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	if err := s.AwaitRest(ctx); err != nil {
		return err
	}
	_, err = s.Reload(ctx, text.Config.Handlers, text.Config.Sources)
	return err
}
