package resident_test

import (
	"errors"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// boastful says that it has a higher loop limit than it has, so that slices run into the real one.
type boastful struct{ engine.Backend }

func (b boastful) Profile() engine.DeviceProfile {
	p := b.Backend.Profile()
	p.LoopIterationLimit = engine.Known(uint64(10_000_000))
	return p
}

// The kernel must count at least the loop iterations that the driver counts, or a driver that ends
// all loops after that many would cut a handler short without anybody knowing.
func TestIterationsAreCountedAsTheDriverDoes(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		limit, limited := b.Profile().LoopIterationLimit.Get()
		if !limited {
			t.Skip("this device does not limit loops")
		}
		for _, c := range []struct {
			name string
			op   uint32
		}{{"yields", opEndless}, {"loops and switches", opSwitches}, {"nested loops", opNested}, {"nothing", 0}} {
			counted := iterationsAtTheCut(t, b, c.op)
			t.Logf("%s: %d counted when the driver cut the slice, the limit is %d", c.name, counted, limit)
			if counted < uint32(limit) {
				t.Errorf("%s: cut short after %d counted iterations, the limit is %d", c.name, counted, limit)
			}
		}
	})
}

const loopy = `
void work(inout Task t) { t.output_handle++; task_yield(t, 0u, 0u); }
void switches(inout Task t) {
    for (uint i = 0u; i < (t.task_id & 7u); ++i) {
        switch ((i + t.yield_count) & 3u) {
        case 0u: t.output_handle++; break;
        case 1u: if (t.output_handle > 5u) { t.output_handle--; break; } t.output_handle += 2u; break;
        default: t.output_handle ^= i;
        }
    }
    task_yield(t, 0u, 0u);
}
void nested(inout Task t) {
    for (uint i = 0u; i < (t.task_id & 7u); ++i) {
        uint j = t.yield_count & 3u;
        while (j > 0u) { t.output_handle += j; --j; }
        do { t.output_handle ^= j; ++j; } while (j < (i & 3u));
    }
    task_yield(t, 0u, 0u);
}
`

func iterationsAtTheCut(t *testing.T, b engine.Backend, op uint32) uint32 {
	o := resident.Options{Workers: 1, Activation: 256, Log: resident.NoLog, Idle: 1 << 30}
	if op != 0 { // before the first slice: the driver may have cut it when tasks come later
		o.First = work(32, func(_ int, t *tasks.Task) { t.Opcode = op })
	}
	s, err := resident.Start(deadline(t), boastful{b}, shared(t, b), o)
	if err != nil {
		t.Fatal(err)
	}
	err = s.AwaitRest(deadline(t))
	if !errors.Is(err, resident.ErrCutShort) {
		t.Fatalf("the slice was not cut short: %v", err)
	}
	counted := s.Snapshot().WorkerTable[megakernel.WkIterations]
	_ = s.Close()
	return counted
}
