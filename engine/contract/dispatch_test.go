package contract

import (
	"errors"
	"slices"
	"testing"

	"vyretop/engine"
	"vyretop/engine/submit"
)

// TestDispatchOwned gives the inputs away and gets the outputs in their memory.
func TestDispatchOwned(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "step", step)
		in := []uint32{1, 2, 3}
		out, _, err := r.DispatchOwned(within(t), [][]uint32{in}, engine.DispatchConfig{})
		check(t, err)
		same(t, "output", out[0], []uint32{6, 11, 16})
		if &out[0][0] != &in[0] {
			t.Error("the output has memory of its own")
		}
	})
}

// TestDispatchBorrowed leaves the inputs as they were, and does not look at them once Start has returned.
func TestDispatchBorrowed(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "step", step)
		in := []uint32{1, 2, 3}
		out, _, err := r.Dispatch(within(t), []submit.Resource{submit.Host(in)}, engine.DispatchConfig{})
		check(t, err)
		same(t, "output", out[0], []uint32{6, 11, 16})
		same(t, "input", in, []uint32{1, 2, 3})
		h := newHolder(t, b)
		busy := h.start(t, engine.DispatchConfig{})
		s, err := r.Start(within(t), []submit.Resource{submit.Host(in)}, engine.DispatchConfig{})
		check(t, err)
		clear(in)
		h.stop()
		_, err = busy.Wait(within(t))
		check(t, err)
		_, err = s.Collect(within(t), out)
		check(t, err)
		same(t, "output of inputs that have changed since", out[0], []uint32{6, 11, 16})
	})
}

// TestDispatchInto fills the caller's slots, and allocates nothing from the second time on, but for what
// the interpreter needs.
func TestDispatchInto(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "triple", triple)
		ctx := within(t)
		in, out := []submit.Resource{submit.Host([]uint32{1, 2, 3}), submit.Zeros(3)}, [][]uint32{make([]uint32, 3, 8)}
		slot := &out[0][0]
		run := func() {
			_, err := r.DispatchInto(ctx, in, out, engine.DispatchConfig{})
			check(t, err)
		}
		run()
		same(t, "output", out[0], []uint32{4, 7, 10})
		if &out[0][0] != slot {
			t.Error("the slot was not used")
		}
		if b.Identity().Name == "gl" {
			if n := testing.AllocsPerRun(50, run); n != 0 {
				t.Errorf("%v allocations for a dispatch", n)
			}
		}
		wants(t, "a missing slot", errOf(r.DispatchInto(ctx, in, make([][]uint32, 2), engine.DispatchConfig{})), engine.ErrInvalidProgram)
		run()
	})
}

func errOf(_ engine.Timing, err error) error { return err }

// TestDispatchTimed expects the parts of the timing to fit into the whole.
func TestDispatchTimed(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "triple", triple)
		_, timing, err := r.Dispatch(within(t), []submit.Resource{submit.Zeros(64), submit.Zeros(64)}, engine.DispatchConfig{})
		check(t, err)
		wall, known := timing.Wall.Get()
		if !known || wall <= 0 {
			t.Fatalf("wall time %v", timing.Wall)
		}
		for name, d := range map[string]int64{"device": int64(timing.Device.Or(1)), "enqueue": int64(timing.Enqueue.Or(1)), "wait": int64(timing.Wait.Or(1))} {
			if d <= 0 || d > int64(wall) {
				t.Errorf("%s time %d of %d", name, d, wall)
			}
		}
	})
}

// TestAsync starts many dispatches while a resident kernel runs: each Start returns at once, and all end
// when the device is free.
func TestAsync(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "step", step)
		_, _, err := r.Dispatch(within(t), []submit.Resource{submit.Zeros(4)}, engine.DispatchConfig{})
		check(t, err)
		const n = 16
		warmed := make([][]submit.Resource, n)
		h := newHolder(t, b)
		resident := make([]engine.Buffer, n)
		for i := range resident { // before the kernel: memory wants the device on some backends
			resident[i] = allocate(t, b, uint32(i), uint32(2*i))
			warmed[i] = []submit.Resource{submit.Resident(resident[i])}
		}
		busy := h.start(t, engine.DispatchConfig{})
		var under []*submit.Submission
		for i := range n {
			s, err := r.Start(within(t), warmed[i], engine.DispatchConfig{})
			check(t, err)
			under = append(under, s)
		}
		if slices.ContainsFunc(under, (*submit.Submission).Ready) {
			t.Error("a dispatch ended before the one that it waits for")
		}
		h.stop()
		_, err = busy.Wait(within(t))
		check(t, err)
		for i, s := range under {
			check(t, s.Wait(within(t)))
			if !s.Ready() {
				t.Error("not ready after its end")
			}
			_, err := s.Collect(within(t), nil)
			check(t, err)
			same(t, "output", contents(t, resident[i]), []uint32{5*uint32(i) + 1, 10*uint32(i) + 1})
		}
	})
}

// TestOnce compiles, runs and leaves nothing.
func TestOnce(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		out, _, err := submit.Once(within(t), b, program(t, "step", step), []submit.Resource{submit.Host([]uint32{7})}, engine.DispatchConfig{})
		check(t, err)
		same(t, "output", out[0], []uint32{36})
	})
}

// TestResourceSizes covers resources that fit no program.
func TestResourceSizes(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "triple", triple)
		for name, in := range map[string][]submit.Resource{
			"none":    nil,
			"too few": {submit.Zeros(1)},
			"empty":   {submit.Zeros(1), submit.Host(nil)},
			"nothing": {submit.Zeros(1), {}},
		} {
			_, _, err := r.Dispatch(within(t), in, engine.DispatchConfig{})
			wants(t, name, err, engine.ErrInvalidProgram)
		}
	})
	if _, err := submit.Words(make([]byte, 6)); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("bytes that are no words: %v", err)
	}
	words, err := submit.Words(submit.Bytes([]uint32{1, 0x80000000}))
	check(t, err)
	same(t, "words of bytes of words", words, []uint32{1, 0x80000000})
}
