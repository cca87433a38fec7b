package dispatch

import (
	"context"
	"errors"

	"vyretop/engine"
	"vyretop/engine/reference"
)

// Memory gives the words of the buffers with which the dispatch would begin, by binding, and its launch.
// Nothing is run.
func (r *Request) Memory(ctx context.Context, p *engine.Program) (words map[uint32][]uint32, launch engine.Launch, err error) {
	b, err := reference.Open(reference.Options{})
	if err != nil {
		return nil, launch, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	blocks, err := r.plan(p, b.Profile().MaxStorageBufferBytes)
	if err != nil {
		return nil, launch, err
	}
	buffers, err := load(ctx, b, blocks)
	if err != nil {
		return nil, launch, err
	}
	words = map[uint32][]uint32{}
	for i, bl := range blocks {
		buf := buffers[i].Buffer
		words[bl.spec.Binding] = make([]uint32, bl.bytes/wordBytes)
		if err := buf.Download(ctx, 0, words[bl.spec.Binding]); err != nil {
			return nil, launch, err
		}
		defer func() { err = errors.Join(err, buf.Free()) }()
	}
	cfg := r.Config
	launch, err = settled(p, blocks, buffers, &cfg)
	return words, launch, err
}
