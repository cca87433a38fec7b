package tui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// memory is what the memory view shows: a page of a buffer, and the words that are watched.
type memory struct {
	others
	buffer  pane.Buffer
	first   int             // first word of the page
	changes history.Changes // of the page; those of the control buffer are in the frame
	ages    []time.Duration
	watches []pane.Watch
	watched history.Changes
	seen    []time.Duration // by watch: since it changed
}

// observe takes in a new frame.
func (x *memory) observe(f *pane.Frame) {
	if f.Snap == nil {
		return
	}
	if x.buffer != pane.ControlBuffer {
		x.changes.Observe(f.Snap.Taken, f.Page(x.buffer, x.first))
		x.ages = x.changes.Ages(x.ages[:0], f.Snap.Taken)
	}
	values := make([]uint32, len(x.watches))
	for i, w := range x.watches {
		values[i], _ = f.Word(w.WordAt)
	}
	x.watched.Observe(f.Snap.Taken, values)
	x.seen = x.watched.Ages(x.seen[:0], f.Snap.Taken)
}

func (m *model) memoryRows() *pane.Memory {
	v := &m.rows.memory
	*v = pane.Memory{Frame: m.frame(), Look: &m.look, Buffer: m.memory.buffer, First: m.memory.first, Ages: m.memory.ages, Problem: m.noWords()}
	if v.Buffer == pane.ControlBuffer {
		v.Ages = m.frame().ControlAges
	}
	return v
}

// showBuffer shows the page of a buffer that holds a word.
func (m *model) showBuffer(b pane.Buffer, word int) {
	x := &m.memory
	x.buffer, x.first = b, b.PageOf(word)
	x.changes, x.ages, x.next = history.Changes{}, nil, time.Time{}
	x.observe(m.latest)
	t := m.tables[keymap.Memory]
	t.Selected, t.HasSelected, t.Top = uint64(word), true, 0
	m.forgetRows()
}

// moveWord moves the selection, also from page to page.
func (m *model) moveWord(by int) {
	x := &m.memory
	size, page := m.frame().Size(x.buffer), m.frame().PageLen(x.buffer, x.first)
	at, _, ok := m.table().Selection()
	switch to := int(at) + by; {
	case ok && by > 0 && to >= x.first+page && x.first+page < size:
		m.showBuffer(x.buffer, x.first+page)
	case ok && by < 0 && to < x.first && x.first > 0:
		m.showBuffer(x.buffer, x.first-1)
	default:
		m.table().Move(by)
	}
}

// word is the selected word of the memory view.
func (m *model) word() (pane.WordAt, bool) {
	key, _, ok := m.table().Selection()
	return pane.WordAt{Buffer: m.memory.buffer, Index: int(key)}, ok
}

func (m *model) drawWordDetail(a cells.Area) int {
	at, ok := m.word()
	if !ok {
		at.Index = -1
	}
	rows := m.look.DrawWord(a, m.frame(), at, m.age0(at)) + 1
	_, rest := a.SplitTop(rows)
	rows += m.look.DrawWatches(rest, m.frame(), m.memory.watches, m.memory.seen)
	if m.memory.buffer != pane.ControlBuffer {
		return rows
	}
	_, rest = a.SplitTop(rows + 1)
	return rows + 1 + m.look.DrawCounters(rest, m.frame(), megakernel.CounterNames[:], m.counterValues())
}

// age0 is how long ago a word of the page changed.
func (m *model) age0(at pane.WordAt) time.Duration {
	ages := m.memoryRows().Ages
	if i := at.Index - m.memory.first; i >= 0 && i < len(ages) {
		return ages[i]
	}
	return history.Never
}

// toggleWatch keeps the selected word in sight, or no longer.
func (m *model) toggleWatch() {
	at, ok := m.word()
	if !ok {
		return
	}
	i := slices.IndexFunc(m.memory.watches, func(w pane.Watch) bool { return w.WordAt == at })
	if i >= 0 {
		m.memory.watches = slices.Delete(m.memory.watches, i, i+1)
	} else {
		m.watch(pane.Watch{WordAt: at, Format: pane.DecimalFormat})
	}
	m.memory.observe(m.latest)
}

// maxWatches bounds the watched words to what a screen can show.
const maxWatches = 16

func (m *model) watch(w pane.Watch) {
	if len(m.memory.watches) >= maxWatches {
		m.memory.watches = m.memory.watches[1:]
	}
	m.memory.watches = append(m.memory.watches, w)
	m.memory.observe(m.latest)
}

// typedMemory shows a buffer: "memory ring 17" shows word 17 of the ring, "memory ring /x" filters.
func (m *model) typedMemory(args []string) (tea.Cmd, error) {
	m.showTab(keymap.Memory)
	if len(args) == 0 {
		return nil, nil
	}
	if strings.HasPrefix(args[0], "/") {
		return nil, m.table().KeepFilter(strings.Join(args, " ")[1:])
	}
	at, err := m.typedWord("memory", strings.Join(args, " "))
	if err == nil {
		m.showBuffer(at.Buffer, at.Index)
	}
	return nil, err
}

// typedWatch keeps a word in sight: "watch control[128],x".
func (m *model) typedWatch(args []string) (tea.Cmd, error) {
	if len(args) != 1 {
		return nil, misuse("watch", "say which word")
	}
	place, format, ok := strings.Cut(args[0], ",")
	if !ok {
		format = string(rune(pane.DecimalFormat))
	}
	if len(format) != 1 || !pane.Format(format[0]).Known() {
		return nil, misuse("watch", strconv.Quote(format)+" is none of the formats x u d f b")
	}
	at, err := m.typedWord("watch", place)
	if err != nil {
		return nil, err
	}
	m.watch(pane.Watch{WordAt: at, Format: pane.Format(format[0])})
	return nil, nil
}

// typedWord reads what names a word: "control[128]", "control 128", "control" or "control.epoch".
func (m *model) typedWord(verb, text string) (pane.WordAt, error) {
	size := func(buffer string) int {
		b, _ := m.buffer(buffer)
		return m.frame().Size(b)
	}
	p, err := m.memory.names.Find(text, size)
	if err != nil {
		return pane.WordAt{}, &CommandError{Command: verb, Err: err}
	}
	b, _ := m.buffer(p.Buffer)
	return pane.WordAt{Buffer: b, Index: p.Index}, nil
}
