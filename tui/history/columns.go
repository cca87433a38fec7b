package history

import (
	"time"

	"vyretop/megakernel/stats"
)

// tally adds up what a worker did in columns of equal length.
type tally struct {
	from  time.Duration
	width time.Duration
	kinds int             // how many values of Seen there are, for each of what is recorded and what is not
	times []time.Duration // by column, then recorded first, then by Seen
	n     int
}

func (t *tally) reset(from, width time.Duration, n, ops int) {
	t.from, t.width, t.n, t.kinds = from, width, n, int(seenOps)+ops
	size := n * 2 * t.kinds
	if cap(t.times) < size {
		t.times = make([]time.Duration, size)
	}
	t.times = t.times[:size]
	clear(t.times)
}

// add enters a span. One that takes no time counts as one nanosecond: it is there.
func (t *tally) add(s *Span) {
	end := max(s.End, s.Begin+1)
	if end <= t.from || s.Begin >= t.from+time.Duration(t.n)*t.width {
		return
	}
	first := max(int64((s.Begin-t.from)/t.width), 0)
	last := min(int64((end-1-t.from)/t.width), int64(t.n)-1)
	for x := first; x <= last; x++ {
		at := t.from + time.Duration(x)*t.width
		t.times[t.index(int(x), s)] += min(end, at+t.width) - max(s.Begin, at)
	}
}

func (t *tally) index(x int, s *Span) int {
	i := 2 * x
	if !s.Recorded() {
		i++
	}
	return i*t.kinds + int(s.Seen)
}

// column is what took the most time in a column; what is recorded counts before what was seen.
func (t *tally) column(x int) (c Column) {
	for part := range 2 {
		times := t.times[(2*x+part)*t.kinds:][:t.kinds]
		best := time.Duration(0)
		for seen, d := range times {
			if d > best {
				best = d
				c = Column{Seen: Seen(seen), Recorded: part == 0, Share: share(d, t.width)}
			}
		}
		if best > 0 {
			return c
		}
	}
	return c
}

func share(part, whole time.Duration) uint8 {
	return uint8(min(max(float64(part)/float64(whole)*255, 1), 255))
}

// Columns appends what a worker did in n columns from a time on, as far as it was before another time.
func (l *Lines) Columns(dst []Column, worker int, from, width time.Duration, n int, until time.Duration) []Column {
	if l.coarse.serves(width) {
		return l.coarse.columns(dst, worker, from, width, n)
	}
	t := &l.coarse.tally
	t.reset(from, width, n, len(l.ops))
	spans := l.Spans(worker, from, from+time.Duration(n)*width)
	for i := range spans {
		if s := spans[i]; s.Begin < until {
			s.End = min(s.End, until)
			t.add(&s)
		}
	}
	since := l.Since(worker)
	for x := range n {
		at := from + time.Duration(x)*width
		c := t.column(x)
		switch {
		case at < since:
			c = l.fine.over(worker, at, width).column()
		case c.Seen == SeenNothing:
			c.Seen = l.coverage.at(at, min(at+width, until))
			c.Recorded = c.Seen == SeenIdle
		}
		dst = append(dst, c)
	}
	name(dst[len(dst)-n:], spans, from, width)
	return dst
}

// name says in columns which activation they show, where one takes more than a column.
func name(columns []Column, spans []Span, from, width time.Duration) {
	for i := range spans {
		s := &spans[i]
		if s.End-s.Begin <= width || s.Kind == stats.Pause {
			continue
		}
		first, last := max(int64((s.Begin-from)/width), 0), min(int64((s.End-from)/width), int64(len(columns))-1)
		for x := first; x <= last; x++ {
			at := from + time.Duration(x)*width
			if c := &columns[x]; c.Seen == s.Seen && c.Recorded == s.Recorded() && 2*(min(s.End, at+width)-max(s.Begin, at)) >= width {
				c.Number, c.Task = s.Number, s.Task
			}
		}
	}
}
