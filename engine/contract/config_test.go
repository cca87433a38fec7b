package contract

import (
	"errors"
	"strings"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/submit"
)

// TestConfigProfile runs under every profile that a backend names, with equal results, and refuses others.
func TestConfigProfile(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "triple", triple)
		names := b.Profile().DispatchProfiles
		if len(names) < 3 {
			t.Errorf("the backend knows %v: default, stress and one of its own are wanted", names)
		}
		for _, name := range append([]string{""}, names...) {
			out, _, err := r.Dispatch(within(t), []submit.Resource{submit.Host([]uint32{1, 2, 3}), submit.Zeros(3)}, engine.DispatchConfig{Profile: name})
			check(t, err)
			same(t, name, out[0], []uint32{4, 7, 10})
		}
		_, _, err := r.Dispatch(within(t), []submit.Resource{submit.Zeros(3), submit.Zeros(3)}, engine.DispatchConfig{Profile: "fast"})
		wants(t, "an unknown profile", err, engine.ErrInvalidProgram)
		for _, name := range names {
			if !strings.Contains(err.Error(), name) {
				t.Errorf("the error does not name %q: %v", name, err)
			}
		}
	})
}

// TestConfigTimeout stops a kernel that would run for long: the error says how far it got, and the
// buffer and the backend are usable.
func TestConfigTimeout(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		h := newHolder(t, b)
		warm := h.start(t, engine.DispatchConfig{Timeout: time.Hour})
		h.stop()
		_, err := warm.Wait(within(t))
		check(t, err)
		p := h.queue(t, engine.DispatchConfig{Timeout: 50 * time.Millisecond})
		_, err = p.Wait(within(t))
		wants(t, "timeout", err, engine.ErrTimeout)
		wants(t, "timeout", err, engine.ErrDispatchFailed)
		stop, ok := errors.AsType[*engine.StopError](err)
		if !ok || stop.Total != uint64(h.groups) || stop.Ended >= stop.Total {
			t.Errorf("progress %+v", stop)
		}
		check(t, h.buffer.Upload(within(t), 0, []uint32{1}))
		again, err := h.pipeline.Start(within(t), bind(h.buffer), row(1))
		check(t, err)
		_, err = again.Wait(within(t))
		check(t, err)
		_, err = h.pipeline.Start(within(t), bind(h.buffer), engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}, Timeout: -1})
		wants(t, "a negative timeout", err, engine.ErrInvalidProgram)
	})
}

// TestConfigLabel expects the label, or the program's name, in errors.
func TestConfigLabel(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "triple", triple)
		for label, want := range map[string]string{"": `dispatch "triple"`, "third pass": `dispatch "third pass"`} {
			_, err := p.Start(within(t), nil, engine.DispatchConfig{Label: label})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want it to name %s", err, want)
			}
		}
	})
}

// TestConfigMaxOutputBytes holds the limit against what the program may write, before it writes.
func TestConfigMaxOutputBytes(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "triple", triple)
		in, out := allocate(t, b, 1, 2), allocate(t, b, 0, 0)
		for limit, ok := range map[uint64]bool{0: false, 7: false, 8: true} {
			pending, err := p.Start(within(t), bind(in, out), engine.DispatchConfig{MaxOutputBytes: engine.Known(limit)})
			if !ok {
				wants(t, "too much output", err, engine.ErrDispatchFailed)
				same(t, "output of what was refused", contents(t, out), []uint32{0, 0})
				continue
			}
			check(t, err)
			_, err = pending.Wait(within(t))
			check(t, err)
			same(t, "output", contents(t, out), []uint32{4, 7})
			check(t, out.Upload(within(t), 0, []uint32{0, 0}))
		}
	})
}

// TestConfigWorkgroupOverride runs one program with several workgroup sizes, which it sees.
func TestConfigWorkgroupOverride(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "where", where)
		for _, size := range [][3]uint32{{16, 1, 1}, {8, 4, 2}, {8, 1, 1}, {16, 1, 1}} {
			buf := allocate(t, b, make([]uint32, wWords)...)
			pending, err := p.Start(within(t), bind(buf), engine.DispatchConfig{Grid: [3]uint32{3, 1, 1}, WorkgroupOverride: engine.Known(size)})
			check(t, err)
			_, err = pending.Wait(within(t))
			check(t, err)
			w := contents(t, buf)
			lanes := size[0] * size[1] * size[2]
			if w[wGroups] != 3 || w[wLanes] != 3*lanes || w[wLast] != 3*size[0]-1 || [3]uint32(w[wSize:wSize+3]) != size {
				t.Errorf("size %v: %v", size, w)
			}
		}
		if got := p.Program().WorkgroupSize; got != [3]uint32{8, 1, 1} {
			t.Errorf("the program has changed: %v", got)
		}
		buf := allocate(t, b, make([]uint32, wWords)...)
		for _, size := range [][3]uint32{{0, 1, 1}, {1 << 20, 1, 1}, {64, 64, 64}} {
			_, err := p.Start(within(t), bind(buf), engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}, WorkgroupOverride: engine.Known(size)})
			wants(t, "a size out of range", err, engine.ErrInvalidProgram)
		}
		fixed := compile(t, b, "fixed", "#define WG 8\nlayout(local_size_x = WG) in;\nlayout(std430, binding = 0) buffer B { uint n[WG]; };\nvoid main() { n[gl_LocalInvocationIndex % uint(WG)] = 1u; }\n")
		_, err := fixed.Start(within(t), bind(buf), engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}, WorkgroupOverride: engine.Known([3]uint32{16, 1, 1})})
		wants(t, "a program that depends on its size", err, engine.ErrInvalidProgram)
	})
}

// TestConfigGrid gives grids, derives one from the largest output, and refuses what is empty or too large.
func TestConfigGrid(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "where", where)
		buf := allocate(t, b, make([]uint32, wWords)...)
		pending, err := p.Start(within(t), bind(buf), engine.DispatchConfig{Grid: [3]uint32{2, 3, 4}})
		check(t, err)
		_, err = pending.Wait(within(t))
		check(t, err)
		if w := contents(t, buf); w[wGroups] != 24 || [3]uint32(w[wGrid:wGrid+3]) != [3]uint32{2, 3, 4} {
			t.Errorf("got %v", w)
		}
		most, known := b.Profile().MaxWorkgroups.Get()
		if !known {
			t.Fatal("the largest grid is not known")
		}
		for _, grid := range [][3]uint32{{1, 0, 1}, {0, 1, 1}, {1, most[1] + 1, 1}} {
			_, err := p.Start(within(t), bind(buf), engine.DispatchConfig{Grid: grid})
			wants(t, "a grid out of range", err, engine.ErrInvalidProgram)
		}
		r := runner(t, b, "triple", triple)
		out, _, err := r.Dispatch(within(t), []submit.Resource{submit.Host(make([]uint32, 100)), submit.Zeros(99)}, engine.DispatchConfig{})
		check(t, err)
		for i, v := range out[0] {
			if v != 1 {
				t.Fatalf("no invocation for element %d of 99", i)
			}
		}
		reads := compile(t, b, "reads", "layout(local_size_x = 8) in;\nlayout(std430, binding = 0) readonly buffer In { uint a[]; };\nvoid main() { uint x = a[0]; }\n")
		_, err = reads.Start(within(t), bind(allocate(t, b, 1)), engine.DispatchConfig{})
		wants(t, "nothing to derive the grid from", err, engine.ErrInvalidProgram)
	})
}

// TestConfigFixpointIterations runs a program several times on its own output.
func TestConfigFixpointIterations(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "step", step)
		for _, n := range []uint32{1, 2, 7} {
			out, _, err := r.Dispatch(within(t), []submit.Resource{submit.Host([]uint32{0, 10})}, engine.DispatchConfig{FixpointIterations: engine.Known(n)})
			check(t, err)
			want := []uint32{0, 10}
			for range n {
				want[0], want[1] = 5*want[0]+1, 5*want[1]+1
			}
			same(t, "output", out[0], want)
		}
		_, _, err := r.Dispatch(within(t), []submit.Resource{submit.Zeros(2)}, engine.DispatchConfig{FixpointIterations: engine.Known[uint32](0)})
		wants(t, "0 iterations", err, engine.ErrInvalidProgram)
	})
}
