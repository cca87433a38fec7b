package fleet

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel/targets"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// The rows of the screen beside the table: two of the header, one of the footer; and of the table its heading.
const (
	headerRows = 2
	footerRows = 1
	tableHead  = 2
	wide       = 120 // columns from which on details stand beside the table
	least      = 5   // rows; with fewer there is one line
)

// draw draws the screen.
func (m *model) draw() {
	if w, h := m.canvas.Size(); w != m.w || h != m.h {
		m.canvas.Resize(m.w, m.h)
	} else {
		m.canvas.Clear()
	}
	screen := m.canvas.Area(cells.Rect{W: m.w, H: m.h})
	if m.h < least {
		m.drawTotals(screen.Line(0))
	} else {
		m.drawHeader(screen)
		m.drawTable(screen)
		m.drawFooter(screen.Line(m.h - 1))
	}
	if m.modal != nil {
		m.modal.draw(m, screen, screen.Line(m.h-1))
	}
	if !m.look.Glyphs.Unicode {
		m.canvas.ToASCII()
	}
}

// drawHeader draws the hub, what is wrong, and the sums.
func (m *model) drawHeader(screen cells.Area) {
	x := screen.Text(1, 0, "vyretop fleet", theme.Title)
	x = screen.Text(x+2, 0, m.o.Hub, theme.Dim)
	for _, b := range m.badges() {
		x = screen.Text(x+2, 0, " "+b.text+" ", b.style)
	}
	m.drawTotals(screen.Line(1))
}

// badge is a word that stands out.
type badge struct {
	text  string
	style cells.Style
}

func (m *model) badges() (out []badge) {
	if m.lost != nil {
		out = append(out, badge{"HUB LOST " + units.Age(m.o.Now().Sub(m.since)), theme.BadgeWarn})
	}
	if m.place.frozen != nil {
		out = append(out, badge{"FROZEN", theme.Badge})
	}
	if m.critical > 0 {
		out = append(out, badge{units.Plural(m.critical, "critical alert"), theme.BadgeWarn})
	}
	if m.warning > 0 {
		out = append(out, badge{units.Plural(m.warning, "warning"), theme.Badge})
	}
	if m.busy > 0 {
		out = append(out, badge{fmt.Sprintf("%d to answer", m.busy), theme.Badge})
	}
	if m.o.Command == nil {
		out = append(out, badge{"read-only", theme.Dim})
	}
	return out
}

// drawTotals draws the sums over all targets.
func (m *model) drawTotals(line cells.Area) {
	g := targets.Total(m.rows.list)
	lost := 0
	for _, t := range m.rows.list {
		if t.Lost {
			lost++
		}
	}
	parts := []badge{
		{units.Plural(g.Targets, "target"), theme.Plain}, {fmt.Sprintf("%d live", g.Live), theme.Good}, {fmt.Sprintf("%d stalled", g.Stalled), alarming(g.Stalled)},
		{fmt.Sprintf("%d lost", lost), alarming(lost)}, {units.Count(g.TasksPerS) + " tasks/s", theme.Accent}, {units.Count(g.Done) + " done", theme.Plain},
		{units.Count(g.Faulted) + " faulted", alarming(int(min(g.Faulted, 1)))},
	}
	x := 1
	for i, p := range parts {
		if i > 0 {
			line.Set(x+1, 0, m.look.Glyphs.Separator, theme.Dim)
			x += 3
		}
		x = line.Text(x, 0, p.text, p.style)
	}
}

// alarming is the style of a number that should be 0.
func alarming(n int) cells.Style {
	if n > 0 {
		return theme.Danger
	}
	return theme.Dim
}

const hint = "No targets. Start one: vyretop run WORKLOAD --hub HUB"

// drawTable draws the targets or the groups, and beside them the selected one in full where there is room.
func (m *model) drawTable(screen cells.Area) {
	body := screen.Sub(cells.Rect{Y: headerRows, W: m.w, H: m.h - headerRows - footerRows})
	left := body.Sub(cells.Rect{W: m.tableWidth(), H: body.H})
	name := "targets"
	if m.place.group != "" {
		name = "by " + m.place.group
	}
	note := []string{fmt.Sprintf("%d/%d", len(m.arranged.Rows), m.arranged.Total)}
	if n := len(m.place.state.Marks); n > 0 {
		note = append(note, fmt.Sprintf("%d marked", n))
	}
	if f := m.place.state.FilterText; f != "" {
		note = append(note, "/"+f)
	}
	m.look.DrawPanel(left, pane.Heading{Name: name, Note: []byte(strings.Join(note, "  ")), Hint: hint}, m.shown(), &m.arranged, m.state())
	top := m.state().Top
	m.look.DrawMore(left.Line(0), top, len(m.arranged.Rows)-top-m.page())
	if left.W < body.W {
		m.drawDetail(body.Sub(cells.Rect{X: left.W + 1, W: body.W - left.W - 1, H: body.H}))
	}
}

// drawDetail draws the selected target in full.
func (m *model) drawDetail(a cells.Area) {
	t := m.selected()
	if t == nil {
		return
	}
	a.Text(0, 0, t.Title(), theme.Title)
	row, y := targets.Row{Target: t, Now: m.rows.now}, 1
	line := func(name, value string, style cells.Style) {
		if y < a.H {
			a.Text(0, y, name, theme.Dim)
			a.Text(24, y, value, style)
			y++
		}
	}
	for i := range targets.Columns {
		if v := row.Value(i); v != nil && v != t.Title() { // of a run on one device the run has the title of the target
			line(strings.TrimPrefix(columns[i].ID, "device_"), string(appendValue(nil, columns[i].ID, v)), styleOf(t, columns[i].ID))
		}
	}
	if t.Unsent > 0 {
		line("unsent messages", units.Count(t.Unsent), theme.Warning)
	}
	if skew := t.Skew.Abs(); skew > skewed {
		line("clock", "differs by "+units.Duration(skew.Round(time.Second)), theme.Warning)
	}
	for _, name := range t.Alerts {
		line("alert", name, theme.Danger)
	}
	chart := a.Sub(cells.Rect{Y: y + 1, W: a.W, H: min(a.H-y-1, chartRows)})
	if chart.H > 0 && len(t.Rates) > 0 {
		top := 0.0
		for _, r := range t.Rates {
			top = max(top, r)
		}
		chart.Columns(t.Rates, top, m.look.Glyphs.Columns, theme.Graph)
	}
}

const (
	chartRows = 6
	skewed    = 5 * time.Second // clocks that differ by more are worth a line
)

// drawFooter draws the keys, or a message. Those by which all others are found, and by which one leaves, are always there; the version is
// where there is room.
func (m *model) drawFooter(line cells.Area) {
	if m.message != "" {
		line.Text(1, 0, m.message, m.style)
		return
	}
	var hints []*binding
	for i := range bindings {
		if b := &bindings[i]; b.short != "" && len(m.keysOf(b)) > 0 && (!b.writes() || m.o.Command != nil) {
			hints = append(hints, b)
		}
	}
	last := max(len(hints)-lastHints, 0)
	x, left := 1, line.W-m.hintsWidth(hints[last:])
	for i, b := range hints {
		if i < last && x+m.hintsWidth(hints[i:i+1]) > left {
			continue
		}
		x = line.Text(x, 0, m.keysOf(b)[0], theme.Key)
		x = line.Text(x+1, 0, b.short, theme.Dim) + hintGap
	}
	if at := line.W - utf8.RuneCountInString(m.o.Version) - 1; at > x {
		line.Text(at, 0, m.o.Version, theme.Dim)
	}
}

// lastHints are help and leaving, at the end of the bindings; hintGap is the space between two hints.
const (
	lastHints = 2
	hintGap   = 2
)

// hintsWidth is the width of hints, with the gap behind each.
func (m *model) hintsWidth(hints []*binding) (w int) {
	for _, b := range hints {
		w += utf8.RuneCountInString(m.keysOf(b)[0]) + 1 + utf8.RuneCountInString(b.short) + hintGap
	}
	return w
}

// helpLines list the keys.
func (m *model) helpLines() (lines []string) {
	for i := range bindings {
		if b := &bindings[i]; !b.writes() || m.o.Command != nil {
			lines = append(lines, fmt.Sprintf("%-18s %s", strings.Join(m.keysOf(b), " "), b.help))
		}
	}
	return lines
}

// doubleClick is the longest time between the two clicks of a double click, wheelRows how many rows a notch of the wheel moves.
const (
	doubleClick = 400 * time.Millisecond
	wheelRows   = 3
)

// mouse handles the mouse: a click selects, a second one opens, one on the head of a column sorts, the wheel moves.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		step := wheelRows
		if at.Button == tea.MouseWheelUp {
			step = -step
		}
		m.move(step)
	case tea.MouseClickMsg:
		row := at.Y - headerRows - tableHead
		switch {
		case m.modal != nil || at.Button != tea.MouseLeft || at.X >= m.tableWidth():
		case row == -1:
			m.sortColumn(at.X)
		case row >= 0 && row < m.page() && m.state().Top+row < len(m.arranged.Rows):
			return m.clickRow(m.state().Top + row)
		}
	}
	return nil
}

func (m *model) sortColumn(x int) {
	column, ok := pane.ColumnAt(m.shown().Columns(), m.tableWidth(), x)
	if !ok {
		return
	}
	s := m.state()
	if s.Sort == column {
		s.Descending = !s.Descending
	}
	s.Sort = column
	m.arrange()
}

func (m *model) clickRow(position int) tea.Cmd {
	m.selectAt(position)
	now, key := m.o.Now(), m.state().Selected
	again := m.click.key == key && now.Sub(m.click.at) < doubleClick
	m.click = lastClick{key, now}
	if again {
		return m.enter()
	}
	return nil
}
