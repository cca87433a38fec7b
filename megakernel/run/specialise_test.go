package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// fakeTarget runs at a rate that depends on what it is specialized for.
type fakeTarget struct {
	hot   []uint32
	calls []string
	snap  megakernel.Snapshot
	gain  float64
	queue int
}

func (f *fakeTarget) Hot() []uint32 { return f.hot }

func (f *fakeTarget) Specialize(_ context.Context, hot ...uint32) error {
	f.hot = hot
	f.calls = append(f.calls, fmt.Sprint(hot))
	return nil
}

// Snapshot is a second later than the one before: of a thousand activations 950 are of opcode 9.
func (f *fakeTarget) Snapshot() *megakernel.Snapshot {
	rate := 1000.0
	if len(f.hot) > 0 {
		rate *= f.gain
	}
	next := f.snap
	next.Control = slices.Clone(f.snap.Control)
	next.Control[megakernel.CtrlMetrics0+9] += uint32(rate * 0.95)
	next.Control[megakernel.CtrlMetrics0+10] += uint32(rate * 0.05)
	next.Counters[megakernel.CountActivations] += uint64(rate)
	next.Taken += time.Second
	next.Slots = make([]uint32, f.queue*tasks.SlotWords)
	for i := range f.queue {
		words := (&tasks.Task{State: tasks.Ready, Opcode: 9, TaskID: uint32(i + 1)}).Words()
		copy(next.Slots[i*tasks.SlotWords:], words[:])
	}
	f.snap = next
	return &next
}

func TestSpecialiser(t *testing.T) {
	for _, c := range []struct {
		name    string
		mode    Mode
		gain    float64
		queue   int
		windows int
		calls   string
		event   string
	}{
		{"at once, and it pays", JIT, 1.5, 1, 20, "[9]", "(1.50x)"},
		{"it does not pay", JIT, 0.5, 1, 20, "[9] []", "(0.50x); taken back"},
		{"short runs are left alone", Auto, 1.5, 5000, 8, "", ""},
		{"the policy wants it", Auto, 1.5, 5000, 20, "[9]", "(1.50x)"},
		{"the policy does not", Auto, 1.5, 1, 20, "", ""},
	} {
		control, err := megakernel.EncodeControl(1, 0)
		if err != nil {
			t.Fatal(err)
		}
		f := &fakeTarget{gain: c.gain, queue: c.queue, snap: megakernel.Snapshot{Control: control, Workers: 1}}
		var events []string
		z := &specializer{
			target: f, config: kernel.Config{Handlers: []kernel.Handler{{Opcode: 9}, {Opcode: 10}}},
			mode: c.mode, events: func(_, text string) { events = append(events, text) },
		}
		for range c.windows {
			z.window(t.Context(), f.Snapshot())
		}
		if got := strings.Join(f.calls, " "); got != c.calls {
			t.Errorf("%s: specialized %s, want %s", c.name, got, c.calls)
		}
		if got := strings.Join(events, "\n"); !strings.Contains(got, c.event) || (c.event == "") != (got == "") {
			t.Errorf("%s: events %q, want %q", c.name, got, c.event)
		}
	}
}
