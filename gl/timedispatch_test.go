//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"testing"
	"time"

	"vyretop/engine"
)

// countGroups adds one to a word for every workgroup that ran.
const countGroups = `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Count { uint groups; };
void main() {
	if (gl_LocalInvocationIndex == 0u) atomicAdd(groups, 1u);
}
`

func TestTimeDispatchesRunsEachOnce(t *testing.T) {
	be := testBackend(t)
	pl := compile(t, be, program("count", countGroups, 8, "Count"))
	grid := allocate(t, be, 3, engine.HostVisible)
	grid.Words().CopyFrom(0, []uint32{5, 1, 1})
	for name, tt := range map[string]struct {
		repeat Repeat
		want   uint32
	}{
		"direct":   {Repeat{Config: row(3)}, 3},
		"indirect": {Repeat{Config: engine.DispatchConfig{Indirect: engine.IndirectGrid{Buffer: grid}}}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			buf := allocate(t, be, 1, engine.HostVisible)
			r, prepared := tt.repeat, 0
			r.Pipeline, r.Bindings = pl, bindings(buf)
			r.Prepare = func(i int) { prepared += i }
			took := make([]time.Duration, 4)
			n, err := be.TimeDispatches(within(t), r, took)
			check(t, err)
			if got := buf.Words().Load(0); n != 4 || prepared != 0+1+2+3 || got != 4*tt.want {
				t.Errorf("%d times, prepared sum %d, %d workgroups; want 4, 6, %d", n, prepared, got, 4*tt.want)
			}
			for i, d := range took {
				if d <= 0 {
					t.Errorf("dispatch %d took %v", i, d)
				}
			}
		})
	}
}

func TestTimeDispatchesEndsWithItsContext(t *testing.T) {
	be := testBackend(t)
	pl := compile(t, be, program("count", countGroups, 8, "Count"))
	ctx, cancel := context.WithCancel(within(t))
	r := Repeat{Pipeline: pl, Bindings: bindings(allocate(t, be, 1, engine.HostVisible)), Config: row(1), Prepare: func(i int) {
		if i == 2 {
			cancel()
		}
	}}
	n, err := be.TimeDispatches(ctx, r, make([]time.Duration, 100))
	if n != 3 || err != nil {
		t.Errorf("%d dispatches, %v; want 3 and no error", n, err)
	}
}

func TestTimeDispatchesRefusesWhatItCannotRun(t *testing.T) {
	be := testBackend(t)
	pl := compile(t, be, program("count", countGroups, 8, "Count"))
	foreign := allocate(t, testBackend(t), 1, engine.HostVisible)
	bound := bindings(allocate(t, be, 1, engine.HostVisible))
	for name, r := range map[string]Repeat{
		"no pipeline":    {Config: row(1)},
		"no buffer":      {Pipeline: pl, Config: row(1)},
		"foreign buffer": {Pipeline: pl, Bindings: bindings(foreign), Config: row(1)},
		"a timeout":      {Pipeline: pl, Bindings: bound, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}, Timeout: time.Second}},
		"small indirect": {Pipeline: pl, Bindings: bound, Config: engine.DispatchConfig{Indirect: engine.IndirectGrid{Buffer: allocate(t, be, 2, engine.HostVisible)}}},
	} {
		if n, err := be.TimeDispatches(within(t), r, make([]time.Duration, 1)); n != 0 || !errors.Is(err, engine.ErrInvalidProgram) {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
}

// TestRepeatedDispatchesLeaveNothing: a flush after them has nothing to wait for.
func TestRepeatedDispatchesLeaveNothing(t *testing.T) {
	b := testBackend(t)
	pl := compile(t, b, squaresProgram())
	buf := allocate(t, b, 64, engine.HostVisible)
	took := make([]time.Duration, 3)
	_, err := b.TimeDispatches(within(t), Repeat{Pipeline: pl, Bindings: bindings(buf), Config: row(1)}, took)
	check(t, err)
	check(t, b.Flush(within(t)))
}
