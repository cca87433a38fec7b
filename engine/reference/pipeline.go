package reference

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"vyretop/engine"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
	"vyretop/engine/units"
)

// Pipeline implements engine.Pipeline.
type Pipeline struct {
	backend *Backend
	program *engine.Program
	code    *vm.Verified
	lowered *lower.Result

	generation uint64 // of the backend, when it was compiled

	mu       sync.Mutex
	closed   bool
	idle     *session                // of the last dispatch, to be used again
	variants map[[3]uint32]*Pipeline // by workgroup size, compiled so far
}

var _ engine.Pipeline = (*Pipeline)(nil)

// Compile implements engine.Backend. The pipeline is a *Pipeline.
func (b *Backend) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	op := fmt.Sprintf("compile %q", p.Name)
	if err := b.check(ctx, op); err != nil {
		return nil, err
	}
	if err := b.validate(op, p); err != nil {
		return nil, err
	}
	lowered, err := lower.Lower(p.Tree)
	if err != nil {
		return nil, compileFailed(op, err)
	}
	code, err := vm.Verify(lowered.Code)
	if err != nil {
		return nil, compileFailed(op, err)
	}
	return &Pipeline{backend: b, program: p, code: code, lowered: lowered, generation: b.made(&b.pipelines)}, nil
}

func compileFailed(op string, cause error) error {
	return &engine.Error{Code: engine.CodeKernelCompileFailed, Backend: backendName, Op: op, Err: cause,
		Fix: "make the kernel smaller, or report it if it is small"}
}

// validate checks what the backend needs of a program.
func (b *Backend) validate(op string, p *engine.Program) error {
	if p.Tree == nil {
		return outsideSubset(op, p)
	}
	if p.WorkgroupSize != p.Tree.LocalSize {
		return invalid(op, fmt.Sprintf("the text has workgroup size %s, the program says %s", units.Extent(p.Tree.LocalSize), units.Extent(p.WorkgroupSize)), "make Program.WorkgroupSize and the layout of the text agree")
	}
	for _, block := range p.Tree.Buffers {
		if !slices.ContainsFunc(p.Buffers, func(s engine.BufferSpec) bool { return s.Binding == uint32(block.Binding) }) {
			return invalid(op, fmt.Sprintf("the text uses a storage block at binding %d that the program does not list", block.Binding), "list every storage block in Program.Buffers")
		}
	}
	return b.limits.CheckProgram(p)
}

func outsideSubset(op string, p *engine.Program) error {
	e := &engine.Error{Code: engine.CodeUnsupportedFeature, Backend: backendName, Op: op,
		Feature: "GLSL outside the kernel language", Detail: "the kernel is outside the kernel language, so that only the OpenGL backend can run it",
		Fix: "run it on the OpenGL backend, or keep to docs/kernel-language.md"}
	if len(p.Outside) > 0 {
		e.Err, e.Fix = p.Outside, "" // each place says its own
		e.Feature = p.Outside[0].Construct
	}
	return e
}

// ID implements engine.Pipeline.
func (p *Pipeline) ID() string { return p.backend.id + ":" + p.program.Fingerprint() }

// Program implements engine.Pipeline.
func (p *Pipeline) Program() *engine.Program { return p.program }

// Code is what the pipeline executes; it must not be changed.
func (p *Pipeline) Code() *vm.Code { return p.code.Code() }

// Close implements engine.Pipeline.
func (p *Pipeline) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return invalid("close pipeline", "the pipeline has been closed already", "close each pipeline once")
	}
	if err := p.backend.survived("close pipeline", p.generation); err != nil {
		return err
	}
	for _, q := range p.variants {
		p.backend.unmade(&p.backend.pipelines, q.generation)
	}
	p.backend.unmade(&p.backend.pipelines, p.generation)
	p.closed, p.idle, p.variants = true, nil, nil
	return nil
}

// Start implements engine.Pipeline. The pending dispatch is a *Dispatch. When ctx ends, the dispatch
// stops at its next time slice. The first dispatch that asks for another workgroup size compiles.
func (p *Pipeline) Start(ctx context.Context, bindings []engine.Binding, cfg engine.DispatchConfig) (engine.Pending, error) {
	if err := p.backend.check(ctx, "dispatch"); err != nil {
		return nil, err
	}
	launch, err := p.backend.limits.Admit(p.program, bindings, &cfg)
	if err != nil {
		return nil, err
	}
	op := fmt.Sprintf("dispatch %q", launch.Label)
	if cfg.PersistentThread == engine.PersistentForce && p.program.UsesGridBarrier() {
		return nil, &engine.Error{Code: engine.CodeUnsupportedFeature, Backend: backendName, Op: op, Feature: "persistent-thread dispatch",
			Detail: "workers cannot run the program: its workgroups wait for each other", Fix: "let the backend choose (auto), or change the program"}
	}
	if p, err = p.sized(ctx, op, launch.Workgroup); err != nil {
		return nil, err
	}
	d, err := newDispatch(p, op, bindings, cfg, launch)
	if err != nil {
		return nil, err
	}
	if err := p.backend.enqueue(op, d); err != nil {
		d.releaseBuffers()
		return nil, err
	}
	go d.run(ctx)
	return d, nil
}

// sized gives the pipeline of the program with a workgroup size, itself when it has that.
func (p *Pipeline) sized(ctx context.Context, op string, size [3]uint32) (*Pipeline, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, invalid(op, "the pipeline has been closed", "close a pipeline after its last use")
	}
	if err := p.backend.survived(op, p.generation); err != nil {
		return nil, err
	}
	program, err := p.program.WithWorkgroup(size)
	if err != nil || program == p.program {
		return p, err
	}
	if q, ok := p.variants[size]; ok {
		return q, nil
	}
	q, err := p.backend.Compile(ctx, program)
	if err != nil {
		return nil, err
	}
	if p.variants == nil {
		p.variants = map[[3]uint32]*Pipeline{}
	}
	p.variants[size] = q.(*Pipeline)
	return q.(*Pipeline), nil
}
