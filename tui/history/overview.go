package history

import (
	"slices"
	"time"
)

// Bounds of the overviews.
const (
	coarseCells = 1024
	coarseCell  = 100 * time.Millisecond
	fineCells   = 1 << 22 // of all workers
	fineCell    = time.Millisecond
	segment     = 1 << 12 // cells that are filled at a time
	// backlog is how long before the first snapshot the overviews begin: the log may tell of that time.
	backlog = 10 * time.Second
)

// overview is all of a run in a bounded number of cells of the same length, which doubles when they are used up.
type overview struct {
	start  time.Duration // of the first cell
	length time.Duration // of a cell
	rows   [][]cell      // by worker, as far as they are used
	tally  tally
}

func (o *overview) begin(first, length time.Duration) {
	o.start = max(first-backlog, 0).Truncate(coarseCell)
	o.length = length
}

// fineLimit is how many fine cells each of a number of workers may have.
func fineLimit(workers int) int { return max(fineCells/max(workers, 1), coarseCells) }

// Cell is the length of the cells that are drawn where spans are gone.
func (l *Lines) Cell() time.Duration { return l.fine.length }

// serves reports whether columns of a width are drawn from the overview rather than from spans.
func (o *overview) serves(width time.Duration) bool { return o.length > 0 && width >= 2*o.length }

// add enters what a worker did between two snapshots. A worker has at most limit cells.
func (o *overview) add(worker int, ops []uint32, spans []Span, from, to time.Duration, complete bool, limit int) {
	for len(o.rows) <= worker {
		o.rows = append(o.rows, nil)
	}
	for o.number(to) >= limit {
		o.halve()
	}
	for i := range spans {
		from = min(from, spans[i].Begin) // the log may tell of the time before the first snapshot
	}
	for first, last := max(o.number(from), 0), o.number(to); first <= last; first += segment {
		o.fill(worker, ops, spans, first, min(first+segment-1, last), complete)
	}
}

// fill enters what a worker did into some cells.
func (o *overview) fill(worker int, ops []uint32, spans []Span, first, last int, complete bool) {
	row := &o.rows[worker]
	if n := last + 1 - len(*row); n > 0 {
		if cap(*row) <= last {
			*row = slices.Grow(*row, n+segment)
		}
		clear((*row)[len(*row) : last+1])
		*row = (*row)[:last+1]
	}
	o.tally.reset(o.start+time.Duration(first)*o.length, o.length, last-first+1, len(ops))
	for i := range spans {
		o.tally.add(&spans[i])
	}
	for x := first; x <= last; x++ {
		c := o.tally.column(x - first)
		if c.Seen == SeenNothing {
			c.Seen, c.Recorded = SeenUnknown, complete
			if complete {
				c.Seen = SeenIdle
			}
		}
		o.enter(&(*row)[x], cell{c.Seen, c.Recorded, c.Share})
	}
}

// enter adds to a cell what an interval says of it.
func (o *overview) enter(to *cell, c cell) {
	switch rt, rc := to.rank(), c.rank(); {
	case rc == rt && to.seen == c.seen:
		to.share = uint8(min(int(to.share)+int(c.share), 255))
	case rc > rt, rc == rt && c.share > to.share:
		*to = c
	}
}

func (o *overview) number(t time.Duration) int { return int((t - o.start) / o.length) }

// halve makes one cell of each two.
func (o *overview) halve() {
	o.length *= 2
	for w, r := range o.rows {
		half := (len(r) + 1) / 2
		for i := range half {
			c := r[2*i]
			if 2*i+1 < len(r) {
				c = merge(c, r[2*i+1])
			}
			r[i] = c
		}
		o.rows[w] = r[:half]
	}
}

// at is the cell of a worker that contains a time.
func (o *overview) at(worker int, t time.Duration) (c cell) {
	if worker >= len(o.rows) || o.length == 0 || t < o.start {
		return c
	}
	if n := o.number(t); n < len(o.rows[worker]) {
		return o.rows[worker][n]
	}
	return c
}

// over is what is drawn of a column, of at least the cell that it begins in.
func (o *overview) over(worker int, from, width time.Duration) cell {
	if o.length == 0 {
		return cell{} // there was no snapshot yet
	}
	c := o.at(worker, from)
	for t := from + o.length; t < from+width; t += o.length {
		c = widest(c, o.at(worker, t))
	}
	return c
}

// columns appends columns of at least a cell's length.
func (o *overview) columns(dst []Column, worker int, from, width time.Duration, n int) []Column {
	for x := range n {
		dst = append(dst, o.over(worker, from+time.Duration(x)*width, width).column())
	}
	return dst
}

// widest is what is drawn of two cells of a column.
func widest(a, b cell) cell {
	if ra, rb := a.rank(), b.rank(); rb > ra || rb == ra && b.share > a.share {
		return b
	}
	return a
}

// cell is a column of the overview.
type cell struct {
	seen     Seen
	recorded bool
	share    uint8
}

func (c cell) column() Column { return Column{Seen: c.seen, Recorded: c.recorded, Share: c.share} }

// rank is how much a cell says: the greater one is drawn where two become one.
func (c cell) rank() int {
	switch {
	case c.seen == SeenAbsent:
		return 1
	case c.seen >= SeenPaused && c.recorded:
		return 4
	case c.seen >= SeenPaused:
		return 3
	case c.seen == SeenUnknown:
		return 2 // idleness for a part of the time must not look like idleness for all of it
	case c.seen == SeenIdle:
		return 1
	}
	return 0
}

// merge makes one cell of two that follow each other and are of the same length.
func merge(a, b cell) cell {
	switch {
	case a.seen == b.seen && a.recorded == b.recorded:
		a.share = uint8((int(a.share) + int(b.share)) / 2)
		return a
	default:
		c := widest(a, b)
		c.share /= 2
		return c
	}
}
