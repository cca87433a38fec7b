package scan

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vyretop/engine"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// device stands for a kernel that misbehaves: it answers each published task with a script.
type device struct {
	buffers     map[string]engine.Words
	completions chan []workload.Completion
	answer      func(d *device, t tasks.Task) []workload.Completion
	refuse      error // returned by Publish
}

func newDevice(t *testing.T, s *Scan) *device {
	setup, err := s.Setup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d := &device{buffers: map[string]engine.Words{}, completions: make(chan []workload.Completion, 64)}
	for _, b := range setup.Buffers {
		words := make(engine.Words, b.Words)
		copy(words, b.Initial)
		d.buffers[b.Name] = words
	}
	return d
}

func (d *device) Publish(_ context.Context, ts []tasks.Task) error {
	for _, t := range ts {
		if cs := d.answer(d, t); cs != nil {
			d.completions <- cs
		}
	}
	return d.refuse
}

func (d *device) Buffer(name string) engine.Words           { return d.buffers[name] }
func (d *device) Wrote(string, int, int)                    {}
func (d *device) Epoch() uint32                             { return 0 }
func (d *device) AdvanceEpoch(context.Context) error        { return nil }
func (d *device) Completions() <-chan []workload.Completion { return d.completions }
func (d *device) Ended() workload.Tally                     { return workload.Tally{} }
func done(t tasks.Task, written uint32) []workload.Completion {
	return []workload.Completion{{TaskID: t.TaskID, State: tasks.Done, Output: written}}
}

// write puts record number n into the ring.
func (d *device) write(n, entry, symbol, row uint32) {
	r := ring{words: d.buffers["matches"], capacity: d.buffers["matches"].Load(1)}
	r.put(n, entry, symbol, row)
}

// piece is how the text of the only piece stands in its block.
func (d *device) piece() shape {
	words := d.buffers["pieces"]
	return shape{granules: int(words.Load(1)), rows: int(words.Load(2)), columns: int(words.Load(3))}
}

// writeEnd writes the record of the match at the end of text, which begins the file and has an even length.
func (d *device) writeEnd(s *Scan, n, entry uint32, text string) {
	row := uint32(0)
	last := uint32(len(text)/s.automaton.stride - 1)
	p := d.piece()
	for i := range last {
		row = s.automaton.Table[row+p.symbol(d.buffers["text"], int(i))] & entryRow
	}
	d.write(n, entry, last, row)
}

func scanOneFile(t *testing.T, text string) *Scan {
	lists := write(t, map[string]string{"p": "password\n"})
	return New(rig.Manifest(t, "scan"), Options{Path: write(t, map[string]string{"f": text}), Patterns: lists + "/p", ArenaBytes: 1 << 20, Records: 8})
}

// TestInconsistentAnswersAreErrors: nothing that a kernel writes makes the host miscount, hang or panic.
func TestInconsistentAnswersAreErrors(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(*Scan) func(*device, tasks.Task) []workload.Completion
		kind   error
	}{
		"a match of no file": {func(*Scan) func(*device, tasks.Task) []workload.Completion {
			return func(d *device, t tasks.Task) []workload.Completion { d.write(0, 5, 1, 1); return nil }
		}, workload.ErrProtocol},
		"a match of an entry out of range": {func(*Scan) func(*device, tasks.Task) []workload.Completion {
			return func(d *device, t tasks.Task) []workload.Completion { d.write(0, 1<<31, 1, 1); return nil }
		}, workload.ErrProtocol},
		"a match behind the end": {func(*Scan) func(*device, tasks.Task) []workload.Completion {
			return func(d *device, t tasks.Task) []workload.Completion { d.write(0, t.InputHandle, 99, 1); return nil }
		}, workload.ErrProtocol},
		"a state that does not exist": {func(*Scan) func(*device, tasks.Task) []workload.Completion {
			return func(d *device, t tasks.Task) []workload.Completion {
				d.write(0, t.InputHandle, 3, 1<<30)
				return nil
			}
		}, workload.ErrProtocol},
		"more matches than the task counted": {func(s *Scan) func(*device, tasks.Task) []workload.Completion {
			return func(d *device, t tasks.Task) []workload.Completion {
				d.writeEnd(s, 0, t.InputHandle, "password")
				d.writeEnd(s, 1, t.InputHandle, "password")
				return done(t, 1)
			}
		}, workload.ErrProtocol},
		"a task that was not published": {func(*Scan) func(*device, tasks.Task) []workload.Completion {
			return func(d *device, t tasks.Task) []workload.Completion { t.TaskID = 77; return done(t, 0) }
		}, workload.ErrProtocol},
		"a task that ends twice": {func(*Scan) func(*device, tasks.Task) []workload.Completion {
			return func(d *device, t tasks.Task) []workload.Completion {
				return append(done(t, 1), done(t, 1)...)
			}
		}, workload.ErrProtocol},
		"a fault": {func(*Scan) func(*device, tasks.Task) []workload.Completion {
			return func(d *device, t tasks.Task) []workload.Completion {
				return []workload.Completion{{TaskID: t.TaskID, State: tasks.Faulted, Code: 3}}
			}
		}, workload.ErrTaskFaulted},
		"the kernel stops": {func(*Scan) func(*device, tasks.Task) []workload.Completion {
			return func(d *device, t tasks.Task) []workload.Completion { close(d.completions); return nil }
		}, workload.ErrProtocol},
	} {
		t.Run(name, func(t *testing.T) {
			s := scanOneFile(t, "password")
			d := newDevice(t, s)
			d.answer = c.answer(s)
			if err := s.Run(rig.Deadline(t), d); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), ". Fix: ") {
				t.Fatal(err)
			}
		})
	}
}

// TestLostMatchKeepsTheFileOpen: a task that counted more matches than arrive never counts as done;
// the run ends with its context, not with a wrong result.
func TestLostMatchKeepsTheFileOpen(t *testing.T) {
	s := scanOneFile(t, "password")
	d := newDevice(t, s)
	ctx, cancel := context.WithCancel(rig.Deadline(t))
	d.answer = func(d *device, t tasks.Task) []workload.Completion { return done(t, 1) }
	waited := &countedEpochs{device: d, after: 3, then: cancel}
	if err := s.Run(ctx, waited); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// countedEpochs calls then after that many epochs.
type countedEpochs struct {
	*device
	after int
	then  func()
}

func (c *countedEpochs) AdvanceEpoch(context.Context) error {
	if c.after--; c.after == 0 {
		c.then()
	}
	return nil
}

// TestNothingIsSuspectedWhileTheKernelIsCompiled: the epoch was advanced while no task had run yet, and a device that began with a kernel without
// epochs then did nothing until the other one was compiled.
func TestNothingIsSuspectedWhileTheKernelIsCompiled(t *testing.T) {
	s := scanOneFile(t, "password")
	synctest.Test(t, func(t *testing.T) {
		d := newDevice(t, s)
		d.answer = func(d *device, t tasks.Task) []workload.Completion {
			time.AfterFunc(20*stall, func() { d.completions <- done(t, 0) })
			return nil
		}
		if err := s.Run(rig.Deadline(t), &countedEpochs{device: d, after: 1, then: func() { t.Error("the epoch was advanced") }}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestPublishErrorEndsTheRun(t *testing.T) {
	s := scanOneFile(t, "password")
	d := newDevice(t, s)
	d.answer = func(*device, tasks.Task) []workload.Completion { return nil }
	d.refuse = errors.New("refused")
	if err := s.Run(rig.Deadline(t), d); !errors.Is(err, d.refuse) {
		t.Fatal(err)
	}
}

func TestUnmappedBuffersAreAnError(t *testing.T) {
	s := scanOneFile(t, "password")
	d := newDevice(t, s)
	delete(d.buffers, "text")
	if err := s.Run(rig.Deadline(t), d); !errors.Is(err, workload.ErrProtocol) {
		t.Fatal(err)
	}
}

// TestVerifyNoticesEveryKindOfDifference checks the checker.
func TestVerifyNoticesEveryKindOfDifference(t *testing.T) {
	for name, damage := range map[string]func([]Match) []Match{
		"missing": func(ms []Match) []Match { return ms[1:] },
		"none":    func([]Match) []Match { return nil },
		"doubled": func(ms []Match) []Match { return append(ms, ms[len(ms)-1]) },
		"moved":   func(ms []Match) []Match { ms[0].Offset++; return ms },
		"renamed": func(ms []Match) []Match { ms[0].Line++; return ms },
	} {
		s := scanOneFile(t, "password, password")
		d := newDevice(t, s)
		d.answer = func(d *device, t tasks.Task) []workload.Completion {
			d.writeEnd(s, 0, t.InputHandle, "password")
			d.writeEnd(s, 1, t.InputHandle, "password, password")
			return done(t, 2)
		}
		if err := s.Run(rig.Deadline(t), d); err != nil {
			t.Fatal(err)
		}
		if v, err := s.Verify(t.Context()); err != nil || !v.OK {
			t.Fatal(v, err)
		}
		f := s.tree.files[0]
		f.matches = damage(f.matches)
		if v, err := s.Verify(t.Context()); err != nil || v.OK || !strings.HasPrefix(v.Detail, "f: ") {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

// TestVerifyCountsTheBeginningOfALargeFile: the scan of one file that is larger than what is counted again was called
// wrong, and nothing of it was counted.
func TestVerifyCountsTheBeginningOfALargeFile(t *testing.T) {
	s := scanOneFile(t, "password, password")
	d := newDevice(t, s)
	d.answer = func(d *device, t tasks.Task) []workload.Completion {
		d.writeEnd(s, 0, t.InputHandle, "password")
		d.writeEnd(s, 1, t.InputHandle, "password, password")
		return done(t, 2)
	}
	if err := s.Run(rig.Deadline(t), d); err != nil {
		t.Fatal(err)
	}
	const limit = 15 // inside the second match
	if v, err := s.verify(t.Context(), limit); err != nil || !v.OK || v.Detail != "counted again with bytes.Index: 1 of 1 files, 15 of 18 bytes" {
		t.Fatal(v, err)
	}
	f := s.tree.files[0]
	f.matches = f.matches[1:]
	if v, err := s.verify(t.Context(), limit); err != nil || v.OK {
		t.Errorf("the first match is missing: %+v, %v", v, err)
	}
	f.checksum++
	if v, err := s.verify(t.Context(), limit); err != nil || !strings.HasSuffix(v.Detail, "; 1 changed since they were read") {
		t.Errorf("the file has changed: %+v, %v", v, err)
	}
}
