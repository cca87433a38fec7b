//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"vyretop/engine"
)

// TestDispatchComputes runs a kernel over memory of both classes and checks every word.
func TestDispatchComputes(t *testing.T) {
	b := testBackend(t)
	pl := compile(t, b, squaresProgram())
	for _, class := range []engine.Placement{engine.HostVisible, engine.DeviceLocal} {
		t.Run(class.String(), func(t *testing.T) {
			const n = 10_000
			buf := allocate(t, b, n, class)
			for range 2 {
				wait(t, start(t, pl, (n+63)/64, buf))
			}
			for i, v := range read(t, buf) {
				if want := 2 * uint32(i) * uint32(i); v != want {
					t.Fatalf("word %d is %d, want %d", i, v, want)
				}
			}
		})
	}
}

// TestQueuedDispatchesRunInOrder starts many dispatches that depend on each other without waiting
// in between, and expects the end of each to be told.
func TestQueuedDispatchesRunInOrder(t *testing.T) {
	b := testBackend(t)
	pl := compile(t, b, program("chain", `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v; };
void main() { v = v * 3u + 1u; }
`, 1, "Data"))
	buf := allocate(t, b, 1, engine.DeviceLocal)
	var pendings []engine.Pending
	want := uint32(0)
	for range 20 {
		pendings = append(pendings, start(t, pl, 1, buf))
		want = want*3 + 1
	}
	for _, p := range pendings {
		wait(t, p)
	}
	if got := read(t, buf)[0]; got != want {
		t.Fatalf("after 20 dispatches the word is %d, want %d", got, want)
	}
}

// TestTimingIsComplete expects the parts of the timing to fit into the whole.
func TestTimingIsComplete(t *testing.T) {
	b := testBackend(t)
	pl := compile(t, b, squaresProgram())
	buf := allocate(t, b, 64, engine.HostVisible)
	wait(t, start(t, pl, 1, buf))
	timing := wait(t, start(t, pl, 1, buf))
	wall, known := timing.Wall.Get()
	if !known || wall <= 0 {
		t.Fatalf("wall time is %v", timing.Wall)
	}
	enqueue, known := timing.Enqueue.Get()
	if !known || enqueue > wall {
		t.Errorf("enqueue %v of wall %v", timing.Enqueue, wall)
	}
	if w, known := timing.Wait.Get(); !known || enqueue+w > wall {
		t.Errorf("enqueue %v and wait %v of wall %v", enqueue, timing.Wait, wall)
	}
	if d, known := timing.Device.Get(); known && (d < leastDeviceTime || d > wall) {
		t.Errorf("device time %v of wall %v", d, wall)
	}
}

// TestHostTalksToARunningKernel watches a kernel run, changes a word, and sees it end by that word.
func TestHostTalksToARunningKernel(t *testing.T) {
	h := newHolder(t, testBackend(t))
	p := h.start(t, engine.DispatchConfig{})
	select {
	case <-p.Done():
		t.Fatal("the kernel ended before it was told to")
	default:
	}
	h.stop()
	wait(t, p)
	if h.buffer.Words().Load(3) == 0 {
		t.Error("no workgroup saw the stop")
	}
}

// TestNextSliceQueuesBehindAResidentOne expects Start to return while the device is busy.
func TestNextSliceQueuesBehindAResidentOne(t *testing.T) {
	b := testBackend(t)
	h := newHolder(t, b)
	pl := compile(t, b, squaresProgram())
	buf := allocate(t, b, 64, engine.HostVisible)
	first := h.start(t, engine.DispatchConfig{})
	second := start(t, pl, 1, buf)
	select {
	case <-second.Done():
		t.Fatal("the second dispatch ended before the first")
	default:
	}
	h.stop()
	wait(t, first)
	wait(t, second)
	if got := buf.Words().Load(5); got != 25 {
		t.Errorf("word 5 is %d, want 25", got)
	}
}

// TestTimeoutStopsTheKernel expects a late kernel to be told to stop, and the error to say how far it
// got and which dispatch it was.
func TestTimeoutStopsTheKernel(t *testing.T) {
	h := newHolder(t, testBackend(t))
	warm := h.start(t, engine.DispatchConfig{Timeout: time.Minute}) // compiles what looks at the stop word
	h.stop()
	wait(t, warm)
	p := h.queue(t, engine.DispatchConfig{Timeout: 50 * time.Millisecond, Label: "slow"})
	_, err := p.Wait(within(t))
	stop, ok := errors.AsType[*engine.StopError](err)
	if !ok || !errors.Is(err, engine.ErrTimeout) || !errors.Is(err, engine.ErrDispatchFailed) || !strings.Contains(err.Error(), `"slow"`) {
		t.Fatalf("got %v, want a timeout that names the label", err)
	}
	if stop.Total != uint64(h.groups) || stop.Ended >= stop.Total {
		t.Errorf("progress %+v", stop)
	}
	h.stop()
	check(t, h.buffer.Upload(within(t), 0, []uint32{1}))
}

// TestTimeoutEndsWhatIsQueued expects a dispatch behind a resident one to end in time, without having run.
func TestTimeoutEndsWhatIsQueued(t *testing.T) {
	b := testBackend(t)
	h := newHolder(t, b)
	pl := compile(t, b, squaresProgram())
	buf := allocate(t, b, 64, engine.HostVisible)
	cfg := row(1)
	cfg.Timeout = time.Minute
	warm, err := pl.Start(within(t), bindings(buf), cfg) // compiles what looks at the stop word
	check(t, err)
	wait(t, warm)
	first := h.start(t, engine.DispatchConfig{})
	cfg.Timeout = time.Millisecond
	second, err := pl.Start(within(t), bindings(buf), cfg)
	check(t, err)
	if _, err := second.Wait(within(t)); !errors.Is(err, engine.ErrTimeout) {
		t.Errorf("got %v", err)
	}
	select {
	case <-first.Done():
		t.Error("the first dispatch has ended")
	default:
	}
	h.stop()
	wait(t, first)
	if got := buf.Words().Load(5); got != 25 {
		t.Errorf("word 5 is %d, want 25 of the first dispatch", got)
	}
}

// TestWaitEndsWithItsContext expects a wait to end with its context while the kernel keeps running.
func TestWaitEndsWithItsContext(t *testing.T) {
	b := testBackend(t)
	h := newHolder(t, b)
	p := h.start(t, engine.DispatchConfig{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Wait(ctx); !errors.Is(err, context.Canceled) || !errors.Is(err, engine.ErrDispatchFailed) {
		t.Errorf("Wait: %v", err)
	}
	if err := b.Flush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Flush: %v", err)
	}
	h.stop()
	check(t, b.Flush(within(t)))
	select {
	case <-p.Done():
	default:
		t.Error("Flush returned before the dispatch had ended")
	}
}

// TestLostDeviceFailsEverything simulates a reset: what runs and what follows fails with the same kind.
func TestLostDeviceFailsEverything(t *testing.T) {
	b := testBackend(t)
	pl := compile(t, b, squaresProgram())
	buf := allocate(t, b, 64, engine.DeviceLocal)
	check(t, b.do(t.Context(), "lose the device", func(s *glState) error {
		s.lose("the test says so")
		return nil
	}))
	p, err := pl.Start(t.Context(), bindings(buf), row(1))
	if err == nil {
		_, err = p.Wait(t.Context())
	}
	_, allocErr := b.Allocate(t.Context(), "late", 1, engine.HostVisible)
	_, compileErr := b.Compile(t.Context(), squaresProgram())
	for name, err := range map[string]error{"dispatch": err, "allocate": allocErr, "compile": compileErr,
		"upload": buf.Upload(t.Context(), 0, make([]uint32, 64))} {
		if !errors.Is(err, engine.ErrDeviceLost) {
			t.Errorf("%s: got %v, want device lost", name, err)
		}
	}
}

// TestLongFlightsAreNappedFor waits for a fence as for a resident kernel: by naps, and to its end.
func TestLongFlightsAreNappedFor(t *testing.T) {
	b := testBackend(t)
	landed := make(chan error, 1)
	check(t, b.do(t.Context(), "fly", func(s *glState) error {
		if err := s.launch(&flight{settle: func(err error) { landed <- err }}); err != nil {
			return err
		}
		s.flights[0].handed = time.Now().Add(-2 * spinWindow)
		begin := time.Now()
		s.Linger()
		if nap := time.Since(begin); nap < napStep {
			t.Errorf("napped for %v", nap)
		}
		return nil
	}))
	check(t, <-landed)
}

// TestLabelNamesTheDebugGroup looks for a dispatch's label among what the driver reports, also in a context that is not
// made for debugging: vyretop makes no other, and debuggers see the groups of all.
func TestLabelNamesTheDebugGroup(t *testing.T) {
	for _, debug := range []bool{true, false} {
		t.Run(fmt.Sprint("debug ", debug), func(t *testing.T) { labelNamesTheDebugGroup(t, debug) })
	}
}

func labelNamesTheDebugGroup(t *testing.T, debug bool) {
	b := openFor(t, Options{Device: testDevice(t), SkipProbes: true, Debug: debug})
	check(t, b.do(t.Context(), "listen", func(s *glState) error {
		s.api.EnableDebug()
		return nil
	}))
	pl := compile(t, b, squaresProgram())
	cfg := row(1)
	cfg.Label = "third pass"
	p, err := pl.Start(within(t), bindings(allocate(t, b, 64, engine.HostVisible)), cfg)
	check(t, err)
	wait(t, p)
	check(t, b.do(t.Context(), "collect", func(s *glState) error {
		s.debug = true
		s.collect()
		s.debug = debug
		return nil
	}))
	kept, _ := b.Messages()
	for _, m := range kept {
		if strings.Contains(m.Text, cfg.Label) {
			return
		}
	}
	t.Errorf("no debug group named %q among %d messages", cfg.Label, len(kept))
}

// TestUnprobedDevicePromisesNothing: what only probes tell is absent without them, and refused when it is forced.
func TestUnprobedDevicePromisesNothing(t *testing.T) {
	b := testBackend(t)
	if c := b.Profile().Capabilities; c != (engine.Capabilities{}) {
		t.Errorf("capabilities without probes: %+v", c)
	}
	pl := compile(t, b, squaresProgram())
	buf := allocate(t, b, 64, engine.HostVisible)
	for name, cfg := range map[string]engine.DispatchConfig{
		"persistent threads": {PersistentThread: engine.PersistentForce},
		"cooperative":        {Cooperative: true},
	} {
		if _, err := pl.Start(within(t), bindings(buf), cfg); !errors.Is(err, engine.ErrUnsupportedFeature) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWorkersRunTheGrid forces persistent threads on any device: the grid is small enough for one that
// ends loops.
func TestWorkersRunTheGrid(t *testing.T) {
	b := testBackend(t)
	b.limits.PersistentThread = true
	b.profile.ConcurrentWorkgroups = engine.Known(uint32(3))
	p, err := engine.CompileText("where", `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer W { uint at[]; };
uint calls = 1u;
shared uint seen[8];
void main() {
	seen[gl_LocalInvocationIndex]++;
	barrier();
	uint n = (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
	at[n * 8u + gl_LocalInvocationIndex] += 100u * seen[7u - gl_LocalInvocationIndex] + 10u * calls++ + gl_GlobalInvocationID.x;
}
`)
	check(t, err)
	pl := compile(t, b, p)
	const groups = 5 * 2 * 2
	for _, timeout := range []time.Duration{0, time.Minute} {
		buf := allocate(t, b, 8*groups, engine.HostVisible)
		pending, err := pl.Start(within(t), bindings(buf), engine.DispatchConfig{Grid: [3]uint32{5, 2, 2}, PersistentThread: engine.PersistentForce,
			FixpointIterations: engine.Known[uint32](2), Timeout: timeout})
		check(t, err)
		wait(t, pending)
		for i, got := range read(t, buf) {
			if want := uint32(2 * (100 + 10 + i/8%5*8 + i%8)); got != want {
				t.Fatalf("word %d is %d, want %d", i, got, want)
			}
		}
	}
}

// TestReadsBehindLoops: invocations leave a loop in rounds of their own, and read again what they read in
// it. llvmpipe (Mesa 22.3) gives 0 to all but the last.
func TestReadsBehindLoops(t *testing.T) {
	b := testBackend(t)
	p, err := engine.CompileText("roots", `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { uint number[]; };
layout(std430, binding = 1) buffer Out { uint root[]; };
bool isSquare(uint i, out uint v) { v = 0u; while (v * v < number[i]) v++; return v * v == number[i]; }
void main() {
	uint i = gl_GlobalInvocationID.x, n = 0u, v = 0u;
	if (isSquare(i, v)) root[i] = v;
	do { n = number[i]; v++; } while (v < n);
	root[i] += n;
}
`)
	check(t, err)
	pl := compile(t, b, p)
	in, out := allocate(t, b, 16, engine.HostVisible), allocate(t, b, 16, engine.HostVisible)
	for i := range in.Words() {
		in.Words().Store(i, uint32(i*i))
	}
	wait(t, start(t, pl, 2, in, out))
	for i, got := range read(t, out) {
		if want := uint32(i + i*i); got != want {
			t.Fatalf("word %d is %d, want %d", i, got, want)
		}
	}
}

// TestLoopsThatTheDeviceEndsAreErrors: a loop runs to its end, or the dispatch fails and says where; so does an endless
// one, which nothing else ends.
func TestLoopsThatTheDeviceEndsAreErrors(t *testing.T) {
	b := testBackend(t)
	check(t, b.probeLoops(within(t)))
	limit, limited := b.profile.LoopIterationLimit.Get()
	p, err := engine.CompileText("long", `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { uint rounds[]; };
void main() {
	uint i = gl_GlobalInvocationID.x, n = rounds[i], k = 0u;
	while (k != n) k++;
	rounds[i] = k;
}
`)
	check(t, err)
	pl := compile(t, b, p)
	for _, c := range []struct{ rounds, at uint32 }{{60_000, 0}, {100_000, 11}, {math.MaxUint32, 17}} {
		if !limited && c.rounds == math.MaxUint32 {
			continue // it would take its time
		}
		buf := allocate(t, b, 24, engine.HostVisible)
		buf.Words().Store(int(c.at), c.rounds)
		pending := start(t, pl, 3, buf)
		_, err := pending.Wait(within(t))
		e, failed := errors.AsType[*engine.LoopLimitError](err)
		if want := limited && uint64(c.rounds) > limit; failed != want {
			t.Fatalf("%d rounds: %v", c.rounds, err)
		}
		if !failed {
			if got := read(t, buf)[c.at]; got != c.rounds {
				t.Errorf("%d rounds of %d", got, c.rounds)
			}
			continue
		}
		if n, known := e.Invocation.Get(); !known || uint32(n)/8 != c.at/8 || e.Workgroup != [3]uint32{c.at / 8} || e.Pos.Line != 6 {
			t.Errorf("%d rounds: %v", c.rounds, e)
		}
		if !errors.Is(err, engine.ErrLoopLimit) || !errors.Is(err, engine.ErrDispatchFailed) {
			t.Errorf("of no known kind: %v", err)
		}
	}
}
