package dispatch

import (
	"context"
	"math"

	"vyretop/engine"
)

// Result is what a dispatch gave.
type Result struct {
	Program *engine.Program // complete, also of a kernel outside the kernel language
	Launch  engine.Launch   // with what the request left open
	Timing  engine.Timing
	Outputs []Output // in ascending order of binding
}

// Output is a buffer that became a file.
type Output struct {
	Binding uint32
	Name    string // of the block
	File    string
	Bytes   uint64
	SHA256  string // of the bytes, in hexadecimal
}

// Run compiles a program for a backend, runs it over the request's files, and writes the outputs. A
// request that does not fit is an ErrRequest; other errors are the backend's. The pipeline and the
// buffers stay until the backend is closed: after a timeout the kernel may still use them.
func Run(ctx context.Context, b engine.Backend, p *engine.Program, r *Request) (*Result, error) {
	pl, err := b.Compile(ctx, p)
	if err != nil {
		return nil, err
	}
	blocks, err := r.plan(pl.Program())
	if err != nil {
		return nil, err
	}
	buffers, err := load(ctx, b, blocks)
	if err != nil {
		return nil, err
	}
	pending, err := pl.Start(ctx, buffers, r.Config)
	if err != nil {
		return nil, err
	}
	result := &Result{Program: pl.Program()}
	if result.Launch, err = settled(result.Program, buffers, &r.Config); err != nil {
		return nil, err
	}
	if result.Timing, err = pending.Wait(ctx); err != nil {
		return nil, err
	}
	result.Outputs, err = r.save(ctx, blocks, buffers)
	return result, err
}

// settled completes a dispatch as its backend did, which has found it within its own limits.
func settled(p *engine.Program, buffers []engine.Binding, cfg *engine.DispatchConfig) (engine.Launch, error) {
	anything := [3]uint32{math.MaxUint32, math.MaxUint32, math.MaxUint32}
	l := engine.Limits{
		MaxWorkgroups: anything, MaxWorkgroupSize: anything, MaxInvocations: math.MaxUint32,
		Profiles: []string{cfg.Profile}, PersistentThread: true, Cooperative: engine.Known(uint32(math.MaxUint32)),
	}
	return l.Admit(p, buffers, cfg)
}

// load makes the buffers and fills them.
func load(ctx context.Context, b engine.Backend, blocks []block) ([]engine.Binding, error) {
	var out []engine.Binding
	for _, bl := range blocks {
		buf, err := b.Allocate(ctx, bl.spec.Name, int(bl.bytes/wordBytes), engine.DeviceLocal)
		if err != nil {
			return nil, err
		}
		out = append(out, engine.Binding{Index: bl.spec.Binding, Buffer: buf})
		if bl.input == "" {
			continue
		}
		if err := upload(ctx, buf, bl); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// save writes the outputs.
func (r *Request) save(ctx context.Context, blocks []block, buffers []engine.Binding) ([]Output, error) {
	var out []Output
	for i, bl := range blocks {
		path, wanted := r.Outputs[bl.spec.Binding]
		if !wanted {
			continue
		}
		sum, err := download(ctx, buffers[i].Buffer, path)
		if err != nil {
			return out, err
		}
		out = append(out, Output{Binding: bl.spec.Binding, Name: bl.spec.Name, File: path, Bytes: bl.bytes, SHA256: sum})
	}
	return out, nil
}
