//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"

	"vyretop/engine"
)

// floatUnit keeps what was found out about the device's floats, when the first program wanted it.
type floatUnit struct {
	mu        sync.Mutex
	known     bool
	doubles   bool // precise double arithmetic is that of IEEE 754: without it nothing is exact
	floats    engine.Floats
	tried     bool // doubles have been probed
	indexed   bool // elements of 64 bits have been probed
	elements  bool // and are right
	subgroups bool // the device's own subgroups have been tried; set when the device is opened
	bounded   bool // Bounds have been measured
}

// noExactFloats is the error of a device on which the functions on floats cannot be trusted either.
func noExactFloats(op string) error {
	return unsupported(op, "exact floats", "the device does not compute precise doubles as IEEE 754 says, which exact floats are made of",
		"run it on the reference backend, or update the driver")
}

// suited returns p as the device needs it to compute the floats of the kernel language.
func (b *Backend) suited(ctx context.Context, op string, p *engine.Program, ulpBudget uint8) (*engine.Program, error) {
	if err := checkSubgroups(b, op, p); err != nil {
		return nil, err
	}
	if err := checkNeeds(b, op, p); err != nil {
		return nil, err
	}
	if !b.float.subgroups { // invocations in step are those of a row
		p = p.InOneRow()
	}
	elements, err := trustsElements(ctx, b, op, p)
	if err != nil {
		return nil, err
	}
	if !p.UsesFloats() {
		return p.For(engine.Floats{IEEE: true, Elements: elements, Subgroups: b.float.subgroups}, 0), nil
	}
	f, exact, err := b.floatsOf(ctx, ulpBudget > 0)
	if err != nil {
		return nil, err
	}
	f.Subgroups, f.Elements = b.float.subgroups, elements
	if !exact {
		return nil, noExactFloats(op)
	}
	if p.UsesDoubles() {
		if err := trustDoubles(b, ctx, &f); err != nil {
			return nil, err
		}
	}
	return p.For(f, ulpBudget), nil
}

// floatsOf probes the device once, and measures the bounds of its functions once they are wanted. What
// cannot be probed is not trusted. exact says whether kernels can have exact floats at all.
func (b *Backend) floatsOf(ctx context.Context, bounds bool) (f engine.Floats, exact bool, err error) {
	u := &b.float
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.known {
		found, doubles, err := b.probeFloats(ctx)
		if err := b.unlessUnknown("floats", err); err != nil {
			return f, false, err
		}
		u.known, u.floats, u.doubles = true, found, doubles
	}
	if bounds && !u.bounded {
		found, err := b.measureBounds(ctx)
		if err := b.unlessUnknown("error bounds", err); err != nil {
			return f, false, err
		}
		u.bounded, u.floats.Bounds = true, found
	}
	return u.floats, u.doubles, nil
}

// unlessUnknown passes on what ends the caller's work; a device that cannot run a probe is noted.
func (b *Backend) unlessUnknown(what string, err error) error {
	if err == nil || errors.Is(err, engine.ErrDeviceLost) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	b.messages.add(Message{Source: "probe", Severity: "medium", Text: what + ": " + err.Error()})
	return nil
}

// The rows of the float probe: two floats and a double in four words; the results of one row.
const (
	floatRowWords    = 4
	floatResultWords = 16
)

// probeFloats reports whether the device computes as engine.Floats.IEEE and Wide say, and whether it does so
// with doubles, on pairs of special and of random operands: a device that flushes denormals, or fuses what is
// precise, shows it on most of them.
func (b *Backend) probeFloats(ctx context.Context) (found engine.Floats, doubles bool, err error) {
	rows := floatRows()
	n := len(rows) / floatRowWords
	l, err := b.lab(ctx, "floats", 64, labBuffer{len(rows), engine.HostVisible}, labBuffer{n * floatResultWords, engine.HostVisible})
	if err != nil {
		return found, false, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	l.buffers[0].Words().CopyFrom(0, rows)
	if _, err := l.run(uint32(n+63) / 64); err != nil {
		return found, false, err
	}
	got := make([]uint32, n*floatResultWords)
	l.buffers[1].Words().CopyTo(got, 0)
	found.IEEE, found.Wide, doubles = true, true, true
	for i := range n {
		row, result := rows[i*floatRowWords:][:floatRowWords], got[i*floatResultWords:][:floatResultWords]
		found.IEEE = found.IEEE && asIEEE(row, result)
		found.Wide = found.Wide && asWide(row, result)
		doubles = doubles && asDoubles(row, result)
	}
	return found, doubles, nil
}

// floatRows makes the rows: all pairs of special operands, then random ones whose product is near the
// denormals.
func floatRows() []uint32 {
	special := []uint32{0, 1, 2, 0x400000, 0x7FFFFF, 0x800000, 0x800001, 0xFFFFFF, 0x1000000, 0x33800000, 0x3F000000,
		0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x40490FDB, 0x4B800000, 0x7E800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000}
	for _, s := range special {
		special = append(special, s|1<<31)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var rows []uint32
	add := func(x, y uint32) {
		// a double whose exponent is in or around the range of floats
		high := r.Uint32()&0x800FFFFF | (1023-155+r.Uint32N(290))<<20
		rows = append(rows, x, y, r.Uint32()&(r.Uint32()|0xE0000000), high)
	}
	for _, x := range special {
		for _, y := range special {
			add(x, y)
		}
	}
	for range 1000 {
		e := 1 + r.Uint32N(124)
		add(r.Uint32()&0x807FFFFF|e<<23, r.Uint32()&0x807FFFFF|(126-e+r.Uint32N(4))<<23)
	}
	return rows
}

// asIEEE compares the results of one row with the host's. One NaN is as good as another.
func asIEEE(row, got []uint32) bool {
	a, b := math.Float32frombits(row[0]), math.Float32frombits(row[1])
	product := a * b
	for i, want := range []float32{a + b, a - b, product, float32(product) - b} {
		if !sameFloat(got[i], want) {
			return false
		}
	}
	return got[4] == order(a, b) && exactConversions(row, got)
}

// asWide does so with what was computed with doubles.
func asWide(row, got []uint32) bool {
	a, b := math.Float32frombits(row[0]), math.Float32frombits(row[1])
	for i, want := range []float32{a + b, a - b, a * b} {
		if !sameFloat(got[12+i], want) {
			return false
		}
	}
	return got[15] == order(a, b) && exactConversions(row, got)
}

// order has a bit each for a < b, a <= b and a == b.
func order[T float32 | float64](a, b T) (bits uint32) {
	for i, holds := range []bool{a < b, a <= b, a == b} {
		if holds {
			bits |= 1 << i
		}
	}
	return bits
}

func exactConversions(row, got []uint32) bool {
	return sameDouble(got[5:], float64(math.Float32frombits(row[0]))) && sameFloat(got[7], float32(double(row[2:])))
}

// asDoubles compares what a row shows of doubles with the host's.
func asDoubles(row, got []uint32) bool {
	x, y := double(row[2:]), float64(math.Float32frombits(row[1]))
	product := x * y
	return sameDouble(got[8:], float64(product)-x) && sameDouble(got[10:], x+y)
}

// double reads a double in two words, the lower first.
func double(words []uint32) float64 {
	return math.Float64frombits(uint64(words[1])<<32 | uint64(words[0]))
}

func sameDouble(words []uint32, want float64) bool {
	got := double(words)
	return math.Float64bits(got) == math.Float64bits(want) || got != got && want != want
}

func sameFloat(bits uint32, want float32) bool {
	return bits == math.Float32bits(want) || want != want && bits&0x7FFFFFFF > 0x7F800000
}
