package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/layout"
	"vyretop/tui/theme"
)

// drag is what the pressed button of the mouse holds.
type drag struct {
	pane   layout.Pane
	border bool // of the pane
	time   bool // the head on the bar of time
}

// dragTo follows the pointer.
func (pt *pointer) dragTo(at tea.Mouse) {
	l := pt.shell.layout()
	switch {
	case pt.drag.border:
		pt.shell.sizes[pt.drag.pane] = l.Dragged(pt.drag.pane, pt.width, at.X, at.Y)
	case pt.drag.time:
		at.Y = l.Scrub.Y // a hand is not that steady
		pt.seekTo(l, at)
	}
}

// Steps of the keys that resize panes.
const (
	detailStep = 5 // percent
	rowStep    = 2
)

// resize makes an action of a change of the size of a pane; below the least size it is hidden, and the next
// step shows it again.
func resize(p layout.Pane, by int) action {
	return quiet(func(m *model) {
		l := m.layout()
		size := l.Size(p, m.width)
		switch {
		case m.sizes[p] == layout.Hidden && by > 0:
			size = 0 // as it suits the screen
		case size == 0:
			m.say(theme.Plain, p.String()+" pane not shown: the view has none, or the screen is too small")
			return
		case size+by < layout.MinPane:
			size = layout.Hidden
		case p == layout.DetailPane:
			size = min(size+by, layout.MaxDetail)
		default:
			size += by
		}
		m.sizes[p] = size
	})
}

// typedLayout changes the sizes of panes: "layout detail=45 log=off strip=auto".
func (m *model) typedLayout(args []string) (tea.Cmd, error) {
	if len(args) == 0 {
		return nil, misuse("layout", "say which pane gets which size")
	}
	sizes := m.sizes
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		p := slices.Index(paneNames(), name)
		if p < 0 {
			return nil, misuse("layout", strconv.Quote(name)+" is none of the panes "+strings.Join(paneNames(), ", "))
		}
		size, err := paneSize(layout.Pane(p), value)
		if err != nil {
			return nil, err
		}
		sizes[p] = size
	}
	m.sizes = sizes
	return nil, nil
}

// paneSize reads a size: a number, "auto" or "off".
func paneSize(p layout.Pane, text string) (int, error) {
	most := 1000
	if p == layout.DetailPane {
		most = layout.MaxDetail
	}
	n, err := strconv.Atoi(strings.TrimSuffix(text, "%"))
	switch {
	case text == "auto":
		return 0, nil
	case text == "off":
		return layout.Hidden, nil
	case err != nil || n < layout.MinPane || n > most:
		return 0, misuse("layout", strconv.Quote(text)+" is none of auto, off and "+strconv.Itoa(layout.MinPane)+" to "+strconv.Itoa(most))
	}
	return n, nil
}

func paneNames() []string {
	names := make([]string, layout.NumPanes)
	for p := range layout.NumPanes {
		names[p] = p.String()
	}
	return names
}
