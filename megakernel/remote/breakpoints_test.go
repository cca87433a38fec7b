package remote

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine/fault"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/live"
	"vyretop/tasks"
)

// Arm notes a breakpoint, which is hit twice at once.
func (f *fakeSession) Arm(_ context.Context, b breakpoint.Breakpoint) (breakpoint.Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return breakpoint.Status{}, f.err
	}
	s := breakpoint.Status{ID: len(f.breaks) + 1, Breakpoint: b, Enabled: true, Latency: 7, Hits: 2, Workers: []breakpoint.WorkerHits{{Worker: 1, Hits: 2}}, Task: 9}
	f.breaks = append([]breakpoint.Status{}, append(f.breaks, s)...)
	return s, nil
}

func (f *fakeSession) Disarm(_ context.Context, id int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.breaks = f.breaks[:len(f.breaks)-1]
	return f.err
}

func (f *fakeSession) Enable(_ context.Context, id int, on bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.breaks = append([]breakpoint.Status{}, f.breaks...)
	f.breaks[id-1].Enabled = on
	return f.err
}

func (f *fakeSession) Breakpoints() []breakpoint.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.breaks
}

// TestBreakpointsFromAfar: who steers sets, switches and removes them; everybody sees them and their hits.
func TestBreakpointsFromAfar(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	c, other := r.dial(DialOptions{Control: ControlAsk}), r.dial(DialOptions{})
	want := breakpoint.Breakpoint{
		Condition: "op=7 && worker!=2", Action: breakpoint.Log, Every: 3, After: 4,
		Program: breakpoint.Program{
			{Field: tasks.WordOpcode, Accept: breakpoint.Equal, Value: 7},
			{Field: breakpoint.Worker, Accept: breakpoint.Less | breakpoint.Greater, Value: 2}, {Kind: breakpoint.And},
		},
	}
	got, err := c.Arm(t.Context(), want)
	if diff := cmp.Diff(want, got.Breakpoint); diff != "" || err != nil || got.ID != 1 || got.Pending {
		t.Fatalf("%v, %+v (-sent +armed):\n%s", err, got, diff)
	}
	seen := func(seq uint64) []breakpoint.Status {
		r.tick()
		r.until(other, seq)
		return other.Breakpoints()
	}
	if diff := cmp.Diff([]breakpoint.Status{got}, seen(2)); diff != "" {
		t.Errorf("the other client sees (-armed +seen):\n%s", diff)
	}
	if err := c.Enable(t.Context(), 1, false); err != nil {
		t.Fatal(err)
	}
	if list := seen(3); len(list) != 1 || list[0].Enabled {
		t.Errorf("switched off it is %+v", list)
	}
	for name, err := range map[string]error{"set": second(other.Arm(t.Context(), want)), "removed": other.Disarm(t.Context(), 1), "switched": other.Enable(t.Context(), 1, true)} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("a watcher has %s one: %v", name, err)
		}
	}
	if err := c.Disarm(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if list := seen(4); len(list) != 0 {
		t.Errorf("there are still %+v", list)
	}
	if _, err := c.request(t.Context(), request{Break: &breakChange{1, "fly"}}); !errors.Is(err, ErrRequest) {
		t.Errorf("an unknown change: %v", err)
	}
	r.session.err = &fault.Error{Kind: breakpoint.ErrCondition, Subject: "breakpoint", Detail: "it is too long", Fix: "write a shorter one"}
	if _, err := c.Arm(t.Context(), want); !errors.Is(err, breakpoint.ErrCondition) {
		t.Errorf("a refused one: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
