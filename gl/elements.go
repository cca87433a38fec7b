//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"math/rand/v2"

	"vyretop/engine"
)

// trustsElements reports whether the device is right with what p does with elements of 64 bits of variables; it is probed once, when a
// program first has such elements.
func trustsElements(b *Backend, ctx context.Context, p *engine.Program) (bool, error) {
	if !p.UsesElements() {
		return true, nil
	}
	u := &b.float
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.indexed {
		right, err := probeElements(b, ctx)
		if err := b.unlessUnknown("elements of 64 bits", err); err != nil {
			return false, err
		}
		u.indexed, u.elements = true, right && err == nil
	}
	return u.elements, nil
}

// The words of a row of the probe, and of its results: four elements that are read, and four that were copied from the other one.
const (
	elementRowWords    = 4
	elementResultWords = 16
)

// probeElements compares elements with what they were made of.
func probeElements(b *Backend, ctx context.Context) (right bool, err error) {
	const n = 256
	r := rand.New(rand.NewPCG(5, 6))
	rows := make([]uint32, n*elementRowWords)
	for i := range rows {
		rows[i] = r.Uint32()
	}
	l, err := b.lab(ctx, "elements", 64, labBuffer{len(rows), engine.HostVisible}, labBuffer{n * elementResultWords, engine.HostVisible})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	l.buffers[0].Words().CopyFrom(0, rows)
	if _, err := l.run(n / 64); err != nil {
		return false, err
	}
	got := make([]uint32, n*elementResultWords)
	l.buffers[1].Words().CopyTo(got, 0)
	for i := range n {
		row := rows[i*elementRowWords:]
		chosen := row[0] & 1
		for j, word := range got[i*elementResultWords:][:elementResultWords] {
			from := chosen
			if j >= elementResultWords/2 {
				from = 1 - chosen
			}
			if word != row[2*from+uint32(j%2)] {
				return false, nil
			}
		}
	}
	return true, nil
}
