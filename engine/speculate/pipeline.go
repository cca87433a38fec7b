package speculate

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"vyretop/engine"
)

// Pipeline implements engine.Pipeline; DispatchConfig.Speculation decides how it runs. The grid has one
// axis, and each of its invocations is an item; without a grid there are as many items as the largest
// output has elements. A pending dispatch is a *Pending.
type Pipeline struct {
	memory                    Backend
	name                      string
	program                   *engine.Program // with the kernel's own buffers only
	prefilter, confirm, fused engine.Pipeline
	ledger                    uint32 // binding

	mu       sync.Mutex
	adaptive *Adaptive
	free     []engine.Buffer // ledgers not in use
}

var _ engine.Pipeline = (*Pipeline)(nil)

// ID implements engine.Pipeline.
func (p *Pipeline) ID() string { return p.fused.ID() }

// Program implements engine.Pipeline: the fused program, with the buffers that the kernel declares.
func (p *Pipeline) Program() *engine.Program { return p.program }

// Speculating reports whether the adaptive mode would speculate now.
func (p *Pipeline) Speculating() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.adaptive.On()
}

// learn lets the adaptive mode take a dispatch into account.
func (p *Pipeline) learn(r Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.adaptive.Add(r)
}

// Close implements engine.Pipeline. No dispatch may be under way.
func (p *Pipeline) Close() error { return p.close() }

func (p *Pipeline) close() error {
	var err error
	for _, q := range []engine.Pipeline{p.prefilter, p.confirm, p.fused} {
		if q != nil {
			err = errors.Join(err, q.Close())
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range p.free {
		err = errors.Join(err, b.Free())
	}
	p.free = nil
	return err
}

// Start implements engine.Pipeline.
func (p *Pipeline) Start(ctx context.Context, bindings []engine.Binding, cfg engine.DispatchConfig) (engine.Pending, error) {
	items, err := p.items(bindings, cfg)
	if err != nil {
		return nil, err
	}
	book, err := p.open(ctx, items)
	if err != nil {
		return nil, err
	}
	all := append(append([]engine.Binding(nil), bindings...), engine.Binding{Index: p.ledger, Buffer: book})
	cfg.Grid = [3]uint32{(items + p.lanes() - 1) / p.lanes(), 1, 1}
	if limit, given := cfg.MaxOutputBytes.Get(); given {
		cfg.MaxOutputBytes = engine.Known(limit + 4*uint64(book.Size()))
	}
	s := &Pending{pipeline: p, ledger: book, adaptive: cfg.Speculation == engine.SpeculationAdaptive}
	s.fused = cfg.Speculation == engine.SpeculationOn || s.adaptive && p.Speculating()
	cfg.Speculation = engine.SpeculationOff
	if err := s.start(ctx, all, cfg); err != nil {
		return nil, err
	}
	return s, nil
}

func (p *Pipeline) lanes() uint32 { return p.program.WorkgroupSize[0] }

// items is the number of items of a dispatch.
func (p *Pipeline) items(bindings []engine.Binding, cfg engine.DispatchConfig) (uint32, error) {
	size := p.program.WorkgroupSize
	override, _ := cfg.WorkgroupOverride.Get()
	switch {
	case cfg.Speculation > engine.SpeculationAdaptive:
		return 0, p.invalid(fmt.Sprintf("speculation mode %d", cfg.Speculation), "use one of the Speculation constants")
	case cfg.Grid[1] > 1, cfg.Grid[2] > 1, size[1] > 1, size[2] > 1:
		return 0, p.invalid("items in more than one axis", "use the x axis only")
	case cfg.Indirect.Buffer != nil, cfg.FixpointIterations.Or(1) != 1, override != [3]uint32{} && override != size:
		return 0, p.invalid("an indirect grid, several runs, or another workgroup size", "leave them out of a speculative dispatch")
	case cfg.Grid[0] > 0:
		return cfg.Grid[0] * size[0], nil
	}
	most := 0
	for _, b := range bindings {
		for _, s := range p.program.Buffers {
			if s.Binding == b.Index && s.Access != engine.ReadOnly && b.Buffer != nil {
				most = max(most, s.Elements(b.Buffer.Size()))
			}
		}
	}
	if most == 0 {
		return 0, p.invalid("no grid is given, and no output to derive it from", "give the grid")
	}
	return uint32(most), nil
}

func (p *Pipeline) invalid(detail, fix string) error {
	return &engine.Error{Code: engine.CodeInvalidProgram, Op: fmt.Sprintf("dispatch %q", p.name), Detail: detail, Fix: fix}
}

// open gives a new ledger for a number of items.
func (p *Pipeline) open(ctx context.Context, items uint32) (engine.Buffer, error) {
	words := wordList + int(items)
	p.mu.Lock()
	var book engine.Buffer
	for i, b := range p.free {
		if b.Size() >= words {
			book = b
			p.free = append(p.free[:i], p.free[i+1:]...)
			break
		}
	}
	p.mu.Unlock()
	if book == nil {
		made, err := p.memory.Allocate(ctx, "ledger of "+p.name, words, engine.HostVisible)
		if err != nil {
			return nil, err
		}
		book = made
	}
	return book, book.Upload(ctx, 0, []uint32{wordItems: items, wordGrid: 0, 1, 1})
}

// shut takes a ledger back.
func (p *Pipeline) shut(b engine.Buffer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b)
}
