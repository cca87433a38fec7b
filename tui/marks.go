package tui

import (
	"slices"
	"time"

	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// toggleMark sets a marker at the moment on the screen, or takes it away.
func (m *model) toggleMark() {
	at := m.span().At
	i, found := slices.BinarySearch(m.marks, at)
	if found {
		m.marks = slices.Delete(m.marks, i, i+1)
		m.say(theme.Plain, "no marker at "+units.Clock(at)+" any more")
		return
	}
	m.marks = slices.Insert(m.marks, i, at)
	m.say(theme.Good, "marker at "+units.Clock(at)+": { and } go from marker to marker")
}

// seekMark makes an action of going to the next marker, or the one before.
func seekMark(by int) action {
	return quiet(func(m *model) {
		at := m.span().At
		i, found := slices.BinarySearch(m.marks, at)
		switch {
		case by < 0:
			i--
		case found:
			i++
		}
		if i < 0 || i >= len(m.marks) {
			m.say(theme.Plain, "there is no further marker: m sets one")
			return
		}
		m.seekMoment(m.marks[i])
	})
}

// toggleLoop lets a recording begin again at its end, or no longer.
func (m *model) toggleLoop() {
	m.loop = !m.loop
	if m.loop {
		m.say(theme.Plain, "loop: the recording begins again at its end")
	} else {
		m.say(theme.Plain, "no loop: the recording stops at its end")
	}
}

// rewound begins a looping recording again that has played to its end.
func (m *model) rewound() {
	t := m.transport
	if t == nil || !m.loop || t.Playing() {
		return
	}
	if at, end := t.Position(); at >= end && end > 0 {
		t.Seek(time.Duration(0))
		t.Play()
	}
}
