package reference

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"vyretop/engine"
)

// handshake makes each workgroup wait for the one before it, which starts later or earlier.
const handshake = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) coherent buffer B { uint turn; uint order[]; };
void main() {
  uint me = gl_NumWorkGroups.x - 1u - gl_WorkGroupID.x;
  if (gl_LocalInvocationIndex == 0u) {
    while (atomicAdd(turn, 0u) != me) { }
    order[me] = gl_WorkGroupID.x + 1u;
    atomicAdd(turn, 1u);
  }
}
`

// A workgroup that spins on another one's flag must not keep that one from running.
func TestSpinningWorkgroupsDoNotStarveOthers(t *testing.T) {
	for _, parallel := range []int{0, 1, 3} {
		t.Run(fmt.Sprint("parallel ", parallel), func(t *testing.T) {
			b := openBackend(t, Options{TimeSlice: 16, Parallel: parallel})
			p := compileText(t, b, "handshake.comp", handshake)
			out, _, err := dispatch(t, p, engine.DispatchConfig{Grid: [3]uint32{20, 1, 1}}, make([]uint32, 21))
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range out[0][1:] {
				if got != uint32(20-i) {
					t.Errorf("order[%d] = %d, want %d", i, got, 20-i)
				}
			}
		})
	}
}

// ticket notes the order in which workgroups draw tickets, and a sum that no order changes.
const ticket = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer B { uint next, sum, order[]; };
void main() {
  for (uint k = 0u; k < 50u; k++) {
    if (gl_LocalInvocationIndex == 0u) {
      uint at = atomicAdd(next, 1u);
      order[at % uint(order.length())] = order[at % uint(order.length())] * 31u + gl_WorkGroupID.x;
    }
    atomicAdd(sum, gl_GlobalInvocationID.x * k);
  }
}
`

type interleaving struct {
	trace Trace
	words []uint32
}

func runTicket(t *testing.T, o Options) interleaving {
	t.Helper()
	b := openBackend(t, o)
	p := compileText(t, b, "ticket.comp", ticket)
	out, d, err := dispatch(t, p, engine.DispatchConfig{Grid: [3]uint32{9, 1, 1}}, make([]uint32, 40))
	if err != nil {
		t.Fatal(err)
	}
	return interleaving{d.Trace(), out[0]}
}

func TestEqualSeedsInterleaveEqually(t *testing.T) {
	o := Options{Seed: 7, TimeSlice: 20, Resident: 5}
	first, again := runTicket(t, o), runTicket(t, o)
	if first.trace != again.trace || !slices.Equal(first.words, again.words) {
		t.Errorf("the same seed gave %v and %v", first.trace, again.trace)
	}
}

func TestSeedsChangeTheOrderAndNotTheSum(t *testing.T) {
	first := runTicket(t, Options{Seed: 1, TimeSlice: 20})
	for seed := uint64(2); seed < 6; seed++ {
		other := runTicket(t, Options{Seed: seed, TimeSlice: 20})
		if other.trace == first.trace || slices.Equal(other.words[2:], first.words[2:]) {
			t.Errorf("seed %d gave the interleaving of seed 1", seed)
		}
		if !slices.Equal(other.words[:2], first.words[:2]) {
			t.Errorf("seed %d: tickets and sum %v, want %v", seed, other.words[:2], first.words[:2])
		}
	}
}

func TestParallelModeKeepsAtomicsExact(t *testing.T) {
	want := runTicket(t, Options{})
	for range 3 {
		got := runTicket(t, Options{Parallel: 4, TimeSlice: 7, Resident: 6})
		if !slices.Equal(got.words[:2], want.words[:2]) {
			t.Fatalf("tickets and sum %v, want %v", got.words[:2], want.words[:2])
		}
	}
}

// echo answers each word the host writes until the host writes the last one.
const echo = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) coherent volatile buffer B { uint request, answer; };
void main() {
  if (gl_LocalInvocationIndex != 0u) return;
  uint seen = 0u;
  while (seen != 0xFFFFu) {
    uint r = request;
    if (r != seen) { seen = r; answer = r; }
  }
}
`

// The host and a running kernel see each other's stores.
func TestHostTalksToARunningKernel(t *testing.T) {
	for _, parallel := range []int{0, 2} {
		b := openBackend(t, Options{Parallel: parallel})
		ctx := testContext(t)
		p := compileText(t, b, "echo.comp", echo)
		buf, err := b.Allocate(ctx, "mailbox", 2, engine.HostVisible)
		if err != nil {
			t.Fatal(err)
		}
		pending, err := p.Start(ctx, []engine.Binding{{Index: 0, Buffer: buf}}, engine.DispatchConfig{Grid: [3]uint32{2, 1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		for request := uint32(1); request < 200; request++ {
			exchange(t, buf, request, pending)
		}
		exchange(t, buf, 0xFFFF, pending)
		if _, err := pending.Wait(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

func exchange(t *testing.T, buf engine.Buffer, request uint32, pending engine.Pending) {
	t.Helper()
	w := buf.Words()
	w.Store(0, request)
	for w.Load(1) != request {
		select {
		case <-pending.Done():
			if w.Load(1) != request {
				t.Fatal("the kernel ended early")
			}
		default:
			runtime.Gosched()
		}
	}
}

// forever never ends by itself.
const forever = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) coherent buffer B { uint count; };
void main() { while (true) { atomicAdd(count, 1u); } }
`

func startForever(t *testing.T, b *Backend, cfg engine.DispatchConfig) (*Dispatch, engine.Buffer) {
	t.Helper()
	ctx := testContext(t)
	buf, err := b.Allocate(ctx, "count", 1, engine.HostVisible)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Grid = [3]uint32{3, 1, 1}
	pending, err := compileText(t, b, "forever.comp", forever).Start(ctx, []engine.Binding{{Index: 0, Buffer: buf}}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return pending.(*Dispatch), buf
}

func checkStopped(t *testing.T, d *Dispatch, buf engine.Buffer, reason error) {
	t.Helper()
	_, err := d.Wait(testContext(t))
	var stop *engine.StopError
	if !errors.Is(err, engine.ErrDispatchFailed) || !errors.Is(err, reason) || !errors.As(err, &stop) {
		t.Fatalf("error %v, want %v", err, reason)
	}
	if stop.Total != 3 || stop.Ended != 0 || stop.Instructions.Or(0) == 0 {
		t.Errorf("progress %+v", stop)
	}
	words := make([]uint32, 1)
	if err := buf.Download(testContext(t), 0, words); err != nil || words[0] == 0 {
		t.Errorf("the buffer holds %v after the stop, error %v", words, err)
	}
	if err := buf.Free(); err != nil {
		t.Error(err)
	}
}

func TestCancelStopsADispatchAndKeepsItsBuffers(t *testing.T) {
	for _, parallel := range []int{0, 2} {
		d, buf := startForever(t, openBackend(t, Options{Parallel: parallel}), engine.DispatchConfig{})
		for buf.Words().Load(0) == 0 {
			select {
			case <-d.Done():
				t.Fatal("ended early")
			default:
			}
		}
		if err := buf.Free(); !errors.Is(err, engine.ErrInvalidProgram) {
			t.Errorf("freeing a buffer in use: %v", err)
		}
		d.Cancel()
		checkStopped(t, d, buf, engine.ErrCanceled)
	}
}

func TestTimeoutStopsADispatch(t *testing.T) {
	d, buf := startForever(t, openBackend(t, Options{}), engine.DispatchConfig{Timeout: 20 * time.Millisecond})
	checkStopped(t, d, buf, engine.ErrTimeout)
}
