//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"vyretop/engine"
)

// checkNeeds refuses a program that needs an extension on a device that lacks it.
func checkNeeds(b *Backend, op string, p *engine.Program) error {
	if p.Tree == nil {
		return nil
	}
	for _, name := range p.Tree.Needs {
		if !b.has[name] {
			return unsupported(op, name, "the kernel needs "+name+", which the device lacks",
				"run it on the reference backend, or write it without what the extension adds")
		}
	}
	return nil
}

// trustDoubles adds to f whether the device divides and compares doubles as IEEE 754 says; it is probed once, when a program first
// wants it.
func trustDoubles(b *Backend, ctx context.Context, f *engine.Floats) error {
	u := &b.float
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.tried {
		exact, err := probeDoubles(b, ctx)
		if err := b.unlessUnknown("doubles", err); err != nil {
			return err
		}
		u.tried, u.floats.Doubles = true, exact && err == nil
	}
	f.Doubles = u.floats.Doubles
	return nil
}

// The words of a row of the probe, two doubles, and of its results.
const (
	doubleRowWords    = 4
	doubleResultWords = 5
)

// probeDoubles compares quotients, square roots and comparisons with the host's.
func probeDoubles(b *Backend, ctx context.Context) (exact bool, err error) {
	rows := doubleRows()
	n := len(rows) / doubleRowWords
	l, err := b.lab(ctx, "doubles", 64, labBuffer{len(rows), engine.HostVisible}, labBuffer{n * doubleResultWords, engine.HostVisible})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	l.buffers[0].Words().CopyFrom(0, rows)
	if _, err := l.run(uint32(n+63) / 64); err != nil {
		return false, err
	}
	got := make([]uint32, n*doubleResultWords)
	l.buffers[1].Words().CopyTo(got, 0)
	for i := range n {
		row, result := rows[i*doubleRowWords:], got[i*doubleResultWords:]
		x, y := double(row), double(row[2:])
		if !sameDouble(result, x/y) || !sameDouble(result[2:], math.Sqrt(x)) || result[4] != order(x, y) {
			return false, nil
		}
	}
	return true, nil
}

// doubleRows makes the rows: all pairs of special operands, then random ones, of which every second one has a quotient near the
// denormals.
func doubleRows() []uint32 {
	special := []float64{0, 1, 3, 0.1, 1 - 1.0/(1<<53), math.MaxFloat64, math.SmallestNonzeroFloat64, math.Ldexp(1, -1022), math.Ldexp(1-1.0/(1<<52), -1022),
		math.Inf(1), math.NaN(), 1 << 53}
	for _, s := range special {
		special = append(special, -s)
	}
	var rows []uint32
	add := func(values ...float64) {
		for _, v := range values {
			rows = append(rows, uint32(math.Float64bits(v)), uint32(math.Float64bits(v)>>32))
		}
	}
	for _, x := range special {
		for _, y := range special {
			add(x, y)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		x, y := 1+r.Float64(), 1+r.Float64()
		if i%2 == 0 {
			x, y = math.Ldexp(x, -r.IntN(1080)), math.Ldexp(y, r.IntN(60))
		}
		add(x, y)
	}
	return rows
}
