package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/kernel"
)

const counting = `// Counts up to its parameter.
uint twice(uint x)
{
    return 2u * x;
}

void count(inout Task t)
{
    uint sum = 0u;
    for (uint i = 0u; i < 3u; ++i) {
        sum += twice(i);
    }
    t.output_handle = sum;
    task_yield(t, t.continuation_pc + 1u, sum);
}
`

// fakeKernel is a fake that knows its kernel, so that its tasks can be captured.
type fakeKernel struct {
	*fakeTarget
	text    []byte
	inbox   []uint32
	reloads []megakernel.Reload
}

func newFakeKernel(t *testing.T) *fakeKernel {
	c := kernel.Config{
		Name: "counting", WorkgroupSize: 8, Slots: fakeSlots,
		Handlers: []kernel.Handler{{Opcode: 16, Name: "count", Function: "count"}, {Opcode: 17, Name: "recount", Function: "count"}},
		Sources:  []*source.File{{Name: "count.glsl", Text: counting}},
	}
	k, err := kernel.Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	text, err := k.Text()
	if err != nil {
		t.Fatal(err)
	}
	x := &fakeKernel{fakeTarget: newFake(), inbox: make([]uint32, megakernel.InboxWords(k.Config.InboxTasks))}
	x.inbox[megakernel.InboxSettings+megakernel.SettingActivation] = 1000
	if x.text, err = text.Pack(); err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *fakeKernel) Target() megakernel.Target {
	target := x.fakeTarget.Target()
	target.Kernel, target.Buffers, target.Reloads = x.text, x.Buffers(), x.reloads
	target.Opcodes = map[uint32]string{16: "count", 17: "recount"}
	return target
}

func (x *fakeKernel) Buffers() []megakernel.BufferInfo {
	return []megakernel.BufferInfo{
		{Name: "sched", Binding: megakernel.BindSched, Words: megakernel.NewSchedLayout(fakeSlots).Words},
		{Name: "inbox", Binding: megakernel.BindInbox, Words: len(x.inbox)},
		{Name: "io", Binding: megakernel.BindIO, Words: 512},
	}
}

func (x *fakeKernel) ReadBuffer(_ context.Context, name string, first int, dst []uint32) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	words := map[string][]uint32{"ring": x.snap.Slots, "control": x.snap.Control, "workers": x.snap.WorkerTable, "inbox": x.inbox}[name]
	clear(dst)
	if first < len(words) {
		copy(dst, words[first:])
	}
	return nil
}

// Enter on a faulted task shows the first line of its handler; lines are stepped over, into, out of and back, and the end
// of the activation says what it changed.
func TestEnterOnAFaultedTaskShowsItsSource(t *testing.T) {
	x := newFakeKernel(t)
	d := newDriver(t, 120, 40, Options{Source: x, Sink: x.fakeTarget})
	d.keys("3")
	d.filterBy("state=faulted")
	d.keys("down", "enter")
	d.wantOnScreen("Source  task 1013 recount  count.glsl:9", "=>   9     uint sum = 0u;", "note: the task has faulted")
	d.keys("n", "n", "s")
	d.wantOnScreen("count.glsl:4", "=>   4     return 2u * x;", "x = 0", "1 count count.glsl:11")
	d.keys("o", "n", "n")
	d.wantOnScreen("=>  11         sum += twice(i);", "i = 1")
	d.keys("r")
	d.wantOnScreen("REVERSE")
	d.keys("s")
	d.wantOnScreen("=>  10     for")
	d.keys("N")
	d.wantOnScreen("=>  11", "i = 0")
	d.keys("c")
	d.wantOnScreen("activation ended", "the task is yielded", "output_handle 0 → 6")
}

// From the full details of a faulted task Enter opens its source, as the footer says; it went back to the table.
func TestEnterInTheDetailsOfAFaultedTaskShowsItsSource(t *testing.T) {
	x := newFakeKernel(t)
	d := newDriver(t, 80, 24, Options{Source: x, Sink: x.fakeTarget})
	d.keys("3")
	d.filterBy("state=faulted")
	d.keys("down")
	d.m.views.expanded = true // as where an event or a record of the log has led to the task
	d.wantOnScreen("Task 1013", "Enter source")
	d.keys("enter")
	d.wantOnScreen("Source  task 1013")
}

// D opens the task that the details show, also where the filter hides its row; it showed the source of another one.
func TestTheSourceIsOfTheTaskInTheDetails(t *testing.T) {
	x := newFakeKernel(t)
	d := newDriver(t, 80, 24, Options{Source: x, Sink: x.fakeTarget})
	d.keys("3")
	d.filterBy("state=faulted")
	d.keys("down")
	d.keys("enter", ";", "q", "u", "i", "t", "enter")
	if err := d.m.table().SetFilter("state=ready"); err != nil {
		t.Fatal(err)
	}
	d.keys("D")
	d.wantOnScreen("Source  task 1013")
}

// A breakpoint at the line under the cursor stops the run; commands of the debugger are typed.
func TestBreakpointsAndCommandsInTheSource(t *testing.T) {
	x := newFakeKernel(t)
	d := newDriver(t, 80, 24, Options{Source: x, Sink: x.fakeTarget})
	d.keys("3", "down", "D")
	d.wantOnScreen("=>   9     uint sum = 0u;")
	d.keys("down", "down", "down", "down", "b", "c")
	d.wantOnScreen("●=>  13     t.output_handle = sum;", "at a breakpoint", "sum = 6")
	d.keys("b", "r", "c")
	d.wantOnScreen("=>   9", "start")
	d.keys(";")
	d.typed("print 7u * 6u")
	d.keys("enter")
	d.wantOnScreen("7u * 6u = 42")
	d.keys(";")
	d.typed("print nothing")
	d.keys("enter")
	d.wantOnScreen("nothing", "Fix: ")
	d.keys("up", "up", "enter")
	d.wantOnScreen("activation ended") // a line above is reached by no call
}

// Where the kernel is not known the view says so, and what to do.
func TestSourceOfAnUnknownKernelIsExplained(t *testing.T) {
	x := newFakeKernel(t)
	x.text = nil
	d := newDriver(t, 80, 24, Options{Source: x, Sink: x.fakeTarget})
	d.keys("7", "D")
	d.wantOnScreen("No task is open. Select a task")
	d.keys("3", "down", "D")
	d.wantOnScreen("the target does not include it. Fix: use a run or")
	d.keys("n", "b", "enter", "r", "c", "R", "N") // nothing to move
	d.wantOnScreen("the target does not include it")
}

// A task that has run since it was captured is captured again; one that has not keeps its session.
func TestATaskThatHasRunIsCapturedAgain(t *testing.T) {
	x := newFakeKernel(t)
	d := newDriver(t, 80, 24, Options{Source: x, Sink: x.fakeTarget})
	d.keys("3", "down", "D", "n", "n")
	d.wantOnScreen("=>  11")
	d.keys("3", "D")
	d.wantOnScreen("=>  11")
	x.mu.Lock()
	for i := range fakeSlots {
		x.slot(i)[5] += 7 // output_handle
	}
	x.mu.Unlock()
	x.step()
	d.update()
	d.keys("3", "D")
	d.wantOnScreen("=>   9")
}

// TestLongOutputOfTheDebuggerIsScrolled: at 80x24 most of ";help" could not be seen.
func TestLongOutputOfTheDebuggerIsScrolled(t *testing.T) {
	x := newFakeKernel(t)
	d := newDriver(t, 80, 24, Options{Source: x, Sink: x.fakeTarget})
	d.keys("3")
	d.filterBy("state=faulted")
	d.keys("down", "enter", ";")
	d.typed("help")
	d.keys("enter")
	d.wantOnScreen("Debugger", "arrows scroll")
	d.keys("G")
	d.wantOnScreen("help COMMAND says more.")
	d.keys("esc")
	d.wantOnScreen("Source  task 1013")
}

// fakeExecuted is a recording that has no contents of buffers at its positions, and whose run can be executed again.
type fakeExecuted struct {
	*fakeKernel
	asked []uint32 // tasks

	changes []string // that were supposed last
	refuses error
	during  func() // is called while it is executed
}

// Suppose implements pane.Executor.
func (x *fakeExecuted) Suppose(_ context.Context, _ capture.Source, task uint32, changes []string, w io.Writer) error {
	if x.changes = changes; x.during != nil {
		x.during()
	}
	fmt.Fprintf(w, "first difference: task %d", task)
	return x.refuses
}

func (x *fakeExecuted) ReadBuffer(context.Context, string, int, []uint32) error {
	return errors.New("the contents are not recorded")
}

// Activation implements pane.Executor.
func (x *fakeExecuted) Activation(ctx context.Context, _ capture.Source, o capture.Options) (*capture.Capture, error) {
	x.asked = append(x.asked, o.Task)
	return capture.Take(ctx, executedAgain{x.fakeKernel}, capture.Options{Name: "executed again", Task: o.Task})
}

type executedAgain struct{ *fakeKernel }

func (x executedAgain) Now(context.Context) (*megakernel.Snapshot, error) { return x.Snapshot(), nil }

// TestEnterOnARecordedTaskExecutesItsRunAgain: any task of such a recording opens, held or not.
func TestEnterOnARecordedTaskExecutesItsRunAgain(t *testing.T) {
	x := &fakeExecuted{fakeKernel: newFakeKernel(t)}
	d := newDriver(t, 120, 40, Options{Source: x})
	d.keys("3")
	d.filterBy("state=ready")
	d.keys("down", "enter")
	d.wantOnScreen("Source  task", "=>   9     uint sum = 0u;")
	if len(x.asked) != 1 {
		t.Errorf("executed again for tasks %v", x.asked)
	}
}

// TestWhatIfRunsOnFromTheOpenActivation: the comparison is shown, an error stands in the view, and both leave the task open.
func TestWhatIfRunsOnFromTheOpenActivation(t *testing.T) {
	x := &fakeExecuted{fakeKernel: newFakeKernel(t)}
	d := newDriver(t, 120, 40, Options{Source: x})
	d.keys("7", ":")
	d.typed("suppose task.param=5")
	d.keys("enter")
	d.wantOnScreen("no task is open in the source view")
	d.keys("esc")
	d.keys("3")
	d.filterBy("state=ready")
	d.keys("down", "enter", "W")
	d.typed("task.param=5 handlers=fixed.glsl")
	d.keys("enter")
	d.wantOnScreen("What if", "first difference: task")
	if !slices.Equal(x.changes, []string{"task.param=5", "handlers=fixed.glsl"}) {
		t.Errorf("supposed %q", x.changes)
	}
	d.keys("esc")
	d.wantOnScreen("Source  task", "=>   9")
	x.refuses = errors.New("no such word")
	d.keys("W")
	d.typed("none=1")
	d.keys("enter")
	d.wantOnScreen("no such word", "=>   9")
}

// TestWorkInAHeldRecordingIsShown: nothing said that W took its time, because a recording that is held was not drawn.
func TestWorkInAHeldRecordingIsShown(t *testing.T) {
	x := &fakeExecuted{fakeKernel: newFakeKernel(t)}
	d := newDriver(t, 120, 40, Options{Source: x, Transport: &fakeTransport{at: 4 * time.Second, end: 65 * time.Second, speed: 1}})
	d.keys("3")
	d.filterBy("state=ready")
	d.keys("down", "enter", "W")
	d.typed("task.param=5")
	asked := false
	x.during = func() {
		asked = true
		if d.m.clockInterval() == 0 {
			t.Error("the screen is not drawn while the run is executed again")
		}
		d.clock = d.clock.Add(3 * time.Second)
		d.tick()
		d.wantOnScreen("working 3.0s, esc stops it")
	}
	d.keys("enter")
	if !asked {
		t.Error("nothing was executed")
	}
	if got := d.m.clockInterval(); got != 0 {
		t.Errorf("then the screen is drawn every %v", got)
	}
}

// TestOnlyRecordingsHaveAWhatIf: a live run is not executed again.
func TestOnlyRecordingsHaveAWhatIf(t *testing.T) {
	x := newFakeKernel(t)
	d := newDriver(t, 120, 40, Options{Source: x, Sink: x.fakeTarget})
	d.keys("3", "down", "D", "W")
	d.typed("task.param=5")
	d.keys("enter")
	d.wantOnScreen("only the run of a recording")
}

// TestFooterLeavesOutKeysThatHaveNothingToActOn: without a task the source view offered its steps.
func TestFooterLeavesOutKeysThatHaveNothingToActOn(t *testing.T) {
	x := newFakeKernel(t)
	d := newDriver(t, 120, 24, Options{Source: x, Sink: x.fakeTarget})
	d.keys("7", "D")
	d.wantOnScreen("No task is open", "? help")
	d.wantNotOnScreen("n next")
	d.wantNotOnScreen("K hold")
	d.keys("3", "down", "D")
	d.wantOnScreen("n next", "K hold")
}

// TestSourceOfATextThatWasReloadedIsMarked: the view of a task that was opened before a reload says that its text is the one before,
// and opens it again when it is shown again.
func TestSourceOfATextThatWasReloadedIsMarked(t *testing.T) {
	x := newFakeKernel(t)
	d := newDriver(t, 80, 24, Options{Source: x, Sink: x.fakeTarget})
	d.keys("3", "down", "D")
	d.wantOnScreen("=>   9")
	d.wantNotOnScreen("OLD TEXT")
	x.reloads = []megakernel.Reload{{Slice: 1, Text: 1, Kernel: x.text}}
	x.happen(megakernel.HostEvent{Kind: megakernel.EventReloaded, Text: "count.glsl: slice 1 runs the new text"})
	x.step()
	d.update()
	d.wantOnScreen("OLD TEXT", "the handlers were reloaded since")
}
