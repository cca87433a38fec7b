package contract

import (
	"testing"

	"vyretop/engine"
	"vyretop/engine/submit"
)

var placements = []engine.Placement{engine.HostVisible, engine.DeviceLocal}

// TestResident allocates, uploads, dispatches with a timing, downloads and frees.
func TestResident(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "step", step)
		for _, class := range placements {
			buf, err := b.Allocate(within(t), "x", 3, class)
			check(t, err)
			same(t, "a new buffer", contents(t, buf), []uint32{0, 0, 0})
			check(t, buf.Upload(within(t), 0, []uint32{1, 2, 3}))
			pending, err := p.Start(within(t), bind(buf), engine.DispatchConfig{})
			check(t, err)
			timing, err := pending.Wait(within(t))
			check(t, err)
			if timing.Wall.Or(0) <= 0 {
				t.Error("no wall time")
			}
			same(t, class.String(), contents(t, buf), []uint32{6, 11, 16})
			check(t, buf.Free())
		}
	})
}

// TestResidentLengths refuses copies that do not fit, and copies nothing of them.
func TestResidentLengths(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		for _, class := range placements {
			buf, err := b.Allocate(within(t), "x", 4, class)
			check(t, err)
			check(t, buf.Upload(within(t), 0, []uint32{1, 2, 3, 4}))
			for _, c := range [][2]int{{0, 5}, {-1, 1}, {4, 1}, {3, 2}} {
				wants(t, "upload", buf.Upload(within(t), c[0], make([]uint32, c[1])), engine.ErrInvalidProgram)
				wants(t, "download", buf.Download(within(t), c[0], make([]uint32, c[1])), engine.ErrInvalidProgram)
			}
			wants(t, "fill with too few", submit.Fill(within(t), buf, make([]uint32, 3)), engine.ErrInvalidProgram)
			same(t, "after refused copies", contents(t, buf), []uint32{1, 2, 3, 4})
			check(t, submit.Fill(within(t), buf, []uint32{5, 6, 7, 8}))
			same(t, "filled", contents(t, buf), []uint32{5, 6, 7, 8})
		}
		for _, n := range []int{0, -1} {
			_, err := b.Allocate(within(t), "none", n, engine.HostVisible)
			wants(t, "no words", err, engine.ErrInvalidProgram)
		}
		_, err := b.Allocate(within(t), "vast", 1<<60, engine.HostVisible)
		wants(t, "more memory than there is", err, engine.ErrDeviceOutOfMemory)
	})
}

// TestResidentFree refuses to free what is freed or in use, and to use what is freed or foreign.
func TestResidentFree(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "step", step)
		buf := allocate(t, b, 1)
		check(t, buf.Free())
		wants(t, "free again", buf.Free(), engine.ErrInvalidProgram)
		wants(t, "upload", buf.Upload(within(t), 0, []uint32{1}), engine.ErrInvalidProgram)
		wants(t, "download", buf.Download(within(t), 0, []uint32{1}), engine.ErrInvalidProgram)
		_, err := p.Start(within(t), bind(buf), row(1))
		wants(t, "dispatch", err, engine.ErrInvalidProgram)
		for _, open := range backends {
			other := use(t, open)
			foreign := allocate(t, other, 1)
			_, err := p.Start(within(t), bind(foreign), row(1))
			wants(t, "a foreign buffer", err, engine.ErrInvalidProgram)
			_, err = p.Start(within(t), bind(allocate(t, b, 1)), engine.DispatchConfig{Indirect: engine.IndirectGrid{Buffer: allocate(t, other, 1, 1, 1)}})
			wants(t, "a foreign indirect grid", err, engine.ErrInvalidProgram)
		}
		h := newHolder(t, b)
		busy := h.start(t, engine.DispatchConfig{})
		wants(t, "free in use", h.buffer.Free(), engine.ErrInvalidProgram)
		h.stop()
		_, err = busy.Wait(within(t))
		check(t, err)
		check(t, h.buffer.Free())
	})
}

// TestIndirect takes the grid from memory that an earlier dispatch has written.
func TestIndirect(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		decide := compile(t, b, "decide", "layout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer G { uint g[]; };\nvoid main() { g[1] = 3u; g[2] = 1u; g[3] = 2u; }\n")
		count := compile(t, b, "where", where)
		for _, class := range placements {
			grid, err := b.Allocate(within(t), "grid", 4, class)
			check(t, err)
			buf := allocate(t, b, make([]uint32, wWords)...)
			first, err := decide.Start(within(t), bind(grid), row(1))
			check(t, err)
			second, err := count.Start(within(t), bind(buf), engine.DispatchConfig{Indirect: engine.IndirectGrid{Buffer: grid, Offset: 1}})
			check(t, err)
			for _, p := range []engine.Pending{first, second} {
				_, err := p.Wait(within(t))
				check(t, err)
			}
			if w := contents(t, buf); w[wGroups] != 6 || [3]uint32(w[wGrid:wGrid+3]) != [3]uint32{3, 1, 2} {
				t.Errorf("%v: got %v", class, w)
			}
			check(t, grid.Upload(within(t), 1, []uint32{0, 1, 1}))
			none, err := count.Start(within(t), bind(buf), engine.DispatchConfig{Indirect: engine.IndirectGrid{Buffer: grid, Offset: 1}})
			check(t, err)
			_, err = none.Wait(within(t))
			check(t, err)
			if w := contents(t, buf); w[wGroups] != 6 {
				t.Errorf("an empty grid ran: %v", w)
			}
			for _, bad := range []engine.DispatchConfig{
				{Indirect: engine.IndirectGrid{Buffer: grid, Offset: 2}},
				{Indirect: engine.IndirectGrid{Buffer: grid, Offset: -1}},
				{Indirect: engine.IndirectGrid{Buffer: grid}, Grid: [3]uint32{1, 1, 1}},
			} {
				_, err := count.Start(within(t), bind(buf), bad)
				wants(t, "a bad indirect grid", err, engine.ErrInvalidProgram)
			}
		}
	})
}
