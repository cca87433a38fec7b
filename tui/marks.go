package tui

import (
	"slices"
	"time"

	"vyretop/engine/units"
	"vyretop/tui/theme"
)

// toggleMark sets a marker at that time on the screen, or takes it away.
func (ps *position) toggleMark() {
	at := ps.span().At
	i, found := slices.BinarySearch(ps.marks, at)
	if found {
		ps.marks = slices.Delete(ps.marks, i, i+1)
		ps.say(theme.Plain, "marker at "+units.Clock(at)+" removed")
		return
	}
	ps.marks = slices.Insert(ps.marks, i, at)
	ps.say(theme.Good, "marker at "+units.Clock(at)+": { and } go from marker to marker")
}

// seekMark makes an action of going to the next marker, or the one before.
func seekMark(by int) action {
	return quiet(func(m *model) {
		at := m.position.span().At
		i, found := slices.BinarySearch(m.position.marks, at)
		switch {
		case by < 0:
			i--
		case found:
			i++
		}
		if i < 0 || i >= len(m.position.marks) {
			m.say(theme.Plain, "no further marker: m sets one")
			return
		}
		m.position.seekTime(m.position.marks[i])
	})
}

// toggleLoop lets a recording begin again at its end, or no longer.
func (ps *position) toggleLoop() {
	ps.loop = !ps.loop
	if ps.loop {
		ps.say(theme.Plain, "loop: the recording begins again at its end")
	} else {
		ps.say(theme.Plain, "no loop: the recording stops at its end")
	}
}

// rewound begins a looping recording again that has played to its end.
func (ps *position) rewound() {
	t := ps.transport
	if t == nil || !ps.loop || t.Playing() {
		return
	}
	if at, end := t.Position(); at >= end && end > 0 {
		t.Seek(time.Duration(0))
		t.Play()
	}
}
