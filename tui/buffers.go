package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/words"
	"vyretop/tui/history"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// BufferReader is a Source that can read buffers of which snapshots hold nothing: the workload's own.
type BufferReader interface {
	// Buffers describes them; it is asked once.
	Buffers() []megakernel.BufferInfo
	// ReadBuffer copies words of one, from number first on. It may block until the end of ctx.
	ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error
}

// others is what is known of the buffers that are read by themselves.
type others struct {
	reader   BufferReader // nil: there are none
	names    *words.Names
	list     []pane.Buffer
	extracts []pane.Extract // of the last reading; never changed
	problem  error          // why that is not all
	reading  bool
	next     time.Time // no reading before that
}

// newOthers asks a source for its buffers.
func newOthers(s Source) (o others) {
	var list []megakernel.BufferInfo
	if r, ok := s.(BufferReader); ok {
		o.reader, list = r, r.Buffers()
	}
	o.names = words.For(list)
	o.list = pane.Buffers(o.names)
	return o
}

// Times between two readings: of memory that both sides see as often as frames, of the device's own, for which a
// slice has to end, less often.
const (
	readEvery    = 50 * time.Millisecond
	readBetween  = 500 * time.Millisecond
	readingLimit = 5 * time.Second
)

// extracted carries what was read.
type extracted struct {
	extracts []pane.Extract
	problem  error
}

func (msg extracted) route(m *model) tea.Cmd {
	m.memory.onExtracted(msg)
	return nil
}

// readOthers reads the page on the screen and the watched words, as far as no snapshot holds them.
func (mp *memory) readOthers() tea.Cmd {
	o := &mp.others
	if o.reader == nil || o.reading || mp.frozen != nil || mp.latest.Snap == nil || mp.now().Before(o.next) {
		return nil
	}
	want := mp.wantedExtracts()
	if len(want) == 0 {
		return nil
	}
	o.reading, o.next = true, mp.now().Add(readEvery)
	if slices.ContainsFunc(want, func(x pane.Extract) bool { return x.Buffer.Other().Between }) {
		o.next = mp.now().Add(readBetween)
	}
	parent, reader, taken := mp.ctx, o.reader, mp.latest.Snap.Taken
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, readingLimit)
		defer cancel()
		var msg extracted
		for _, x := range want {
			if err := reader.ReadBuffer(ctx, x.Buffer.String(), x.First, x.Words); err != nil {
				msg.problem = err
				continue
			}
			x.Taken = taken
			msg.extracts = append(msg.extracts, x)
		}
		return msg
	}
}

// wantedExtracts are the parts to read, with memory of their own.
func (mp *memory) wantedExtracts() (want []pane.Extract) {
	x := mp
	if x.buffer.Other() != nil && mp.shell.tab == keymap.Memory {
		want = append(want, pane.Extract{Buffer: x.buffer, First: x.first, Words: make([]uint32, mp.frame().PageLen(x.buffer, x.first))})
	}
	for _, w := range x.watches {
		if w.Buffer.Other() != nil {
			want = append(want, pane.Extract{Buffer: w.Buffer, First: w.Index, Words: make([]uint32, 1)})
		}
	}
	return want
}

// onExtracted shows what was read.
func (mp *memory) onExtracted(msg extracted) {
	o := &mp.others
	o.reading, o.extracts, o.problem = false, msg.extracts, msg.problem
	mp.latest.Extracts = o.extracts
	if mp.frozen == nil {
		mp.observe(mp.latest)
	}
	mp.shell.outdate()
}

// notKept is why buffers that no snapshot holds cannot be shown in the past.
const notKept = "What it held then is not kept: snapshots hold the control buffer, the ring and the workers. End is now again."

// noWords says why a page is empty.
func (mp *memory) noWords() string {
	switch {
	case mp.buffer.Other() == nil:
		return ""
	case mp.shell.position.scrub.looking:
		return notKept
	case mp.problem != nil:
		return mp.problem.Error()
	default:
		return ""
	}
}

// nextBuffer shows the buffer behind the one on the screen.
func (mp *memory) nextBuffer() {
	list := mp.list
	i := slices.Index(list, mp.buffer)
	mp.showBuffer(list[(i+1)%len(list)], 0)
}

// bufferNames are the names that commands take.
func (mp *memory) bufferNames() (names []string) {
	for _, b := range mp.list {
		names = append(names, b.String())
	}
	return names
}

// bufferNamed is the buffer of a name.
func (mp *memory) bufferNamed(name string) (pane.Buffer, bool) {
	i := slices.IndexFunc(mp.list, func(b pane.Buffer) bool { return b.String() == name })
	if i < 0 {
		return pane.Buffer{}, false
	}
	return mp.list[i], true
}

// forget forgets what changed, before another time is looked at.
func (mp *memory) forget() {
	mp.changes, mp.watched = history.Changes{}, history.Changes{}
	mp.ages, mp.seen = nil, nil
}
