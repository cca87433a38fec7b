//go:build cgo && egl

package gl

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vyretop/engine"
)

// TestMain keeps tests out of the user's program cache.
func TestMain(m *testing.M) {
	if what := os.Getenv(apartVariable); what != "" {
		if err := serveApart(what); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := os.Setenv(ProgramCacheVariable, NoProgramCache); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// stepTime bounds every wait of a test, for one that would wait for ever. No test needs a part of it, even on a host
// with ten times as much to do as it can.
const stepTime = 3 * time.Minute

// testDevice is the device under test: the environment variable VYRETOP_TEST_DEVICE, or the best one.
func testDevice(t testing.TB) int {
	v := os.Getenv("VYRETOP_TEST_DEVICE")
	if v == "" {
		return AutoDevice
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), stepTime)
	t.Cleanup(cancel)
	return ctx
}

// testBackend opens the device under test without probes and closes it after the test.
func testBackend(t testing.TB) *Backend {
	t.Helper()
	return openFor(t, Options{Device: testDevice(t), SkipProbes: true})
}

func openFor(t testing.TB, o Options) *Backend {
	t.Helper()
	b, err := Open(within(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { check(t, b.Close()) })
	return b
}

// probed is the profile of the device under test, measured once.
var probed = sync.OnceValues(func() (engine.DeviceProfile, error) {
	n, err := strconv.Atoi(os.Getenv("VYRETOP_TEST_DEVICE"))
	if err != nil {
		n = AutoDevice
	}
	b, err := Open(context.Background(), Options{Device: n})
	if err != nil {
		return engine.DeviceProfile{}, err
	}
	return b.Profile(), b.Close()
})

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// program makes a Program over storage blocks at bindings 0, 1, … with the given workgroup size.
func program(name, text string, local uint32, blocks ...string) *engine.Program {
	p := &engine.Program{Name: name, Text: text, WorkgroupSize: [3]uint32{local, 1, 1}}
	for i, b := range blocks {
		p.Buffers = append(p.Buffers, engine.BufferSpec{Name: b, Binding: uint32(i), MinWords: 1})
	}
	return p
}

func compile(t testing.TB, b *Backend, p *engine.Program) engine.Pipeline {
	t.Helper()
	pl, err := b.Compile(within(t), p)
	check(t, err)
	t.Cleanup(func() { check(t, pl.Close()) })
	return pl
}

func allocate(t testing.TB, b *Backend, words int, want engine.Placement) engine.Buffer {
	t.Helper()
	buf, err := b.Allocate(within(t), "test", words, want)
	check(t, err)
	t.Cleanup(func() { check(t, buf.Free()) })
	return buf
}

func bindings(buffers ...engine.Buffer) []engine.Binding {
	out := make([]engine.Binding, len(buffers))
	for i, b := range buffers {
		out[i] = engine.Binding{Index: uint32(i), Buffer: b}
	}
	return out
}

func row(groups uint32) engine.DispatchConfig {
	return engine.DispatchConfig{Grid: [3]uint32{groups, 1, 1}}
}

func start(t testing.TB, pl engine.Pipeline, groups uint32, buffers ...engine.Buffer) engine.Pending {
	t.Helper()
	p, err := pl.Start(within(t), bindings(buffers...), row(groups))
	check(t, err)
	return p
}

func wait(t testing.TB, p engine.Pending) engine.Timing {
	t.Helper()
	timing, err := p.Wait(within(t))
	check(t, err)
	return timing
}

func read(t testing.TB, buf engine.Buffer) []uint32 {
	t.Helper()
	out := make([]uint32, buf.Size())
	check(t, buf.Download(within(t), 0, out))
	return out
}

// squares adds i*i to word i.
const squares = `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
	uint i = gl_GlobalInvocationID.x;
	if (i < uint(v.length())) v[i] += i * i;
}
`

func squaresProgram() *engine.Program { return program("squares", squares, 64, "Data") }

// hold keeps workgroups busy until the host sets word 0, for a bounded number of looks each. It
// stores 1 in word 2 when it begins and counts the workgroups that saw the stop in word 3.
const hold = `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent volatile buffer Hold { uint stop; uint looks; uint began; uint ended; };
void main() {
	if (gl_LocalInvocationIndex != 0u) return; // see doc.go: unused lanes
	began = 1u;
	uint n = looks;
	for (uint i = 0u; i < n; i++) {
		if (stop != 0u) { atomicAdd(ended, 1u); break; }
	}
}
`

// holder is a resident kernel under the test's control.
type holder struct {
	pipeline engine.Pipeline
	buffer   engine.Buffer
	groups   uint32
}

// newHolder makes a kernel that stays for seconds unless it is told to stop: on a device that limits
// loops a long row of workgroups one after the other, elsewhere one workgroup that looks often.
func newHolder(t testing.TB, b *Backend) *holder {
	t.Helper()
	profile, err := probed()
	check(t, err)
	if !profile.DeviceSeesHostStores.Or(false) {
		t.Skip("the device does not see the host's stores while a kernel runs")
	}
	h := &holder{
		pipeline: compile(t, b, program("hold", hold, 1, "Hold")),
		buffer:   allocate(t, b, 4, engine.HostVisible),
		groups:   1,
	}
	looks := uint32(4_000_000)
	if !profile.LoopIterationLimit.IsZero() {
		looks, h.groups = 50_000, 65_535
	}
	h.buffer.Words().Store(1, looks)
	return h
}

// queue starts the kernel, which may not run yet; the test's end stops it.
func (h *holder) queue(t testing.TB, cfg engine.DispatchConfig) engine.Pending {
	t.Helper()
	h.buffer.Words().Store(0, 0)
	h.buffer.Words().Store(2, 0)
	cfg.Grid = [3]uint32{h.groups, 1, 1}
	p, err := h.pipeline.Start(within(t), bindings(h.buffer), cfg)
	check(t, err)
	t.Cleanup(func() { h.stop(); <-p.Done() })
	return p
}

// start starts the kernel and waits until it runs.
func (h *holder) start(t testing.TB, cfg engine.DispatchConfig) engine.Pending {
	t.Helper()
	p := h.queue(t, cfg)
	await(t, func() bool { return h.buffer.Words().Load(2) == 1 })
	return p
}

func (h *holder) stop() { h.buffer.Words().Store(0, 1) }

// await spins until cond holds, for at most stepTime.
func await(t testing.TB, cond func() bool) {
	t.Helper()
	for deadline := time.Now().Add(stepTime); !cond(); {
		if time.Now().After(deadline) {
			t.Fatal("the condition did not come true in time")
		}
	}
}
