package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"vyretop/megakernel"
	"vyretop/megakernel/layout"
	"vyretop/megakernel/words"
	"vyretop/tasks"
)

// TestOrders reads commands as testdata/orders says: a line for each command, and what it is.
func TestOrders(t *testing.T) {
	datadriven.RunTest(t, "testdata/orders", func(_ *testing.T, d *datadriven.TestData) string {
		var b strings.Builder
		for line := range strings.Lines(d.Input) {
			o, err := Parse(line)
			if err != nil {
				fmt.Fprintln(&b, err)
				continue
			}
			fmt.Fprintf(&b, "kind %d on %d: %s", o.Kind, o.On, o.Command.Op)
			fmt.Fprintf(&b, " task %d worker %d arg %d", o.Command.Task, o.Command.Worker, o.Command.Arg)
			if o.Kind == Edit {
				fmt.Fprintf(&b, " %+v", o.Edit)
			}
			for _, s := range o.Settings {
				fmt.Fprintf(&b, " %s", s)
			}
			if o.Kind == Wait {
				fmt.Fprintf(&b, " for %v, or until something: %v", o.For, o.Until != nil)
			}
			if o.Kind == Break && o.Break.Set.Place != nil {
				fmt.Fprintf(&b, " %+v", *o.Break.Set.Place)
				o.Break.Set.Place = nil
			}
			if o.Kind == Break {
				fmt.Fprintf(&b, " %+v", o.Break)
			}
			b.WriteByte('\n')
		}
		return b.String()
	})
}

// TestUsagesAreRead: every word that a usage promises is one that its verb reads.
func TestUsagesAreRead(t *testing.T) {
	example := strings.NewReplacer("NxM", "3x4", "[INPUT OUTPUT PARAM PC DATA]", "1 2 3 4 5", "[priority=P]", "priority=high", "[tenant=N]", "tenant=2", "[FILE:]LINE", "a.glsl:3", "[if EXPR]", "if n > 3u", "[if CONDITION]", "if value > 3", "EXPR", "control[3]", "OPCODE", "7", "=N", "=3", "=M", "=4", "N", "3", "ID", "7", "PRIORITY", "high", "VALUE", "0x10", "WORD", "param", "DURATION", "1s", "CONDITION", "done>3", "[ACTIVATIONS]", "2", "WHEN", "op=7", "[hit>N]", "hit>5", "[hit%N]", "hit%2", "[ACTION]", "log")
	for _, v := range Verbs {
		text := example.Replace(strings.TrimPrefix(v.Usage, v.Name))
		for form := range strings.SplitSeq(text, "|") {
			if _, err := Parse(v.Name + " " + form); err != nil {
				t.Errorf("%s: %v", v.Usage, err)
			}
		}
	}
}

// FuzzParse: whatever is typed is an order or an error with a remedy.
func FuzzParse(f *testing.F) {
	for _, v := range Verbs {
		f.Add(v.Usage)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Parse(text); err != nil && !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// target is one that answers everything in the same way.
type target struct {
	result    megakernel.AckResultCode
	err       error
	commands  []megakernel.Command
	updates   chan struct{}
	snapshots []*megakernel.Snapshot // one for each look; the last one stays
}

func (t *target) Snapshot() *megakernel.Snapshot {
	if len(t.snapshots) == 0 {
		return nil
	}
	s := t.snapshots[0]
	if len(t.snapshots) > 1 {
		t.snapshots = t.snapshots[1:]
	}
	return s
}

// Buffers has one that is laid out as { struct { vec3 at; uint id; } points[]; } is.
func (t *target) Buffers() []megakernel.BufferInfo {
	point := &layout.Type{Name: "Point", Words: 4, Members: []layout.Member{
		{Name: "at", Type: &layout.Type{Name: "vec3", Words: 3, Kind: layout.Float, Width: 3}},
		{Name: "id", Offset: 3, Type: &layout.Type{Name: "uint", Words: 1, Kind: layout.Uint, Width: 1}},
	}}
	points := &layout.Type{Name: "Points", Members: []layout.Member{{Name: "points", Type: &layout.Type{Name: "Point[]", Elem: point, Stride: 4}}}}
	return []megakernel.BufferInfo{{Name: "points", Binding: 9, Words: 12, Layout: points}, {Name: "inbox", Binding: 3, Words: 12}}
}

// ReadBuffer reads words that are their own numbers.
func (t *target) ReadBuffer(_ context.Context, _ string, first int, dst []uint32) error {
	for i := range dst {
		dst[i] = uint32(first + i)
	}
	return nil
}

// TestEditsOfBuffersSayWhatTheyMean: which word of which buffer, what it held, and the bits of the value in its type.
func TestEditsOfBuffersSayWhatTheyMean(t *testing.T) {
	for text, want := range map[string]megakernel.Command{
		"edit points.points[1].at.y 1.5": {Op: megakernel.OpEditBuffer, Slot: 9, Arg: 5, Expected: 5, Desired: 0x3fc00000},
		"edit points.points[2].id 0x10":  {Op: megakernel.OpEditBuffer, Slot: 9, Arg: 11, Expected: 11, Desired: 16},
		"edit points[5] 0x7fc00000":      {Op: megakernel.OpEditBuffer, Slot: 9, Arg: 5, Expected: 5, Desired: 0x7fc00000},
		"edit control.reserved[1] 0xf":   {Op: megakernel.OpEditControl, Arg: megakernel.CtrlReserved0, Expected: 0xffffffff, Desired: 15},
	} {
		o, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		x := target{result: megakernel.AckApplied, snapshots: []*megakernel.Snapshot{snapshot(0)}}
		want.Expected = map[bool]uint32{true: want.Expected, false: snapshot(0).Control[want.Arg%160]}[want.Op == megakernel.OpEditBuffer]
		if _, err := o.Carry(t.Context(), &x); err != nil || len(x.commands) != 1 || x.commands[0] != want {
			t.Errorf("%s: %+v, error %v, want %+v", text, x.commands, err, want)
		}
	}
}

func (t *target) Updates() <-chan struct{} { return t.updates }

func (t *target) Do(_ context.Context, c megakernel.Command) (megakernel.Ack, error) {
	t.commands = append(t.commands, c)
	return megakernel.Ack{Command: c, Result: t.result, Detail: 9, Latency: 5000}, t.err
}

func (t *target) Apply(_ context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	return []megakernel.Change{{Setting: list[0], Old: 2}}, t.err
}

func (t *target) Undo(context.Context) ([]megakernel.Change, error) { return nil, t.err }
func (t *target) Drain(context.Context) error                       { return t.err }
func (t *target) Stop(context.Context) error                        { return t.err }

// snapshot has a task 7 in slot 1, whose param is 5, and 3 tasks done.
func snapshot(done uint32) *megakernel.Snapshot {
	control, _ := megakernel.EncodeControl(1, 0)
	s := &megakernel.Snapshot{Control: control, Slots: make([]uint32, 2*tasks.SlotWords)}
	s.Counters[megakernel.CountDone] = uint64(done)
	w := s.Slot(1)
	w[tasks.WordTaskID], w[tasks.WordState], w[tasks.WordParam] = 7, uint32(tasks.Paused), 5
	return s
}

// inState is a snapshot whose task 7 is in a state.
func inState(state tasks.State) *megakernel.Snapshot {
	s := snapshot(0)
	s.Slot(1)[tasks.WordState] = uint32(state)
	return s
}

func TestCarry(t *testing.T) {
	for _, tt := range []struct {
		text   string
		target target
		want   string // of the result, or of the error
		is     error
	}{
		{"pause worker 3", target{result: megakernel.AckApplied}, "pause worker 3: applied in 5µs", nil},
		{"requeue task 7 low", target{result: megakernel.AckBusy}, "requeue task 7 low: busy. Fix: try again when", ErrRefused},
		{"step worker 0", target{result: megakernel.AckIllegal}, "step worker 0: illegal in its state. Fix: pause worker 0 first", ErrRefused},
		{"resume task 7", target{result: megakernel.AckIllegal, snapshots: []*megakernel.Snapshot{inState(tasks.Ready)}}, "resume task 7: it is ready, and only a paused task can be resumed. Fix: leave it", ErrRefused},
		{"resume task 7", target{result: megakernel.AckIllegal, snapshots: []*megakernel.Snapshot{snapshot(0)}}, "resume task 7: illegal in its state. Fix: leave it", ErrRefused},
		{"reap task 7", target{result: megakernel.AckIllegal, snapshots: []*megakernel.Snapshot{inState(tasks.Running)}}, "reap task 7: it is running, and only a faulted task can be reaped. Fix: wait", ErrRefused},
		{"pause task 7", target{result: megakernel.AckFinished, snapshots: []*megakernel.Snapshot{inState(tasks.Faulted)}}, "pause task 7: it has faulted. Fix: see its fault", ErrRefused},
		{"set aging=4", target{}, "; aging=4, was 2", nil},
		{"retune workers=4", target{err: errBroken}, "broken", errBroken},
		{"undo", target{err: errBroken}, "broken", errBroken},
		{"drain", target{}, "drain: drained in", nil},
		{"stop", target{}, "stop: stopped in", nil},
		{"edit control[150] 6", target{}, "nothing is known of the target yet. Fix: ", ErrCommand},
		{"edit control[150] 6", target{result: megakernel.AckApplied, snapshots: []*megakernel.Snapshot{snapshot(0)}}, "edit control[150] 6: applied", nil},
		{"edit control[160] 6", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "the buffer has 160 words. Fix: use a number below 160", words.ErrPlace},
		{"edit control.fly 6", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "unknown word \"fly\" in the control buffer. Fix: ", words.ErrPlace},
		{"edit points.points[1].at.y 1.5", target{result: megakernel.AckApplied, snapshots: []*megakernel.Snapshot{snapshot(0)}}, "applied", nil},
		{"edit points[5] -2.25", target{result: megakernel.AckApplied, snapshots: []*megakernel.Snapshot{snapshot(0)}}, "applied", nil},
		{"edit points.points[1].at.y seven", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "\"seven\": invalid float value. Fix: ", layout.ErrValue},
		{"edit points.points[1].at 7", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "is more than one word. Fix: ", ErrCommand},
		{"edit points.points[9].at.x 7", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "element 9 does not exist. Fix: ", words.ErrPlace},
		{"edit inbox[3] 7", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "the words of inbox are the kernel's own. Fix: ", ErrCommand},
		{"edit fly.x 7", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "unknown buffer \"fly\". Fix: use control, ring, workers, points, inbox", words.ErrPlace},
		{"edit workers[0] 6", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "the words of workers are the kernel's own. Fix: ", ErrCommand},
		{"edit control.reserved[9] 6", target{result: megakernel.AckApplied, snapshots: []*megakernel.Snapshot{snapshot(0)}}, "edit control.reserved[9] 6: applied", nil},
		{"edit control[150] 6", target{result: megakernel.AckOverwritten, snapshots: []*megakernel.Snapshot{snapshot(0)}}, "it was written, and holds 9 again", ErrRefused},
		{"edit control[128] 3", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "the kernel keeps control.epoch, an edit would have no effect. Fix: use the command: epoch +1", ErrCommand},
		{"edit control.done_count 3", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "the kernel keeps control.done_count", ErrCommand},
		{"edit control.tenant_quota[3] 6", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "Fix: use the command: set tenant-quota.3=500", ErrCommand},
		{"epoch +1", target{result: megakernel.AckApplied}, "epoch +1: applied", nil},
		{"epoch 2", target{result: megakernel.AckBadArgument}, "the epoch is 9 and cannot go back. Fix: use +1", ErrRefused},
		{"pause tasks param=5", target{result: megakernel.AckApplied, snapshots: []*megakernel.Snapshot{snapshot(0)}}, "applied to 1 of 1 tasks", nil},
		{"resume tasks id=8", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "no task matches", ErrRefused},
		{"reap tasks id=7", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "only faulted tasks can be reaped (1 other task would match). Fix: see which are faulted", ErrRefused},
		{"reap tasks id=8", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "reap tasks id=8: no task matches. Fix: ", ErrRefused},
		{"requeue tasks id=7 and slot>=0 high", target{result: megakernel.AckIllegal, snapshots: []*megakernel.Snapshot{snapshot(0)}}, "applied to 0 of 1 tasks. Fix: ", ErrRefused},
		{"edit task 7 param 6", target{result: megakernel.AckChanged, snapshots: []*megakernel.Snapshot{snapshot(0)}}, "the value is now 9; not written", ErrRefused},
		{"edit task 8 param 6", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "not found", ErrRefused},
		{"edit task 7 state 6", target{snapshots: []*megakernel.Snapshot{snapshot(0)}}, "the scheduler goes by state. Fix: ", ErrCommand},
		{"wait 1us", target{}, "wait 1us: waited for", nil},
		{"wait done>2", target{snapshots: []*megakernel.Snapshot{nil, snapshot(1), snapshot(2), snapshot(3)}}, "wait done>2: waited for", nil},
		{"wait done>9", target{updates: closed(), snapshots: []*megakernel.Snapshot{snapshot(1)}}, "the target ended before that. Fix: ", ErrRefused},
	} {
		t.Run(tt.text, func(t *testing.T) {
			o, err := Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			r, err := o.Carry(t.Context(), &tt.target)
			got := r.String()
			if err != nil {
				got = err.Error()
			}
			if !errors.Is(err, tt.is) || !strings.Contains(got, tt.want) {
				t.Errorf("it is %q, error %v", got, err)
			}
		})
	}
}

var errBroken = errors.New("broken")

func closed() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// TestEditsGoByWhatWasSeen: what is sent is a compare-and-swap on the word of the newest snapshot.
func TestEditsGoByWhatWasSeen(t *testing.T) {
	x := &target{result: megakernel.AckApplied, snapshots: []*megakernel.Snapshot{snapshot(0)}}
	o, err := Parse("edit task 7 param 6")
	if err != nil {
		t.Fatal(err)
	}
	r, err := o.Carry(t.Context(), x)
	want := megakernel.Command{Op: megakernel.OpEditTask, Task: 7, Slot: 1, Arg: tasks.WordParam, Expected: 5, Desired: 6}
	if err != nil || *r.Was != 5 || len(x.commands) != 1 || x.commands[0] != want {
		t.Errorf("sent %+v, result %+v, error %v", x.commands, r, err)
	}
}

// TestAWaitEndsWithItsContext: also where nothing comes any longer.
func TestAWaitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{"wait 1h", "wait done>9"} {
		o, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Carry(ctx, &target{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestAWaitEndsWithTheWork: a run whose work has ended stays while somebody looks at it, and a wait for what could no longer come had no end.
func TestAWaitEndsWithTheWork(t *testing.T) {
	ended := func(at time.Duration) *megakernel.Snapshot {
		s := &megakernel.Snapshot{Taken: at, Progress: megakernel.Progress{Done: 3, Total: 3, Unit: "tiles"}}
		return s
	}
	x := &target{snapshots: []*megakernel.Snapshot{ended(1), ended(1), ended(2)}}
	o, err := Parse("wait paused=1")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := o.Carry(t.Context(), x); r.Answer == waited || !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "the work has ended, and the condition does not hold") {
		t.Errorf("%v", err)
	}
	if o, err = Parse("wait paused=0"); err != nil {
		t.Fatal(err)
	}
	if r, err := o.Carry(t.Context(), x); r.Answer != waited || err != nil {
		t.Errorf("a condition that holds: %v, %v", r, err)
	}
}

// TestAWaitComparesSnapshots: one that came twice was compared with itself, so that a target that worked was stalled at once. With a
// duration the condition holds all that time. A target that did nothing between two snapshots was stalled, so that the wait of one
// that works ended after some seconds.
func TestAWaitComparesSnapshots(t *testing.T) {
	at := func(taken time.Duration, done uint64) *megakernel.Snapshot {
		s := &megakernel.Snapshot{Taken: taken, Submitted: 9, InboxTaken: 8}
		s.Counters[megakernel.CountDone] = done
		return s
	}
	begin := time.Unix(1, 0)
	for _, tc := range []struct {
		text string
		over []bool
	}{
		{"wait stalled=1 and done>0", []bool{false, false, false, false, true}}, // for 500ms, where it does not say
		{"wait done>0 and stalled=0", []bool{false, true, true, false, false}},
		{"wait stalled=1 and done>0 for 0s", []bool{false, false, false, true, true}},
		{"wait stalled=1 and done>0 for 2s", []bool{false, false, false, false, true}},
	} {
		o, err := Parse(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		first, second := at(1, 0), at(2, 1)
		w := o.Waiter()
		for i, s := range []*megakernel.Snapshot{first, second, second, at(3, 1), at(4, 1)} {
			if got := w.Over(s, begin.Add(time.Duration(i)*2*time.Second)); got != tc.over[i] {
				t.Errorf("%s, look %d: over %v", tc.text, i, got)
			}
		}
	}
	if _, err := Parse("wait stalled=1 for long"); !errors.Is(err, ErrCommand) || !strings.Contains(err.Error(), `"long" is not a duration`) {
		t.Errorf("%v", err)
	}
}

func TestScripts(t *testing.T) {
	orders, err := ParseScript("steps", strings.NewReader("# first\n\n :pause all # and then\nset aging=4\n"))
	if err != nil || len(orders) != 2 || orders[0].Text != "pause all" || orders[1].Verb != "set" {
		t.Errorf("%+v, %v", orders, err)
	}
	for text, want := range map[string]string{
		"pause all\nfly":                         "steps:2: fly: unknown command",
		"pause all\nworkers=4":                   "steps:2: workers=4: unknown command. Fix: write set workers=4",
		"undo\n\nundo 3":                         `steps:3: undo: unexpected argument "3"`,
		"wait fly>3":                             "steps:1: filter, column 1: unknown column",
		"pause " + strings.Repeat("x ", maxLine): "steps:1: the command: it is too long",
	} {
		_, err := ParseScript("steps", strings.NewReader(text))
		if !errors.Is(err, ErrLine) || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// TestAnOrderForManyTasksSaysHowFarItCame: a timeout did not say how many tasks had been commanded.
func TestAnOrderForManyTasksSaysHowFarItCame(t *testing.T) {
	o, err := Parse("pause tasks id=7")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = o.Carry(ctx, &target{snapshots: []*megakernel.Snapshot{snapshot(0)}})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "applied to 0 of 1 tasks") {
		t.Errorf("error %v", err)
	}
}
