package tui

import (
	"context"
	"image"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/words"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/pane"
)

// views are the panes, and which of them is shown.
type views struct {
	*shared

	shell    *model
	panes    []pane.Pane // in the order of pane.Kinds
	tab      keymap.View
	lastTab  keymap.View
	expanded bool      // the details of the selection take the whole panel
	tail     pane.Tail // where the log below a table is

	memory   *pane.MemoryPane
	launch   *pane.LaunchPane
	ring     *pane.RingPane
	timeline *pane.TimelinePane
}

// newViews makes the panes of a dashboard whose other parts are there.
func newViews(m *model, o *Options) *views {
	vs := &views{shared: m.shared, shell: m}
	env := vs.env(o)
	for _, k := range pane.Kinds {
		p := k.New(env, k)
		vs.panes = append(vs.panes, p)
		switch p := p.(type) {
		case *pane.MemoryPane:
			vs.memory = p
		case *pane.LaunchPane:
			vs.launch = p
		case *pane.RingPane:
			vs.ring = p
		case *pane.TimelinePane:
			vs.timeline = p
		}
	}
	return vs
}

// env is what the panes know of the dashboard.
func (vs *views) env(o *Options) *pane.Env {
	m := vs.shell
	env := &pane.Env{
		Shell: host{m}, Position: shownTime{m.position}, Look: &m.look, Target: &m.target,
		Ctx: func() context.Context { return m.ctx }, Now: func() time.Time { return m.now() }, Say: m.say, Fail: m.fail,
		Type:   func(text string) { m.commands.typeAs(text) },
		Sheet:  func(title, text string) { m.modal = newSheet(title, text) },
		KeyOf:  func(id string) string { return firstKey(m.chrome.keys.ByID(id)) },
		Sorted: o.Sorting, Live: m.live(), Steers: func() bool { return m.sink != nil }, Quota: m.control.quota,
	}
	var buffers []megakernel.BufferInfo
	if r := m.can.buffers; r != nil {
		env.Reader, buffers = r, r.Buffers()
	}
	env.Names = words.For(buffers)
	env.Again, env.Run, env.Cell = m.can.again, m.can.run, func() (image.Point, bool) { return cellOf(m) }
	return env
}

// pane is the one of a view; nil where there is none.
func (vs *views) pane(v keymap.View) pane.Pane {
	for _, p := range vs.panes {
		if p.Spec().View == v {
			return p
		}
	}
	return nil
}

// shown is the pane of the current view, and table its rows.
func (vs *views) shown() pane.Pane   { return vs.pane(vs.tab) }
func (vs *views) table() *pane.Table { return vs.shown().Table() }

// each does something with all tables, those that several panes share once.
func (vs *views) each(do func(*pane.Table)) {
	for _, p := range vs.panes {
		if t := p.Table(); t.View == p.Spec().View {
			do(t)
		}
	}
}

// outdate says that a new frame has come.
func (vs *views) outdate() { vs.each((*pane.Table).Outdate) }

// forgetRows has all rows made again.
func (vs *views) forgetRows() { vs.each((*pane.Table).Forget) }

// restore sorts the tables as they were sorted last.
func (vs *views) restore() { vs.each((*pane.Table).Restore) }

// showTab changes the view.
func (vs *views) showTab(v keymap.View) {
	if v != vs.tab {
		vs.lastTab, vs.tab = vs.tab, v
	}
	vs.expanded = false
	vs.forgetRows()
}

// stepTab shows the view the number of tabs further on.
func (vs *views) stepTab(by int) {
	n := len(vs.panes)
	i := slices.IndexFunc(vs.panes, func(p pane.Pane) bool { return p.Spec().View == vs.tab })
	for range n {
		if i = (i + by + n) % n; !vs.panes[i].Spec().Absent {
			vs.showTab(vs.panes[i].Spec().View)
			return
		}
	}
}

// pressTab is the digit of a view.
func (vs *views) pressTab(v keymap.View) {
	if again := vs.pane(v).Spec().Again; again != nil && v == vs.tab {
		again()
		return
	}
	from := vs.shown()
	vs.showTab(v)
	if opened := vs.shown().Spec().From; opened != nil && from != vs.shown() {
		opened(from)
	}
}

// settle brings what depends on the data back into bounds.
func (vs *views) settle() {
	for _, p := range vs.panes {
		if settle := p.Spec().Settle; settle != nil {
			settle()
		}
	}
	vs.table().Settle(vs.topFor)
}

// topFor is the first position to show for the row at another to be the last one on the screen.
func (vs *views) topFor(at int) int {
	if vs.shown().Spec().Flat {
		return at - vs.pageRows() + 1
	}
	a := vs.table().Arrange()
	return vs.look.TopFor(a.Rows, &a.Order, at, vs.layout().Main.W, vs.pageRows())
}

// read gives a newer frame to the panes, and what was written to the log since the last one.
func (vs *views) read(f *pane.Frame, records []megakernel.LogRecord) {
	for _, p := range vs.panes {
		if read := p.Spec().Read; read != nil {
			read(f, records)
		}
	}
}

// observe gives a frame that is shown to the panes.
func (vs *views) observe(f *pane.Frame) {
	for _, p := range vs.panes {
		if show := p.Spec().Show; show != nil {
			show(f)
		}
	}
}

// forget says that another time will be shown.
func (vs *views) forget() {
	for _, p := range vs.panes {
		if forget := p.Spec().Forget; forget != nil {
			forget()
		}
	}
}

// worked is the end of what a pane had to do outside of the dashboard's goroutine.
type worked struct{ pane.Message }

func (msg worked) route(*model) tea.Cmd {
	msg.Take()
	return nil
}

// work starts what the panes have to do outside of the dashboard's goroutine.
func (vs *views) work() tea.Cmd {
	var all []tea.Cmd
	for _, p := range vs.panes {
		s := p.Spec()
		if s.Work == nil {
			continue
		}
		if cmd := s.Work(vs.onScreen(s)); cmd != nil {
			all = append(all, func() tea.Msg { return worked{cmd().(pane.Message)} })
		}
	}
	return tea.Batch(all...)
}

// onScreen reports whether anything of a pane is on the screen; the strip shows the timeline.
func (vs *views) onScreen(s *pane.Spec) bool {
	return s.View == vs.tab || s.Kind == vs.timeline.Spec().Kind && !vs.layout().Strip.Empty()
}

// working reports whether a pane has not finished something.
func (vs *views) working() bool {
	for _, p := range vs.panes {
		if working := p.Spec().Working; working != nil && working() {
			return true
		}
	}
	return false
}

// drawMain draws the pane, or what is selected in it when that is expanded.
func (vs *views) drawMain(a cells.Area) {
	switch s := vs.shown().Spec(); {
	case vs.shell.details.reading():
		vs.shell.details.drawDetail(a)
	case s.Scrolled != nil:
		vs.shell.details.drawPane(a)
	default:
		vs.shown().Draw(a)
	}
}

// layout is the places of all that is on the screen.
func (vs *views) layout() layout.Layout {
	var want layout.Want
	s := vs.shown().Spec()
	if !vs.expanded {
		want = s.Want
	}
	want.Scrub, want.Sizes = true, vs.shell.sizes
	want.Progress = vs.frame().ProgressRows(vs.height >= layout.Tall)
	want.Strip = len(vs.frame().Workers) + pane.StripFrame
	if s.Counts && !vs.expanded {
		want.Counts = pane.CountRows(vs.width)
	}
	return layout.Compute(vs.width, vs.height, want)
}

// baseMoved shows what the base screen has now, where that is compared with this.
func (m *model) baseMoved() {
	if shows := m.shown().Spec().ShowsBase; shows != nil && shows(&m.files.under.target) {
		m.outdate()
		m.settle()
		m.dirty = true
	}
}
