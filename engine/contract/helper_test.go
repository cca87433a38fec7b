package contract

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference"
	"vyretop/engine/submit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds everything that a test waits for.
const patience = 60 * time.Second

// device is what every backend is.
type device interface {
	engine.Backend
}

// backends opens one of each kind.
var backends = map[string]func(t testing.TB) device{
	"reference": func(t testing.TB) device {
		b, err := reference.Open(reference.Options{Seed: 1})
		check(t, err)
		return b
	},
}

// onEach runs a test on each backend; the backend is closed afterwards.
func onEach(t *testing.T, f func(t *testing.T, b device)) {
	for name, open := range backends {
		t.Run(name, func(t *testing.T) { f(t, use(t, open)) })
	}
}

func use(t testing.TB, open func(testing.TB) device) device {
	b := open(t)
	t.Cleanup(func() {
		if err := b.Close(); err != nil && !errors.Is(err, engine.ErrPoisoned) {
			t.Error(err)
		}
	})
	return b
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// wants checks that an error is of a kind and says how to fix it.
func wants(t testing.TB, what string, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), "Fix: ") {
		t.Errorf("%s: got %v, want: %v", what, err, kind)
	}
}

func program(t testing.TB, name, text string) *engine.Program {
	t.Helper()
	p, _, err := engine.CompileProgram(name, &source.File{Name: name + ".comp", Text: "#version 450\n" + text}, glsl.Options{})
	check(t, err)
	return p
}

func compile(t testing.TB, b engine.Backend, name, text string) engine.Pipeline {
	t.Helper()
	p, err := b.Compile(within(t), program(t, name, text))
	check(t, err)
	return p
}

// runner compiles a text and gives a runner of it, which the test's end closes.
func runner(t testing.TB, b engine.Backend, name, text string) *submit.Runner {
	t.Helper()
	r := submit.New(b, compile(t, b, name, text))
	t.Cleanup(func() {
		if err := r.Close(); err != nil && !errors.Is(err, engine.ErrPoisoned) {
			t.Error(err)
		}
	})
	return r
}

func allocate(t testing.TB, b engine.Backend, words ...uint32) engine.Buffer {
	t.Helper()
	buf, err := b.Allocate(within(t), "test", len(words), engine.HostVisible)
	check(t, err)
	check(t, buf.Upload(within(t), 0, words))
	return buf
}

func contents(t testing.TB, b engine.Buffer) []uint32 {
	t.Helper()
	words := make([]uint32, b.Size())
	check(t, b.Download(within(t), 0, words))
	return words
}

func same(t testing.TB, what string, got, want []uint32) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d words, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: word %d is %d, want %d", what, i, got[i], want[i])
			return
		}
	}
}

func bind(buffers ...engine.Buffer) []engine.Binding {
	list := make([]engine.Binding, len(buffers))
	for i, b := range buffers {
		list[i] = engine.Binding{Index: uint32(i), Buffer: b}
	}
	return list
}

func row(n uint32) engine.DispatchConfig { return engine.DispatchConfig{Grid: [3]uint32{n, 1, 1}} }

// triple stores 3a+1 for each word a.
const triple = `layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { uint a[]; };
layout(std430, binding = 1) writeonly buffer Out { uint b[]; };
void main() {
	uint i = gl_GlobalInvocationID.x;
	if (i < uint(a.length()) && i < uint(b.length())) b[i] = 3u * a[i] + 1u;
}
`

// step makes x[i] of x[i] in place: 5x+1.
const step = `layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer X { uint x[]; };
void main() {
	uint i = gl_GlobalInvocationID.x;
	if (i < uint(x.length())) x[i] = 5u * x[i] + 1u;
}
`

// where stores which invocation and workgroup wrote each word, and the sizes that it saw.
const where = `layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer W { uint groups; uint lanes; uvec3 grid; uvec3 size; uint last; };
void main() {
	if (gl_LocalInvocationIndex == 0u) atomicAdd(groups, 1u);
	atomicAdd(lanes, 1u);
	if (gl_GlobalInvocationID == uvec3(0u)) { grid = gl_NumWorkGroups; size = gl_WorkGroupSize; }
	atomicMax(last, gl_GlobalInvocationID.x);
}
`

// Words of where's block.
const (
	wGroups = 0
	wLanes  = 1
	wGrid   = 4
	wSize   = 8
	wLast   = 11
	wWords  = 12
)

// wait keeps one workgroup busy until the host says stop, for as long as the device lets a loop continue.
const wait = `layout(local_size_x = 8) in;
layout(std430, binding = 0) coherent volatile buffer Hold { uint stop; uint looks; uint began; uint ended; };
void main() {
	if (gl_LocalInvocationIndex != 0u) return;
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

func newHolder(t testing.TB, b engine.Backend) *holder {
	t.Helper()
	h := &holder{pipeline: compile(t, b, "hold", wait), buffer: allocate(t, b, 0, 4_000_000, 0, 0), groups: 1}
	switch {
	case b.Identity().Name == "reference": // nothing is lost there without a stop
		h.buffer.Words().Store(1, 1<<30)
	case !b.Profile().LoopIterationLimit.IsZero(): // many short workgroups, one after the other
		h.buffer.Words().Store(1, 50_000)
		h.groups = 65_535
	}
	return h
}

// queue starts the kernel, which may not run yet.
func (h *holder) queue(t testing.TB, cfg engine.DispatchConfig) engine.Pending {
	t.Helper()
	w := h.buffer.Words()
	w.Store(0, 0)
	w.Store(2, 0)
	cfg.Grid = [3]uint32{h.groups, 1, 1}
	p, err := h.pipeline.Start(within(t), bind(h.buffer), cfg)
	check(t, err)
	t.Cleanup(func() { h.stop(); <-p.Done() })
	return p
}

// start starts the kernel and waits until it runs.
func (h *holder) start(t testing.TB, cfg engine.DispatchConfig) engine.Pending {
	t.Helper()
	p, w := h.queue(t, cfg), h.buffer.Words()
	for deadline := time.Now().Add(patience); w.Load(2) == 0; {
		if time.Now().After(deadline) {
			t.Fatal("the kernel does not begin")
		}
	}
	return p
}

func (h *holder) stop() {
	if w := h.buffer.Words(); w != nil {
		w.Store(0, 1)
	}
}
