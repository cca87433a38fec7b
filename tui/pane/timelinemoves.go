package pane

import (
	"slices"
	"sort"
	"time"

	"vyretop/tui/history"
)

// zoom makes columns by steps longer, or shorter when that is negative. What is selected, or else the newest or the middle of the screen, stays where it is.
func (p *TimelinePane) zoom(by, width int, f *Frame) {
	from, to, now := p.Window(width, f)
	i := sort.Search(len(TimelineSpans), func(i int) bool { return TimelineSpans[i] >= now })
	anchor, follows := from+(to-from)/2, p.End == 0 && !p.Whole
	if s := p.Timeline.Selected; s != nil {
		anchor, follows = s.Begin+(s.End-s.Begin)/2, false
	}
	p.Span = TimelineSpans[min(max(i+by, 0), len(TimelineSpans)-1)]
	p.Whole = false
	if follows {
		return
	}
	p.pin(anchor+time.Duration(float64(to-from)/2*float64(p.Span)/float64(now)), f)
}

// pin moves the right edge to a time, or has it follow the snapshot where nothing is behind that.
func (p *TimelinePane) pin(end time.Duration, f *Frame) {
	now := p.taken(f)
	_, to := p.Lines.Reach()
	p.Whole = false
	if p.End = max(end, p.Span); p.End >= max(to, now) {
		if p.End = max(to, now); p.End == now {
			p.End = 0
		}
	}
}

func (p *TimelinePane) taken(f *Frame) time.Duration {
	if f.Snap == nil {
		return 0
	}
	return f.Snap.Taken
}

// panColumns is how many columns one key moves the timeline.
const panColumns = 10

// pan moves the right edge, to the past when by is negative.
func (p *TimelinePane) pan(by, width int, f *Frame) {
	_, to, span := p.Window(width, f)
	if p.Whole {
		p.Span = span
	}
	p.pin(to+time.Duration(panColumns*by)*span, f)
}

// back deselects the span, or else shows the newest again.
func (p *TimelinePane) back() bool {
	switch {
	case p.Timeline.Selected != nil:
		p.Timeline.Selected = nil
	case p.Whole, p.End > 0:
		p.Whole, p.End = false, 0
	default:
		return false
	}
	return true
}

// selectSpan selects a span of a worker and brings it into sight. The timeline stands still then.
func (p *TimelinePane) selectSpan(worker int, s history.Span, width int, f *Frame) {
	p.Timeline.Selected, p.Worker = &s, worker
	from, to, span := p.Window(width, f)
	switch {
	case p.Whole:
	case s.Begin < from, s.Begin >= to:
		p.pin(s.Begin+(to-from)/2, f)
	case p.End == 0:
		p.End = to - span
	}
}

// step selects the next span of a worker, or the one before.
func (p *TimelinePane) step(worker, by, width int, f *Frame) bool {
	spans := p.Lines.Spans(worker, 0, endOfTime)
	from, to, _ := p.Window(width, f)
	i := sort.Search(len(spans), func(i int) bool { return spans[i].Begin >= from })
	if by < 0 {
		i = sort.Search(len(spans), func(i int) bool { return spans[i].Begin >= to }) - 1
	}
	if s := p.Timeline.Selected; s != nil && p.Worker == worker {
		i = sort.Search(len(spans), func(i int) bool { return spans[i].Begin >= s.Begin })
		if at := slices.Index(spans[i:], *s); at >= 0 {
			i += at
		}
		i += by
	}
	if i < 0 || i >= len(spans) {
		return false
	}
	p.selectSpan(worker, spans[i], width, f)
	return true
}

const endOfTime = time.Duration(1<<63 - 1)

// at is the span of a worker that takes most of a column.
func (p *TimelinePane) at(worker int, from, width time.Duration) (best history.Span, ok bool) {
	longest := time.Duration(-1)
	spans := p.Lines.Spans(worker, from, from+width)
	for i := range spans {
		s := &spans[i]
		if d := min(s.End, from+width) - max(s.Begin, from); d > longest && s.End >= from {
			best, longest, ok = *s, d, true
		}
	}
	return best, ok
}
