package tui

import (
	"slices"
	"time"

	"vyretop/tui/history"
	"vyretop/tui/view"
)

// nextSpan makes a column of the time lines longer, and after the longest one the shortest.
func (m *model) nextSpan() {
	i := slices.Index(view.TimelineSpans, m.timeline.Span)
	m.timeline.Span = view.TimelineSpans[(i+1)%len(view.TimelineSpans)]
}

// scrollColumns is how many columns one key scrolls the time lines.
const scrollColumns = 10

// scrollTimeline moves the right edge of the time lines, to the past when by is negative.
func (m *model) scrollTimeline(by int) {
	t := &m.timeline
	t.Back = min(max(t.Back-scrollColumns*t.Span*time.Duration(by), 0), history.TimelineReach)
}
