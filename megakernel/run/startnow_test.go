package run

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// slowDevice is a device whose compiler ends when it may.
type slowDevice struct {
	*reference.Backend
	may chan struct{}
}

func (s *slowDevice) Identity() engine.Identity {
	id := s.Backend.Identity()
	id.Name = "slow"
	return id
}

func (s *slowDevice) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	select {
	case <-s.may:
		return s.Backend.Compile(ctx, p)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestARunThatStartsNowMovesToItsDevice: the interpreter does the first half of the work with as many workers as the host has
// processors, and the device the rest with as many as suit it.
func TestARunThatStartsNowMovesToItsDevice(t *testing.T) {
	d := &slowDevice{Backend: backendtest.Reference(t, reference.Options{Seed: 1, Resident: 2000}), may: make(chan struct{})}
	w, want := collatz(t), resident.DefaultWorkers(d.Profile())
	var r *Run
	moves := scripted{w, func(ctx context.Context, h workload.Host) error {
		if err := w.Run(ctx, h); err != nil {
			return err
		}
		close(d.may)
		m := r.group.members[0]
		for m.Shape().Workers != want { // a command has a slice begin
			for _, op := range []megakernel.CommandOp{megakernel.OpPauseAll, megakernel.OpResumeAll} {
				if _, err := m.Do(ctx, megakernel.Command{Op: op}); err != nil {
					return err
				}
			}
		}
		return nil
	}}
	r, err := Start(t.Context(), Config{Workload: moves, Backend: d, WorkgroupSize: 4, StartNow: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, few := r.group.members[0].Shape().Workers, min(want, runtime.NumCPU()); got != few {
		t.Errorf("%d workers begin, want %d", got, few)
	}
	if err := r.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	o, err := r.Finish(t.Context(), true)
	if err != nil || !o.Verified {
		t.Errorf("outcome %+v, %v", o, err)
	}
	if o.Interim == nil || o.Interim.UntilMs <= 0 {
		t.Errorf("the interpreter did %v", o.Interim)
	}
	var told []string
	for _, e := range r.Hub().Events(0, 10000) {
		if e.Kind == "compile" {
			told = append(told, e.Text)
		}
	}
	if len(told) != 2 || !strings.HasPrefix(told[0], "the interpreter does the work") || !strings.HasPrefix(told[1], "the device has compiled") {
		t.Errorf("told %q", told)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestFinishedWorkAwaitsNoCompiler: the interpreter has done all of the work, and the header said that the device compiles for it.
func TestFinishedWorkAwaitsNoCompiler(t *testing.T) {
	d := &slowDevice{Backend: backendtest.Reference(t, reference.Options{Seed: 1}), may: make(chan struct{})}
	w := collatz(t)
	var r *Run
	looks := scripted{w, func(ctx context.Context, h workload.Host) error {
		if c := r.group.members[0].Snapshot().Compiling; !c.Interim {
			t.Errorf("before the work: %+v", c)
		}
		return w.Run(ctx, h)
	}}
	r, err := Start(t.Context(), Config{Workload: looks, Backend: d, WorkgroupSize: 4, StartNow: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := r.group.members[0].Snapshot().Compiling; c != (megakernel.Compiling{}) {
		t.Errorf("behind it: %+v", c)
	}
	close(d.may)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestWhatCannotStartNow(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	d := &slowDevice{Backend: b}
	for name, c := range map[string]Config{
		"the interpreter": {Backend: b},
		"several devices": {Backend: d, More: []engine.Backend{d}},
	} {
		c.Workload, c.StartNow = collatz(t), true
		if _, err := Start(t.Context(), c); !errors.Is(err, ErrStartNow) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
