package pane

import (
	"vyretop/megakernel/stats"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// RingState is what the user did to the map of the ring.
type RingState struct {
	First, Span int // the slots shown; Span 0: all of them
	Cursor      int // slot that the cursor is on
	ByPriority  bool
}

// RingMap is how slots are laid out on the cells of a map: row by row, Per slots to a cell.
type RingMap struct {
	First, Slots  int // slots shown: from First on
	Per           int // slots of one cell, a power of two
	Columns, Rows int
}

// mapLabel is the width of the slot numbers left of the map.
const mapLabel = 9

// LayRing lays out the slots of a ring of total slots on an area of w by h cells. The number of
// columns is a power of two, so that the rows begin at round slot numbers.
func LayRing(s *RingState, total, w, h int) RingMap {
	m := RingMap{First: min(max(s.First, 0), total), Slots: s.Span, Per: 1, Columns: 1}
	if m.Slots <= 0 || m.First+m.Slots > total {
		m.Slots = total - m.First
	}
	for m.Columns*2 <= w-mapLabel {
		m.Columns *= 2
	}
	for m.Per*m.Columns*max(h, 1) < m.Slots {
		m.Per *= 2
	}
	m.Rows = (m.Slots + m.Per*m.Columns - 1) / (m.Per * m.Columns)
	return m
}

// Cell is the number of the cell that shows a slot.
func (m *RingMap) Cell(slot int) int { return (slot - m.First) / m.Per }

// SlotsOf are the slots of a cell: from..to-1.
func (m *RingMap) SlotsOf(cell int) (from, to int) {
	from = min(m.First+cell*m.Per, m.First+m.Slots)
	return from, min(from+m.Per, m.First+m.Slots)
}

// Move is the slot that the cursor comes to when it moves by a number of columns and rows.
func (m *RingMap) Move(slot, columns, rows int) int {
	last := max(m.First+m.Slots-1, m.First)
	to := slot + (columns+rows*m.Columns)*m.Per
	if to < m.First || to > last {
		to = slot + columns*m.Per // no such row
	}
	return min(max(to, m.First), last)
}

// At is the first slot of the cell at column x and row y of the area the map is drawn in.
func (m *RingMap) At(x, y int) (slot int, ok bool) {
	x -= mapLabel
	if x < 0 || x >= m.Columns || y < 0 || y >= m.Rows {
		return 0, false
	}
	from, to := m.SlotsOf(y*m.Columns + x)
	return from, from < to
}

// drawMap draws the cells, the slot numbers left of them and the cursor.
func (l *Look) drawMap(a cells.Area, c *stats.SlotCounts, m *RingMap, s *RingState) {
	for y := range min(m.Rows, a.H) {
		from, _ := m.SlotsOf(y * m.Columns)
		a.Fit(0, y, mapLabel-1, appendSlot(l.cell[:0], from, l.Hex), true, l.Glyphs.Ellipsis, theme.Dim)
		for x := range m.Columns {
			from, to := m.SlotsOf(y*m.Columns + x)
			if from >= to {
				break
			}
			glyph, style := l.mapCell(c.Codes[from:to], s.ByPriority)
			if s.Cursor >= from && s.Cursor < to {
				style = selectedStyle(style)
			}
			a.Set(mapLabel+x, y, glyph, style)
		}
	}
}

// mapCell is how a run of slots looks: a single one by its state's glyph; more of them by how many
// hold a task that has not ended, in the hue of what most of these do. A fault or a word without
// meaning is shown though it be one among thousands.
func (l *Look) mapCell(codes []stats.Code, byPriority bool) (rune, cells.Style) {
	if len(codes) == 1 {
		legend := theme.OfTask(codes[0].State())
		if live(codes[0].State()) && byPriority {
			return legend.Symbol(&l.Glyphs), priorityHue(codes[0].Priority())
		}
		return legend.Symbol(&l.Glyphs), legend.Style
	}
	var states [stats.UnknownState + 1]int
	var priorities [stats.UnknownPriority + 1]int
	for _, c := range codes {
		states[c.State()]++
		if live(c.State()) {
			priorities[c.Priority()]++
		}
	}
	for _, s := range []tasks.State{stats.UnknownState, tasks.Faulted} {
		if states[s] > 0 {
			legend := theme.OfTask(s)
			return legend.Symbol(&l.Glyphs), legend.Style
		}
	}
	style, n := mostStates(&states)
	if byPriority {
		style = mostPriorities(&priorities)
	}
	return l.density(n, len(codes), states[tasks.Done] > 0), style
}

// live reports whether a task in the state has not ended.
func live(s tasks.State) bool { return s != tasks.Empty && s < tasks.NumStates && !s.Terminal() }

// mostStates is the hue of the state that most live tasks are in, and the number of live tasks.
func mostStates(states *[stats.UnknownState + 1]int) (cells.Style, int) {
	style, most, n := theme.Dim, 0, 0
	for s, count := range states {
		if !live(tasks.State(s)) {
			continue
		}
		n += count
		if count > most {
			most, style = count, theme.OfTask(tasks.State(s)).Style
		}
	}
	return style, n
}

func mostPriorities(priorities *[stats.UnknownPriority + 1]int) cells.Style {
	style, most := theme.Dim, 0
	for p, count := range priorities {
		if count > most {
			most, style = count, priorityHue(tasks.Priority(p))
		}
	}
	return style
}

var priorityHues = [tasks.NumPriorities]cells.Style{
	tasks.Critical: theme.Waiting, tasks.High: theme.Changed, tasks.Normal: theme.Running, tasks.Low: theme.Ready, tasks.Idle: theme.Yielded,
}

// priorityHue tells priorities apart on a map, where there is no room for their names.
func priorityHue(p tasks.Priority) cells.Style {
	if p < tasks.NumPriorities {
		return priorityHues[p]
	}
	return theme.Unknown
}

// density is the shade for n live tasks in a cell of size slots.
func (l *Look) density(n, size int, done bool) rune {
	shades := l.Glyphs.Shades()
	switch {
	case n > 0:
		return shades[min(1+n*(len(shades)-1)/(size+1), len(shades)-1)]
	case done:
		return theme.OfTask(tasks.Done).Symbol(&l.Glyphs)
	default:
		return theme.OfTask(tasks.Empty).Symbol(&l.Glyphs)
	}
}
