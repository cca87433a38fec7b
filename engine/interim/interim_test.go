package interim

import (
	"context"
	"errors"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference"
)

// slow is a device whose compiler ends when it may.
type slow struct {
	*reference.Backend
	may  chan struct{}
	fail error
	runs int // dispatches
}

func (s *slow) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	select {
	case <-s.may:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.fail != nil {
		return nil, s.fail
	}
	if p.Tree == nil {
		return &outside{program: p}, nil
	}
	x, err := s.Backend.Compile(ctx, p)
	return &counted{x, s}, err
}

// counted counts the dispatches of a device.
type counted struct {
	engine.Pipeline
	device *slow
}

func (c *counted) Start(ctx context.Context, list []engine.Binding, cfg engine.DispatchConfig) (engine.Pending, error) {
	c.device.runs++
	return c.Pipeline.Start(ctx, list, cfg)
}

// outside is a pipeline of a text that only a driver understands.
type outside struct {
	engine.Pipeline
	program *engine.Program
	runs    int
}

func (o *outside) Program() *engine.Program { return o.program }

func (o *outside) Start(context.Context, []engine.Binding, engine.DispatchConfig) (engine.Pending, error) {
	o.runs++
	return nil, errOutside
}

func (o *outside) Close() error { return nil }

var errOutside = errors.New("the device was asked")

const counting = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Local { uint local_word[]; };
layout(std430, binding = 1) buffer Shared { uint shared_word[]; };
void main() {
	uint i = gl_GlobalInvocationID.x;
	local_word[i] += 1u;
	atomicAdd(shared_word[i], local_word[i]);
}
`

func program(t *testing.T, text string) *engine.Program {
	t.Helper()
	p, _, err := engine.CompileProgram("counting", &source.File{Name: "counting.comp", Text: text}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open makes a device whose compiler waits, and what stands in for it.
func open(t *testing.T, moved func(time.Duration)) (*slow, *Backend) {
	d := &slow{Backend: backendtest.Reference(t, reference.Options{}), may: make(chan struct{})}
	b, err := Open(d, Options{Workgroups: 64, Moved: moved})
	check(t, err)
	t.Cleanup(func() { check(t, b.Close()) })
	return d, b
}

// buffers of more words than are moved at a time.
const words = moveWords + 5

func buffers(t *testing.T, b engine.Backend) (local, shared engine.Buffer, list []engine.Binding) {
	t.Helper()
	local, err := b.Allocate(within(t), "local", words, engine.DeviceLocal)
	check(t, err)
	shared, err = b.Allocate(within(t), "shared", 8, engine.HostVisible)
	check(t, err)
	t.Cleanup(func() {
		check(t, local.Free())
		check(t, shared.Free())
	})
	return local, shared, []engine.Binding{{Index: 0, Buffer: local}, {Index: 1, Buffer: shared}}
}

func run(t *testing.T, p engine.Pipeline, list []engine.Binding) {
	t.Helper()
	pending, err := p.Start(within(t), list, engine.DispatchConfig{Grid: [3]uint32{2, 1, 1}})
	check(t, err)
	_, err = engine.Finish(within(t), pending)
	check(t, err)
}

func TestTheWorkMovesWithItsMemory(t *testing.T) {
	moved := make(chan time.Duration, 1)
	d, b := open(t, func(after time.Duration) { moved <- after })
	p, err := b.Compile(within(t), program(t, counting))
	check(t, err)
	t.Cleanup(func() { check(t, p.Close()) })
	local, shared, list := buffers(t, b)
	check(t, local.Upload(within(t), words-1, []uint32{77}))
	check(t, local.Upload(within(t), 3, []uint32{100}))
	for range 3 {
		run(t, p, list)
	}
	if _, waits := b.Awaits(); !waits || !b.StandsIn() || d.runs != 0 {
		t.Fatalf("the device ran %d dispatches before it had compiled anything", d.runs)
	}
	close(d.may)
	<-p.(*pipeline).done
	for range 4 {
		run(t, p, list)
	}
	if _, waits := b.Awaits(); waits || b.StandsIn() || d.runs != 4 {
		t.Errorf("the device ran %d dispatches, want 4", d.runs)
	}
	<-moved
	var got [4]uint32
	check(t, local.Download(within(t), 2, got[:2]))
	check(t, local.Download(within(t), words-1, got[2:3]))
	got[3] = shared.Words().Load(0)
	if want := [4]uint32{7, 107, 77, 28}; got != want {
		t.Errorf("words %v, want %v", got, want)
	}
}

// TestAStoredProgramStartsOnTheDevice: the interpreter runs nothing, and no move is told of.
func TestAStoredProgramStartsOnTheDevice(t *testing.T) {
	d, b := open(t, func(time.Duration) { t.Error("told of a move") })
	close(d.may)
	p, err := b.Compile(within(t), program(t, counting))
	check(t, err)
	t.Cleanup(func() { check(t, p.Close()) })
	_, _, list := buffers(t, b)
	run(t, p, list)
	if d.runs != 1 {
		t.Errorf("the device ran %d dispatches, want 1", d.runs)
	}
}

func TestTheWorkWaitsForAllPrograms(t *testing.T) {
	d, b := open(t, nil)
	first, err := b.Compile(within(t), program(t, counting))
	check(t, err)
	second, err := b.Compile(within(t), program(t, counting))
	check(t, err)
	_, _, list := buffers(t, b)
	d.may <- struct{}{}
	select {
	case <-first.(*pipeline).done:
	case <-second.(*pipeline).done:
	}
	run(t, first, list)
	run(t, second, list)
	if d.runs != 0 {
		t.Errorf("the device ran %d dispatches while it compiled the other program", d.runs)
	}
	check(t, first.Close())
	check(t, second.Close())
}

func TestWhatOnlyTheDeviceUnderstandsMovesTheWork(t *testing.T) {
	d, b := open(t, nil)
	close(d.may)
	p := program(t, counting)
	p.Tree = nil
	x, err := b.Compile(within(t), p)
	check(t, err)
	_, _, list := buffers(t, b)
	if _, err := x.Start(within(t), list, engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}); !errors.Is(err, errOutside) {
		t.Errorf("started: %v", err)
	}
	if b.StandsIn() {
		t.Error("the interpreter still stands in")
	}
	check(t, x.Close())
}

func TestErrorsOfTheDeviceComeWithItsFirstDispatch(t *testing.T) {
	d, b := open(t, nil)
	d.fail = &engine.Error{Code: engine.CodeKernelCompileFailed, Op: "compile", Detail: "refused", Fix: "none"}
	p, err := b.Compile(within(t), program(t, counting))
	check(t, err)
	_, _, list := buffers(t, b)
	run(t, p, list)
	close(d.may)
	<-p.(*pipeline).done
	if _, err := p.Start(within(t), list, engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}); !errors.Is(err, engine.ErrKernelCompileFailed) {
		t.Errorf("started: %v", err)
	}
	check(t, p.Close())
}

func TestBuffersOfOtherBackendsAreRefused(t *testing.T) {
	_, b := open(t, nil)
	p, err := b.Compile(within(t), program(t, counting))
	check(t, err)
	_, shared, list := buffers(t, b)
	list[0].Buffer = shared.(*buffer).there
	if _, err := p.Start(within(t), list, engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("started: %v", err)
	}
	check(t, p.Close()) // gives up the compilation, which would not end
}
