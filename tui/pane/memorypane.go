package pane

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
)

var memoryView = Kind{
	Spec: keymap.Spec{
		View: keymap.Memory, Short: "mem", Digit: "6", Traits: keymap.Table | keymap.Editable | keymap.HasModes,
		Keys: []keymap.OwnKey{{After: keymap.CellRight + "-arrow", Binding: keymap.Binding{
			ID: keymap.Watch, Keys: []string{"W"}, Source: keymap.Any, Section: keymap.TableSection, Short: "watch", Help: "keep the selected word in sight, or no longer",
		}}, {After: keymap.Watch, Binding: keymap.Binding{
			ID: wordHold, Keys: []string{"K"}, Source: keymap.Live, Section: keymap.TableSection, Short: "hold", Help: "hold tasks that change the selected word",
		}}},
	},
	New: newMemoryPane, Want: layout.Want{Detail: true}, Head: tableHead, Command: "words",
}

// MemoryPane is a page of a buffer, and the words that are watched.
type MemoryPane struct {
	tablePane
	others

	rows    Memory
	buffer  Buffer
	first   int             // first word of the page
	changes history.Changes // of the page; those of the control buffer are in the frame
	ages    []time.Duration
	watches []Watch
	watched history.Changes
	seen    []time.Duration // by watch: since it changed
}

func newMemoryPane(e *Env, k *Kind) Pane {
	p := &MemoryPane{others: others{list: Buffers(e.Names)}}
	t := &Table{Env: e, View: keymap.Memory, Make: func() Rows { return p.renew() }}
	p.tablePane = tablePane{
		Env: e, table: t,
		heading: func(a *Arranged) Heading { return e.Look.MemoryHeading(p.renew(), &a.Order, &t.TableState) },
		spec: Spec{
			Kind: k, Detail: p.detail, Vary: p.nextBuffer, Track: p.track,
			Edit:    func() (Edit, bool) { at, ok := p.Word(); return Edit{Word: at}, ok },
			Options: func() []string { return []string{"--buffer", p.buffer.String()} },
			Keys:    map[string]func(){keymap.Watch: p.toggleWatch, wordHold: p.holdChanges},
			Verbs: []Verb{
				{Name: "watch", Usage: "watch control[128],x", Buffers: true, Run: p.typedWatch},
				{Name: "memory", Usage: "memory BUFFER [word]", Buffers: true, Run: p.typedMemory},
			},
			Hooks: Hooks{
				Read: func(f *Frame, _ []megakernel.LogRecord) { f.Extracts = p.extracts },
				Show: p.observe, Forget: p.forget,
				Work: p.readOthers, Working: func() bool { return p.reading },
			},
		},
	}
	return p
}

func (p *MemoryPane) renew() *Memory {
	p.rows = Memory{Frame: p.Frame(), Look: p.Look, Buffer: p.buffer, First: p.first, Ages: p.ages, Problem: p.noWords()}
	if p.buffer == ControlBuffer {
		p.rows.Ages = p.Frame().ControlAges
	}
	return &p.rows
}

// observe takes in a frame that is shown.
func (p *MemoryPane) observe(f *Frame) {
	if f.Snap == nil {
		return
	}
	if p.buffer != ControlBuffer {
		p.changes.Observe(f.Snap.Taken, f.Page(p.buffer, p.first))
		p.ages = p.changes.Ages(p.ages[:0], f.Snap.Taken)
	}
	values := make([]uint32, len(p.watches))
	for i, w := range p.watches {
		values[i], _ = f.Word(w.WordAt)
	}
	p.watched.Observe(f.Snap.Taken, values)
	p.seen = p.watched.Ages(p.seen[:0], f.Snap.Taken)
}

// forget forgets what changed, before another time is shown.
func (p *MemoryPane) forget() {
	p.changes, p.watched = history.Changes{}, history.Changes{}
	p.ages, p.seen = nil, nil
}

// ShowWord shows the page of a buffer that holds a word.
func (p *MemoryPane) ShowWord(b Buffer, word int) {
	p.buffer, p.first = b, b.PageOf(word)
	p.changes, p.ages, p.next = history.Changes{}, nil, time.Time{}
	p.observe(p.Latest())
	p.table.Select(uint64(word))
	p.table.Top = 0
	p.table.Forget()
}

// Move implements Pane: it goes from page to page as well.
func (p *MemoryPane) Move(_, by int) {
	size, page := p.Frame().Size(p.buffer), p.Frame().PageLen(p.buffer, p.first)
	at, _, ok := p.table.Selection()
	switch to := int(at) + by; {
	case ok && by > 0 && to >= p.first+page && p.first+page < size:
		p.ShowWord(p.buffer, p.first+page)
	case ok && by < 0 && to < p.first && p.first > 0:
		p.ShowWord(p.buffer, p.first-1)
	default:
		p.table.Move(by)
	}
}

// Word is the selected word.
func (p *MemoryPane) Word() (WordAt, bool) {
	key, _, ok := p.table.Selection()
	return WordAt{p.buffer, int(key)}, ok
}

func (p *MemoryPane) track() (Track, bool) {
	at, ok := p.Word()
	return wordTrack(at), ok && at.Buffer.Other() == nil
}

func (p *MemoryPane) detail(a cells.Area) int {
	at, ok := p.Word()
	if !ok {
		at.Index = -1
	}
	rows := p.Look.DrawWord(a, p.Frame(), at, p.age(at)) + 1
	_, rest := a.SplitTop(rows)
	rows += p.Look.DrawWatches(rest, p.Frame(), p.watches, p.seen)
	if p.buffer != ControlBuffer {
		return rows
	}
	_, rest = a.SplitTop(rows + 1)
	return rows + 1 + p.Look.DrawCounters(rest, p.Frame(), megakernel.CounterNames[:], p.counters())
}

// counters are the totals that the device publishes.
func (p *MemoryPane) counters() []uint64 {
	if s := p.Frame().Snap; s != nil {
		return s.Counters[:]
	}
	return make([]uint64, megakernel.NumCounters)
}

// age is how long ago a word of the page changed.
func (p *MemoryPane) age(at WordAt) time.Duration {
	ages := p.renew().Ages
	if i := at.Index - p.first; i >= 0 && i < len(ages) {
		return ages[i]
	}
	return history.Never
}

// toggleWatch keeps the selected word in sight, or no longer.
func (p *MemoryPane) toggleWatch() {
	at, ok := p.Word()
	if !ok {
		return
	}
	i := slices.IndexFunc(p.watches, func(w Watch) bool { return w.WordAt == at })
	if i >= 0 {
		p.watches = slices.Delete(p.watches, i, i+1)
	} else {
		p.watch(Watch{WordAt: at, Format: DecimalFormat})
	}
	p.observe(p.Latest())
}

// wordHold is the action that sets a breakpoint on the selected word.
const wordHold = "word-hold"

// holdChanges edits the command that holds tasks which change the selected word.
func (p *MemoryPane) holdChanges() {
	if at, ok := p.Word(); ok {
		p.Type("bp watch " + p.expression(at))
	}
}

// expression is what the kernel calls a word.
func (p *MemoryPane) expression(at WordAt) string {
	switch at.Buffer.kind {
	case controlKind:
		return "control[" + strconv.Itoa(at.Index) + "]"
	case ringKind, workerKind:
		return at.Name()
	}
	return p.Names.Name(at.Buffer.String(), at.Index)
}

// maxWatches bounds the watched words to what a screen can show.
const maxWatches = 16

func (p *MemoryPane) watch(w Watch) {
	if len(p.watches) >= maxWatches {
		p.watches = p.watches[1:]
	}
	p.watches = append(p.watches, w)
	p.observe(p.Latest())
}

// typedMemory shows a buffer: "memory ring 17" shows word 17 of the ring, "memory ring /x" filters.
func (p *MemoryPane) typedMemory(args []string) error {
	p.Show(keymap.Memory)
	if len(args) == 0 {
		return nil
	}
	if strings.HasPrefix(args[0], "/") {
		return p.table.KeepFilter(strings.Join(args, " ")[1:])
	}
	at, err := p.FindWord(strings.Join(args, " "))
	if err != nil {
		return failed(err)
	}
	p.ShowWord(at.Buffer, at.Index)
	return nil
}

// typedWatch keeps a word in sight: "watch control[128],x".
func (p *MemoryPane) typedWatch(args []string) error {
	if len(args) > 1 {
		return usage("the dashboard samples a word; to hold the tasks that change it, write :bp watch " + strings.Join(args, " "))
	}
	if len(args) == 0 {
		return usage("say which word")
	}
	place, format, ok := strings.Cut(args[0], ",")
	if !ok {
		format = string(rune(DecimalFormat))
	}
	if len(format) != 1 || !Format(format[0]).Known() {
		return usage(strconv.Quote(format) + " is none of the formats x u d f b")
	}
	at, err := p.FindWord(place)
	if err != nil {
		return failed(err)
	}
	p.watch(Watch{WordAt: at, Format: Format(format[0])})
	return nil
}

// FindWord reads what names a word: "control[128]", "control 128", "control" or "control.epoch".
func (p *MemoryPane) FindWord(text string) (WordAt, error) {
	size := func(buffer string) int {
		b, _ := p.bufferNamed(buffer)
		return p.Frame().Size(b)
	}
	at, err := p.Names.Find(text, size)
	if err != nil {
		return WordAt{}, err
	}
	b, _ := p.bufferNamed(at.Buffer)
	return WordAt{b, at.Index}, nil
}

// nextBuffer shows the buffer behind the one on the screen.
func (p *MemoryPane) nextBuffer() {
	i := slices.Index(p.list, p.buffer)
	p.ShowWord(p.list[(i+1)%len(p.list)], 0)
}
