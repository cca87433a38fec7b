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
	*shared

	shell *model

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
func (mp *memory) observe(f *pane.Frame) {
	if f.Snap == nil {
		return
	}
	if mp.buffer != pane.ControlBuffer {
		mp.changes.Observe(f.Snap.Taken, f.Page(mp.buffer, mp.first))
		mp.ages = mp.changes.Ages(mp.ages[:0], f.Snap.Taken)
	}
	values := make([]uint32, len(mp.watches))
	for i, w := range mp.watches {
		values[i], _ = f.Word(w.WordAt)
	}
	mp.watched.Observe(f.Snap.Taken, values)
	mp.seen = mp.watched.Ages(mp.seen[:0], f.Snap.Taken)
}

func (mp *memory) memoryRows() *pane.Memory {
	v := &mp.shell.rows.memory
	*v = pane.Memory{Frame: mp.frame(), Look: &mp.look, Buffer: mp.buffer, First: mp.first, Ages: mp.ages, Problem: mp.noWords()}
	if v.Buffer == pane.ControlBuffer {
		v.Ages = mp.frame().ControlAges
	}
	return v
}

// showBuffer shows the page of a buffer that holds a word.
func (mp *memory) showBuffer(b pane.Buffer, word int) {
	x := mp
	x.buffer, x.first = b, b.PageOf(word)
	x.changes, x.ages, x.next = history.Changes{}, nil, time.Time{}
	x.observe(mp.latest)
	t := mp.shell.tables[keymap.Memory]
	t.Selected, t.HasSelected, t.Top = uint64(word), true, 0
	mp.shell.forgetRows()
}

// moveWord moves the selection, also from page to page.
func (mp *memory) moveWord(by int) {
	x := mp
	size, page := mp.frame().Size(x.buffer), mp.frame().PageLen(x.buffer, x.first)
	at, _, ok := mp.shell.table().Selection()
	switch to := int(at) + by; {
	case ok && by > 0 && to >= x.first+page && x.first+page < size:
		mp.showBuffer(x.buffer, x.first+page)
	case ok && by < 0 && to < x.first && x.first > 0:
		mp.showBuffer(x.buffer, x.first-1)
	default:
		mp.shell.table().Move(by)
	}
}

// word is the selected word of the memory view.
func (mp *memory) word() (pane.WordAt, bool) {
	key, _, ok := mp.shell.table().Selection()
	return pane.WordAt{Buffer: mp.buffer, Index: int(key)}, ok
}

func (mp *memory) drawWordDetail(a cells.Area) int {
	at, ok := mp.word()
	if !ok {
		at.Index = -1
	}
	rows := mp.look.DrawWord(a, mp.frame(), at, mp.age0(at)) + 1
	_, rest := a.SplitTop(rows)
	rows += mp.look.DrawWatches(rest, mp.frame(), mp.watches, mp.seen)
	if mp.buffer != pane.ControlBuffer {
		return rows
	}
	_, rest = a.SplitTop(rows + 1)
	return rows + 1 + mp.look.DrawCounters(rest, mp.frame(), megakernel.CounterNames[:], mp.counterValues())
}

// age0 is how long ago a word of the page changed.
func (mp *memory) age0(at pane.WordAt) time.Duration {
	ages := mp.memoryRows().Ages
	if i := at.Index - mp.first; i >= 0 && i < len(ages) {
		return ages[i]
	}
	return history.Never
}

// toggleWatch keeps the selected word in sight, or no longer.
func (mp *memory) toggleWatch() {
	at, ok := mp.word()
	if !ok {
		return
	}
	i := slices.IndexFunc(mp.watches, func(w pane.Watch) bool { return w.WordAt == at })
	if i >= 0 {
		mp.watches = slices.Delete(mp.watches, i, i+1)
	} else {
		mp.watch(pane.Watch{WordAt: at, Format: pane.DecimalFormat})
	}
	mp.observe(mp.latest)
}

// maxWatches bounds the watched words to what a screen can show.
const maxWatches = 16

func (mp *memory) watch(w pane.Watch) {
	if len(mp.watches) >= maxWatches {
		mp.watches = mp.watches[1:]
	}
	mp.watches = append(mp.watches, w)
	mp.observe(mp.latest)
}

// typedMemory shows a buffer: "memory ring 17" shows word 17 of the ring, "memory ring /x" filters.
func (mp *memory) typedMemory(args []string) (tea.Cmd, error) {
	mp.shell.showTab(keymap.Memory)
	if len(args) == 0 {
		return nil, nil
	}
	if strings.HasPrefix(args[0], "/") {
		return nil, mp.shell.table().KeepFilter(strings.Join(args, " ")[1:])
	}
	at, err := mp.typedWord("memory", strings.Join(args, " "))
	if err == nil {
		mp.showBuffer(at.Buffer, at.Index)
	}
	return nil, err
}

// typedWatch keeps a word in sight: "watch control[128],x".
func (mp *memory) typedWatch(args []string) (tea.Cmd, error) {
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
	at, err := mp.typedWord("watch", place)
	if err != nil {
		return nil, err
	}
	mp.watch(pane.Watch{WordAt: at, Format: pane.Format(format[0])})
	return nil, nil
}

// typedWord reads what names a word: "control[128]", "control 128", "control" or "control.epoch".
func (mp *memory) typedWord(verb, text string) (pane.WordAt, error) {
	size := func(buffer string) int {
		b, _ := mp.bufferNamed(buffer)
		return mp.frame().Size(b)
	}
	p, err := mp.names.Find(text, size)
	if err != nil {
		return pane.WordAt{}, &CommandError{Command: verb, Err: err}
	}
	b, _ := mp.bufferNamed(p.Buffer)
	return pane.WordAt{Buffer: b, Index: p.Index}, nil
}
