//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"vyretop/engine"
)

// trustsElements reports whether the device is right with what p does with elements of 64 bits of variables; it is probed once, when a
// program first has such elements.
func trustsElements(ctx context.Context, b *Backend, op string, p *engine.Program) (bool, error) {
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
	return u.elements, mixedMajor(op, p, u.elements)
}

// mixedMajor is the error of a program with a structure whose matrices are not square and lie row by row in one block and column by column
// in another, on a device whose compiler gives both the layout of the first (NVIDIA, 580.159, which with the word column_major ends the process).
func mixedMajor(op string, p *engine.Program, trusted bool) error {
	name := p.Tree.MixedMajor()
	if trusted || name == "" {
		return nil
	}
	return unsupported(op, "row_major and column_major",
		fmt.Sprintf("structure %s has a matrix that is not square, and lies in a block with row_major and in one without: this driver gives both the same layout", name),
		"declare a second structure with the same members for one of the blocks, or use the reference backend")
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
