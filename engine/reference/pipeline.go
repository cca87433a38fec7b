package reference

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

// Pipeline implements engine.Pipeline.
type Pipeline struct {
	backend *Backend
	program *engine.Program
	code    *vm.Verified
	lowered *lower.Result

	mu     sync.Mutex
	closed bool
	idle   *session // of the last dispatch, to be used again
}

var _ engine.Pipeline = (*Pipeline)(nil)

// Compile implements engine.Backend. The pipeline is a *Pipeline.
func (b *Backend) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	op := fmt.Sprintf("compile %q", p.Name)
	if err := b.check(ctx, op); err != nil {
		return nil, err
	}
	if err := validate(op, p); err != nil {
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
	return &Pipeline{backend: b, program: p, code: code, lowered: lowered}, nil
}

func compileFailed(op string, cause error) error {
	return &engine.Error{Code: engine.CodeKernelCompileFailed, Backend: backendName, Op: op, Err: cause,
		Fix: "make the kernel smaller, or report it if it is small"}
}

// validate checks what the backend needs of a program.
func validate(op string, p *engine.Program) error {
	if p.Tree == nil {
		return outsideSubset(op, p)
	}
	lanes := uint64(1)
	for _, n := range p.WorkgroupSize {
		lanes *= uint64(n)
	}
	switch shared := sharedWords(p.Tree); {
	case p.WorkgroupSize != p.Tree.LocalSize:
		return invalid(op, fmt.Sprintf("workgroup size %v, but %v in the kernel text", p.WorkgroupSize, p.Tree.LocalSize), "take the size from the text")
	case lanes < 1 || lanes > vm.MaxLanes:
		return invalid(op, fmt.Sprintf("workgroup size %v has %d invocations", p.WorkgroupSize, lanes), fmt.Sprintf("use 1 to %d", vm.MaxLanes))
	case shared > maxSharedWords:
		return invalid(op, fmt.Sprintf("%d bytes of shared memory", 4*shared), fmt.Sprintf("use at most %d", 4*maxSharedWords))
	}
	return nil
}

func outsideSubset(op string, p *engine.Program) error {
	e := &engine.Error{Code: engine.CodeUnsupportedFeature, Backend: backendName, Op: op,
		Feature: "GLSL outside the kernel language", Detail: "the kernel is outside the kernel language",
		Fix: "run it on the OpenGL backend, or keep to docs/kernel-language.md"}
	if len(p.Outside) > 0 {
		e.Err = p.Outside
		e.Feature = p.Outside[0].Construct
	}
	return e
}

func sharedWords(t *tree.Program) int {
	n := 0
	for _, v := range t.Shared {
		n += v.Type.Components()
	}
	return n
}

// ID implements engine.Pipeline.
func (p *Pipeline) ID() string { return backendName + ":" + p.program.Fingerprint() }

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
	p.closed, p.idle = true, nil
	return nil
}

// Start implements engine.Pipeline. The pending dispatch is a *Dispatch. When ctx ends, the dispatch
// stops at its next time slice.
func (p *Pipeline) Start(ctx context.Context, bindings []engine.Binding, cfg engine.DispatchConfig) (engine.Pending, error) {
	if cfg.Label == "" {
		cfg.Label = p.program.Name
	}
	op := fmt.Sprintf("dispatch %q", cfg.Label)
	if err := errors.Join(p.open(op), p.backend.check(ctx, op)); err != nil {
		return nil, err
	}
	if err := checkConfig(op, cfg); err != nil {
		return nil, err
	}
	buffers, err := p.bind(op, bindings)
	if err != nil {
		return nil, err
	}
	d := newDispatch(p, buffers, cfg)
	if d.before, err = p.backend.enqueue(op, d.done); err != nil {
		d.releaseBuffers()
		return nil, err
	}
	go d.run(ctx)
	return d, nil
}

func (p *Pipeline) open(op string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return invalid(op, "the pipeline has been closed", "close a pipeline after its last use")
	}
	return nil
}

// maxGrid is the largest grid; its product fits 64 bits.
var maxGrid = [3]uint32{1<<31 - 1, 1<<16 - 1, 1<<16 - 1}

func checkConfig(op string, cfg engine.DispatchConfig) error {
	for axis, n := range cfg.Grid {
		if n < 1 || n > maxGrid[axis] {
			return invalid(op, fmt.Sprintf("grid %v", cfg.Grid), fmt.Sprintf("use 1 to %v workgroups along the axes", maxGrid))
		}
	}
	if cfg.Timeout < 0 {
		return invalid(op, fmt.Sprintf("timeout %v", cfg.Timeout), "use 0 for none")
	}
	return nil
}
