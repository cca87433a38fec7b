package pane

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// RingHead is the rows above the map: the heading and the legend.
const RingHead = 2

// queueRows is the rows of the table of queues, with its head and a space above.
const queueRows = tasks.NumPriorities + 3

// MapArea is the part of the ring's panel that the map is in.
func MapArea(panel cells.Rect) cells.Rect {
	panel.Y += RingHead
	panel.H = max(panel.H-RingHead, 0)
	if panel.H >= queueRows+4 {
		panel.H -= queueRows
	}
	return panel
}

// DrawRing draws the map of the slots, its legend, and below it the queues.
func (l *Look) DrawRing(a cells.Area, f *Frame, s *RingState) {
	total := len(f.SlotCounts.Codes)
	place := MapArea(a.Rect)
	m := LayRing(s, total, place.W, place.H)
	rest := l.titled(a, "Ring", nil, appendRingNote(l.Note(), &m, total, s))
	if total == 0 {
		l.empty(rest, "The ring has not been read yet. Each slot gets a cell here when the first snapshot comes.")
		return
	}
	l.drawStateLegend(rest.Line(0), f, s)
	area := a.Sub(cells.Rect{Y: RingHead, W: a.W, H: place.H})
	l.drawMap(area, f.SlotCounts, &m, s)
	if used := RingHead + min(m.Rows, place.H); a.H-used >= queueRows {
		l.drawQueues(a.Sub(cells.Rect{Y: used + 1, W: a.W, H: queueRows - 1}), f)
	}
}

func appendRingNote(dst []byte, m *RingMap, total int, s *RingState) []byte {
	if m.Slots < total {
		dst = append(strconv.AppendInt(dst, int64(m.First), 10), ".."...)
		dst = append(strconv.AppendInt(dst, int64(m.First+m.Slots-1), 10), " of "...)
	}
	dst = append(strconv.AppendInt(dst, int64(total), 10), " slots  a cell is "...)
	if m.Per == 1 {
		dst = append(dst, "a slot"...)
	} else {
		dst = append(strconv.AppendInt(dst, int64(m.Per), 10), " slots, Enter zooms in"...)
	}
	if s.ByPriority {
		return append(dst, "  by priority"...)
	}
	return append(dst, "  by state"...)
}

// drawStateLegend names the glyphs of the map and counts the slots behind each.
func (l *Look) drawStateLegend(a cells.Area, f *Frame, s *RingState) {
	x := 1
	if s.ByPriority {
		for p := range tasks.Priority(tasks.NumPriorities) {
			a.Set(x, 0, l.Glyphs.Shades()[len(l.Glyphs.Shades())-1], priorityHue(p))
			x = l.drawTally(a, x+2, p.String(), f.SlotCounts.Priorities[p].Live())
		}
		return
	}
	for _, state := range shownStates {
		if state == stats.UnknownState && f.State(state) == 0 {
			continue
		}
		legend := theme.OfTask(state)
		a.Set(x, 0, legend.Symbol(&l.Glyphs), legend.Style)
		x = l.drawTally(a, x+2, legend.Word, f.State(state))
	}
}

// drawTally draws a word and, where there is room for all of them, a number, and returns where the
// next one starts. The number has room to grow, so that what follows stays put.
func (l *Look) drawTally(a cells.Area, x int, word string, n int) int {
	x = a.Text(x, 0, word, theme.Dim) + 1
	if a.W < legendCounts {
		return x
	}
	a.Fit(x, 0, units.CountWidth, units.AppendCount(l.cell[:0], uint64(n)), false, l.Glyphs.Ellipsis, countStyle(uint64(n)))
	return x + units.CountWidth + 1
}

// legendCounts is the width from which the legend of the map has counts.
const legendCounts = 122

func appendSlot(dst []byte, slot int, hex bool) []byte { return units.AppendIndex(dst, slot, hex) }

// Columns of the table of queues.
var queueColumns = []struct {
	title string
	width int
}{{"queue", 9}, {"waiting", 8}, {"running", 8}, {"held", 6}, {"oldest", 7}, {"served", 8}, {"served/s", 9}}

// drawQueues draws what waits by priority, and the inbox before it.
func (l *Look) drawQueues(a cells.Area, f *Frame) {
	x := 1
	for i, c := range queueColumns {
		a.Fit(x, 0, c.width, append(l.cell[:0], c.title...), i > 0, l.Glyphs.Ellipsis, theme.Strong)
		x += c.width + 1
	}
	for p := range tasks.Priority(tasks.NumPriorities) {
		l.drawQueue(a.Line(int(p)+1), f, p)
	}
	line := a.Line(tasks.NumPriorities + 1)
	line.Text(1, 0, "inbox", theme.Plain)
	line.Fit(11, 0, 8, units.AppendCount(l.cell[:0], uint64(f.Backlog)), true, l.Glyphs.Ellipsis, countStyle(uint64(f.Backlog)))
	note := append(units.AppendCount(l.Note(), f.Snap.Submitted), " published, "...)
	note = append(units.AppendCount(note, uint64(f.Snap.InboxTaken)), " taken, "...)
	line.Bytes(21, 0, append(units.AppendCount(note, uint64(f.Snap.Completions)), " completions"...), theme.Dim)
}

func (l *Look) drawQueue(a cells.Area, f *Frame, p tasks.Priority) {
	g := f.SlotCounts.Priorities[p]
	values := [...]uint64{uint64(g.Waiting), uint64(g.Running), uint64(g.Held), uint64(g.Oldest), f.Snap.Served[p]}
	a.Text(1, 0, p.String(), theme.PriorityStyle(p))
	x := 1 + queueColumns[0].width + 1
	for i, v := range values {
		w := queueColumns[i+1].width
		a.Fit(x, 0, w, units.AppendCount(l.cell[:0], v), true, l.Glyphs.Ellipsis, countStyle(v))
		x += w + 1
	}
	rate := append(l.cell[:0], '-')
	if f.Served.Known {
		rate = units.AppendRate(rate[:0], f.Served.Priorities[p])
	}
	a.Fit(x, 0, queueColumns[len(queueColumns)-1].width, rate, true, l.Glyphs.Ellipsis, theme.Plain)
}

// countStyle lets nothing recede.
func countStyle(n uint64) cells.Style {
	if n == 0 {
		return theme.Dim
	}
	return theme.Plain
}

// DrawRingDetail draws the slots under the cursor: the words of a single one, or what several hold.
func (l *Look) DrawRingDetail(a cells.Area, f *Frame, m *RingMap, s *RingState) int {
	if m.Slots == 0 {
		return 1 + l.empty(l.title(a, "Slot", ""), "No slot is selected.")
	}
	from, to := m.SlotsOf(m.Cell(s.Cursor))
	if to-from == 1 {
		return l.DrawSlot(a, f, from)
	}
	rest := l.title(a, fmt.Sprintf("Slots %d..%d", from, to-1), "under the cursor")
	states := f.SlotCounts.Range(from, to)
	for y, state := range shownStates {
		legend, line := theme.OfTask(state), rest.Line(y)
		line.Set(1, 0, legend.Symbol(&l.Glyphs), legend.Style)
		line.Text(3, 0, legend.Word, theme.Plain)
		line.Fit(14, 0, units.CountWidth, units.AppendCount(l.cell[:0], uint64(states[state])), true, l.Glyphs.Ellipsis, countStyle(uint64(states[state])))
		line.Sub(cells.Rect{X: 21, W: min(20, line.W-21), H: 1}).Gauge(float64(states[state])/float64(to-from), l.Glyphs.Bar, ' ', legend.Style, theme.Dim)
	}
	return 1 + len(shownStates)
}

// DrawSlot draws the words of a slot, whatever it holds, and who works on it.
func (l *Look) DrawSlot(a cells.Area, f *Frame, slot int) int {
	words := f.Snap.Slot(slot)
	note := tasks.State(words[tasks.WordState]).String()
	for i := range f.Workers {
		if w := &f.Workers[i]; w.State == megakernel.WorkerRunning && w.Slot == uint32(slot) {
			note += " on worker " + strconv.Itoa(w.ID)
		}
	}
	return 1 + l.drawSlotWords(l.title(a, "Slot "+strconv.Itoa(slot), note), f, words)
}

// drawSlotWords lists the sixteen words of a slot with their meaning, below the word where there is no room beside
// it, and returns the number of rows.
func (l *Look) drawSlotWords(a cells.Area, f *Frame, words *[tasks.SlotWords]uint32) int {
	head, body := a.SplitTop(1)
	head.Text(wordName, 0, "word", theme.Strong)
	head.Text(wordFirst, 0, "value", theme.Strong)
	head.Text(wordSecond, 0, "meaning", theme.Strong)
	beside := body.Sub(cells.Rect{X: wordSecond, W: body.W - wordSecond, H: body.H})
	below := body.Sub(cells.Rect{X: wordName + 2, W: body.W - wordName - 3, H: body.H})
	y := 0
	for i := range tasks.SlotWords {
		line := body.Line(y)
		line.Text(wordName, 0, tasks.WordNames[i], theme.Plain)
		l.drawWord(line, wordFirst, words[i], theme.Plain)
		meaning := f.meaning(words, i)
		if utf8.RuneCountInString(meaning) <= beside.W {
			beside.Text(0, y, meaning, theme.Dim)
			y++
			continue
		}
		y += 1 + wrapFrom(below, y+1, meaning, theme.Dim)
	}
	return 1 + y
}
