package resident_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// version is a handler that adds a number to the task's output and yields until the host has had enough, with its file's first line.
func version(first string, add int) string {
	return fmt.Sprintf(`%s
layout(std430, binding = 12) coherent buffer Stop { uint stop; };
void work(inout Task t) {
    debugf("adds %d to %%u", t.output_handle);
    t.output_handle += %du;
    if (stop != 0u) {
        task_done(t);
    } else {
        task_yield(t, t.continuation_pc + 1u, 0u);
    }
}
`, first, add, add)
}

// reload gives a session other handlers of the same names.
func reload(ctx context.Context, s *resident.Session, text string, names ...string) (resident.Reloaded, error) {
	var list []kernel.Handler
	for i, n := range names {
		list = append(list, kernel.Handler{Opcode: opWork + uint32(i), Name: n, Function: n})
	}
	return s.Reload(ctx, list, []*source.File{{Name: "handlers.glsl", Text: text}})
}

func reloaded(t *testing.T, s *resident.Session, text string, names ...string) resident.Reloaded {
	t.Helper()
	r, err := reload(deadline(t), s, text, names...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var stopWord = []resident.BufferInit{{Name: "stop", Binding: 12, Words: 1, Placement: engine.HostVisible}}

// awaitOutput waits until the output of every task has grown by more than a step.
func awaitOutput(t *testing.T, s *resident.Session, step uint32) {
	t.Helper()
	last := map[uint32]uint32{}
	for ctx := deadline(t); ; backendtest.Breathe() {
		snap, grown, live := s.Snapshot(), 0, 0
		for i := range snap.NumSlots() {
			w := snap.Slot(i)
			if state := tasks.State(w[tasks.WordState]); state == tasks.Empty || state.Terminal() {
				continue
			}
			live++
			before, known := last[w[tasks.WordTaskID]]
			if !known {
				last[w[tasks.WordTaskID]] = w[tasks.WordOutputHandle]
			} else if w[tasks.WordOutputHandle]-before >= step {
				grown++
			}
		}
		if live > 0 && grown == live {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("%d of %d tasks run the new text\n%s", grown, live, describe(s))
		}
	}
}

// messages are the beginnings of what debugf has written, up to the number.
func messages(blocks megakernel.LogBlocks, formats []string) map[string]bool {
	found := map[string]bool{}
	for i := range blocks {
		for j := range blocks[i].Len() {
			r := blocks[i].At(j)
			if megakernel.KindOf(r.Format) == megakernel.EventNone {
				words := strings.Fields(r.Text(formats))
				found[strings.Join(words[:len(words)-1], " ")] = true
			}
		}
	}
	return found
}

// TestReloadKeepsQueuesAndLogs: tasks continue with the new text, and records that the old one wrote are read as they were written.
func TestReloadKeepsQueuesAndLogs(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		k := remembering(t, b)
		var told []megakernel.Reload
		s := start(t, b, k, resident.Options{Workers: 1, Buffers: remembered, Reloaded: func(r megakernel.Reload) { told = append(told, r) }})
		log, err := s.Log()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Publish(deadline(t), work(20, nil)); err != nil {
			t.Fatal(err)
		}
		awaitOutput(t, s, 3)
		old, _ := log.Take(1 << 20)
		r := reloaded(t, s, version("// 2\nuint unused(uint x) { return x; }", 1000)+rememberingText(), rememberingNames...)
		if r.Slice == 0 || len(told) != 1 || told[0].Slice != r.Slice || told[0].Begun != 20 {
			t.Errorf("reloaded %+v, told %+v", r, told)
		}
		awaitOutput(t, s, 3000)
		s.Buffer("stop").Store(0, 1)
		for _, c := range collect(t, s, 20) {
			if c.Output < 3000 || c.State != tasks.Done {
				t.Errorf("task %d ended %v with %d", c.Task, c.State, c.Output)
			}
		}
		target := s.Target()
		if texts := messages(old, target.Formats); !texts["adds 1 to"] || texts["adds 1000 to"] {
			t.Errorf("records of the old text say %v", texts)
		}
		now, _ := log.Take(1 << 20)
		if texts := messages(now, target.Formats); !texts["adds 1000 to"] {
			t.Errorf("records of the new text say %v", texts)
		}
		if n := len(target.Reloads); n != 1 || len(target.KernelAt(r.Slice-1)) == 0 || string(target.KernelAt(r.Slice)) == string(target.KernelAt(r.Slice-1)) {
			t.Errorf("the target has %d reloads, or does not know its texts", n)
		}
	})
}

// TestReloadRefuses: the text in force keeps running where another one cannot take its place.
func TestReloadRefuses(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	s := start(t, b, assemble(t, b, version("", 1), 8, "work"), resident.Options{Workers: 1, Buffers: stopWord})
	const other = "void other(inout Task t) { task_done(t); }\n"
	for name, c := range map[string]struct {
		text  string
		names []string
		want  string
		kind  error
	}{
		"an error":        {strings.Replace(version("", 1), "task_done(t)", "task_done(u)", 1), []string{"work"}, "handlers.glsl:7", nil},
		"half written":    {version("", 1)[:150], []string{"work"}, "handlers.glsl", nil},
		"a type":          {strings.Replace(version("", 1), "uint stop;", "float stop;", 1), []string{"work"}, "stop is float of 1 words, and was uint of 1 words", resident.ErrReload},
		"a place":         {strings.Replace(version("", 1), "{ uint stop;", "{ uint before; uint stop;", 1), []string{"work"}, "member stop is new", resident.ErrReload},
		"another buffer":  {"layout(std430, binding = 9) buffer More { uint more[]; };\n" + version("", 1), []string{"work"}, "buffer More with binding 9 is new", resident.ErrReload},
		"no buffer":       {"void work(inout Task t) { task_done(t); }", []string{"work"}, "buffer Stop with binding 12 is not declared", resident.ErrReload},
		"no opcode":       {version("", 1) + other, nil, "opcode 16 (work) has no handler", resident.ErrReload},
		"changed opcodes": {version("", 1) + other, []string{"other", "work"}, "opcodes are renumbered", resident.ErrReload},
	} {
		_, err := reload(deadline(t), s, c.text, c.names...)
		if err == nil || !strings.Contains(err.Error(), c.want) || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(s.Target().Reloads); n != 0 {
		t.Errorf("%d texts are in force", n)
	}
	reloaded(t, s, version("", 1)+other, "work", "other") // a new opcode
	if name := s.Target().Opcodes[opWork+1]; name != "other" {
		t.Errorf("the new opcode is %q", name)
	}
	if err := s.Publish(deadline(t), []tasks.Task{{Opcode: opWork + 1}}); err != nil {
		t.Fatal(err)
	}
	if c := collect(t, s, 1); c[0].State != tasks.Done {
		t.Errorf("a task of the new opcode ended %v", c[0].State)
	}
}

// TestReloadMovesBreakpoints: one at a line goes with the line, one whose line or condition is gone is removed, and tasks stay held.
func TestReloadMovesBreakpoints(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		k := assemble(t, b, version("// 1", 1), 8, "work")
		s := start(t, b, k, resident.Options{Workers: 1, Buffers: stopWord})
		for _, p := range []breakpoint.Place{{File: "handlers.glsl", Line: 5, If: "t.param == 7u"}, {Line: 9, If: "stop == 9u"}, {Watch: "control[150]"}} {
			if _, err := s.Arm(deadline(t), breakpoint.Breakpoint{Place: &p}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Publish(deadline(t), work(1, func(_ int, t *tasks.Task) { t.Param = 7 })); err != nil {
			t.Fatal(err)
		}
		slot := awaitHeld(t, s, 1)[0]
		text := strings.Replace(version("// 1\n\n// 3", 1000), "        task_yield(t, t.continuation_pc + 1u, 0u);\n", "", 1)
		r := reloaded(t, s, text, "work")
		if len(r.Moved) != 2 || r.Moved[0].Text != "breakpoint 1 moved from handlers.glsl:5 to line 7" || !r.Moved[1].Gone || !strings.Contains(r.Moved[1].Text, "its line is gone") {
			t.Errorf("told: %+v", r.Moved)
		}
		list := s.Breakpoints()
		if len(list) != 2 || list[0].Place.Line != 7 || list[0].Hits == 0 || list[1].Place.Watch == "" || list[0].Pending {
			t.Errorf("breakpoints: %+v", list)
		}
		begun := beginningOf(t, s, k, slot, s.Snapshot().Slot(slot)[tasks.WordTaskID])
		if begun.Text != 0 { // 0: of the launch
			t.Errorf("the activation that is held ran text %d", begun.Text)
		}
		task := s.Snapshot().Slot(slot)[tasks.WordTaskID]
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeTask, Task: task, Slot: megakernel.NoSlot})
		slot = awaitHeld(t, s, 1)[0]
		if begun := beginningOf(t, s, k, slot, task); begun.Text != -1 {
			t.Errorf("the next one that is held ran text %d", begun.Text)
		}
	})
}

// TestReloadDropsABadCondition: a condition that the new text has no names for does not keep the old text.
func TestReloadDropsABadCondition(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	named := strings.Replace(version("", 1), "    debugf", "    uint local = t.param;\n    debugf", 1)
	s := start(t, b, assemble(t, b, named, 8, "work"), resident.Options{Workers: 1, Buffers: stopWord})
	if _, err := s.Arm(deadline(t), breakpoint.Breakpoint{Place: &breakpoint.Place{Line: 6, If: "local == 1u"}}); err != nil {
		t.Fatal(err)
	}
	r := reloaded(t, s, version("", 1), "work")
	if len(r.Moved) != 1 || !strings.Contains(r.Moved[0].Text, "is removed") || strings.Contains(r.Moved[0].Text, "holds") || len(s.Breakpoints()) != 0 {
		t.Errorf("told %+v, breakpoints %+v", r.Moved, s.Breakpoints())
	}
}

// TestReloadTellsWhatARemovedBreakpointHolds: its tasks are in no list of breakpoints any longer; they are named, and can be resumed.
func TestReloadTellsWhatARemovedBreakpointHolds(t *testing.T) {
	for n, want := range map[int]string{1: "; it still holds task 1: resume task 1", 3: "; it still holds 3 tasks: resume all"} {
		b := backendtest.Reference(t, reference.Options{})
		named := strings.Replace(version("", 1), "    debugf", "    uint local = t.param;\n    debugf", 1)
		s := start(t, b, assemble(t, b, named, 8, "work"), resident.Options{Workers: 1, Buffers: stopWord})
		if _, err := s.Arm(deadline(t), breakpoint.Breakpoint{Place: &breakpoint.Place{Line: 6, If: "local == 7u"}}); err != nil {
			t.Fatal(err)
		}
		if err := s.Publish(deadline(t), work(n, func(_ int, t *tasks.Task) { t.Param = 7 })); err != nil {
			t.Fatal(err)
		}
		awaitHeld(t, s, n)
		r := reloaded(t, s, version("", 1), "work")
		if len(r.Moved) != 1 || !strings.HasSuffix(r.Moved[0].Text, want) {
			t.Errorf("told %+v, want %q at the end", r.Moved, want)
		}
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll, Slot: megakernel.NoSlot})
		if held := s.Snapshot().Stopped(); len(held) != 0 {
			t.Errorf("%d tasks are held after resume all", len(held))
		}
	}
}

// TestReloadDuringACompilation: one that is given up leaves what runs, and variants of the old text are dropped.
func TestReloadDuringACompilation(t *testing.T) {
	b := &slowCompiler{Backend: backendtest.Reference(t, reference.Options{}), may: make(chan struct{})}
	s := start(t, b, assemble(t, b, version("", 1), 8, "work"), resident.Options{Workers: 1, Buffers: stopWord})
	ready := make(chan error, 1)
	go func() { ready <- s.ReadyBreakpoints(deadline(t)) }()
	ctx, cancel := context.WithCancel(deadline(t))
	first := make(chan error, 1)
	go func() {
		_, err := reload(ctx, s, version("", 10), "work")
		first <- err
	}()
	for s.Snapshot().Compiling == (megakernel.Compiling{}) {
		backendtest.Breathe()
	}
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first reload: %v", err)
	}
	second := make(chan error, 1)
	go func() {
		_, err := reload(deadline(t), s, version("", 1000), "work")
		second <- err
	}()
	close(b.may)
	for name, c := range map[string]chan error{"second": second, "ready": ready} {
		if err := <-c; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Publish(deadline(t), work(1, nil)); err != nil {
		t.Fatal(err)
	}
	s.Buffer("stop").Store(0, 1)
	if c := collect(t, s, 1); c[0].Output%1000 != 0 {
		t.Errorf("the output is %d", c[0].Output)
	}
}

// TestRandomReloadsLoseNothing reloads, breaks and retunes at random slices while tasks run, and counts.
func TestRandomReloadsLoseNothing(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{Seed: 3, Resident: 3})
	for seed := range backendtest.Seeds(2, 4) {
		rng := rand.New(rand.NewPCG(seed, 7))
		s := start(t, b, assembleWith(t, b, kernel.Config{WorkgroupSize: 8, Mirror: seed%2 == 1}, mixed, "mixed", "mixed_child"), resident.Options{Workers: 3, SliceTime: 2e6})
		const n = 600
		want := map[uint32]uint32{}
		list := work(n, func(i int, t *tasks.Task) {
			t.TaskID, t.Param = uint32(i+1), 1+rng.Uint32N(20)|rng.Uint32()&0x7FFFFF00
			want[t.TaskID] = t.Param & 0xFF
		})
		go func() {
			if err := s.Publish(deadline(t), list); err != nil {
				t.Error(err)
			}
		}()
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := 0; i < n; {
				if err := s.AdvanceEpoch(deadline(t)); err != nil {
					t.Error(err)
				}
				for _, c := range s.Poll(nil) {
					if i++; c.Output != want[c.Task] || c.State != tasks.Done {
						t.Errorf("seed %d: task %d ended %v after %d activations, want %d", seed, c.Task, c.State, c.Output, want[c.Task])
					}
				}
				backendtest.Breathe()
			}
		}()
		reloadAtRandom(t, s, rng, done)
		if err := s.Drain(deadline(t)); err != nil {
			t.Fatal(err)
		}
		c := s.Summary().Counters
		if c[megakernel.CountImported] != n || c[megakernel.CountDone] != n+c[megakernel.CountSpawned] || c[megakernel.CountFaulted] != 0 {
			t.Errorf("seed %d: counters %v", seed, c)
		}
		if len(s.Target().Reloads) == 0 {
			t.Errorf("seed %d: nothing was reloaded", seed)
		}
	}
}

// reloadAtRandom reloads and changes other things until the tasks have ended.
func reloadAtRandom(t *testing.T, s *resident.Session, rng *rand.Rand, done <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-done:
			return
		default:
		}
		var err error
		switch rng.IntN(4) {
		case 0:
			err = s.Retune(deadline(t), megakernel.Shape{Workers: 1 + rng.IntN(3), Lanes: 1 + rng.IntN(8)})
		case 1:
			_, err = s.Arm(deadline(t), breakpoint.Breakpoint{Place: &breakpoint.Place{Line: 4, If: "t.param == 0u"}, Action: breakpoint.Count})
			if errors.Is(err, resident.ErrOption) {
				err = s.Disarm(deadline(t), 0)
			}
		default:
			reloaded(t, s, strings.Repeat("// another line\n", rng.IntN(5))+mixed+fmt.Sprintf("// %d\n", i), "mixed", "mixed_child")
		}
		if err != nil {
			t.Error(err)
		}
	}
}
