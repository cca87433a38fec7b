package pane

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
)

// others is what is known of the buffers that are read by themselves.
type others struct {
	list     []Buffer  // all buffers
	extracts []Extract // of the last reading; never changed
	problem  error     // why that is not all
	reading  bool
	next     time.Time // no reading before that
}

// Times between two readings: of memory that both sides see as often as frames, of the device's own, for which a
// slice has to end, less often.
const (
	readEvery   = 50 * time.Millisecond
	readBetween = 500 * time.Millisecond
)

// ReadingLimit is how long reading words of other buffers may take.
const ReadingLimit = 5 * time.Second

// extracted carries what was read.
type extracted struct {
	of       *MemoryPane
	extracts []Extract
	problem  error
}

// Take implements Message.
func (msg extracted) Take() {
	p := msg.of
	p.reading, p.extracts, p.problem = false, msg.extracts, msg.problem
	p.Latest().Extracts = p.extracts
	if p.Position.Present() {
		p.observe(p.Latest())
	}
	p.table.Outdate()
}

// readOthers reads the page on the screen and the watched words, as far as no snapshot holds them.
func (p *MemoryPane) readOthers(shown bool) tea.Cmd {
	if p.Reader == nil || p.reading || !p.Position.Present() || p.Latest().Snap == nil || p.Now().Before(p.next) {
		return nil
	}
	want := p.wanted(shown)
	if len(want) == 0 {
		return nil
	}
	p.reading, p.next = true, p.Now().Add(readEvery)
	if slices.ContainsFunc(want, func(x Extract) bool { return x.Buffer.Other().Between }) {
		p.next = p.Now().Add(readBetween)
	}
	parent, reader, taken := p.Ctx(), p.Reader, p.Latest().Snap.Taken
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, ReadingLimit)
		defer cancel()
		msg := extracted{of: p}
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

// wanted are the parts to read, with memory of their own.
func (p *MemoryPane) wanted(shown bool) (want []Extract) {
	if p.buffer.Other() != nil && shown {
		want = append(want, Extract{Buffer: p.buffer, First: p.first, Words: make([]uint32, p.Frame().PageLen(p.buffer, p.first))})
	}
	for _, w := range p.watches {
		if w.Buffer.Other() != nil {
			want = append(want, Extract{Buffer: w.Buffer, First: w.Index, Words: make([]uint32, 1)})
		}
	}
	return want
}

// notKept is why buffers that no snapshot holds cannot be shown in the past.
const notKept = "What it held then is not kept: snapshots hold the control buffer, the ring and the workers. End is now again."

// noWords says why a page is empty.
func (p *MemoryPane) noWords() string {
	switch {
	case p.buffer.Other() == nil:
		return ""
	case p.Position.Past():
		return notKept
	case p.problem != nil:
		return p.problem.Error()
	default:
		return ""
	}
}

// BufferNames are the names that commands take.
func (p *MemoryPane) BufferNames() (names []string) {
	for _, b := range p.list {
		names = append(names, b.String())
	}
	return names
}

// bufferNamed is the buffer of a name.
func (p *MemoryPane) bufferNamed(name string) (Buffer, bool) {
	i := slices.IndexFunc(p.list, func(b Buffer) bool { return b.String() == name })
	if i < 0 {
		return Buffer{}, false
	}
	return p.list[i], true
}
