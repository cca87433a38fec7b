package inspect

import (
	"bytes"
	"compress/zlib"
	"io"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// Fields of messages, by message, and values of them.
const (
	tracePacket = 1

	packetClock      = 6
	packetTimestamp  = 8
	packetSequence   = 10
	packetEvent      = 11
	packetInterned   = 12
	packetFlags      = 13
	packetCompressed = 50
	packetClockID    = 58
	packetDefaults   = 59
	packetTrack      = 60
	packetFirst      = 87

	clockClocks      = 1
	clockID          = 1
	clockTimestamp   = 2
	clockIncremental = 3

	defaultEvent      = 11
	defaultEventTrack = 11
	defaultClock      = 58

	internedID   = 1
	internedText = 2

	trackUUID    = 1
	trackName    = 2
	trackProcess = 3
	trackParent  = 5
	trackCounter = 8

	processPID  = 1
	processName = 6

	counterUnit = 3
	unitCount   = 2

	eventCategoryID = 3
	eventNotes      = 4
	eventType       = 9
	eventNameID     = 10
	eventTrack      = 11
	eventCategory   = 22
	eventName       = 23
	eventCounter    = 30
	eventFlow       = 47
	eventFlowEnd    = 48

	noteNameID = 1
	noteUint   = 3
	noteText   = 6
	noteName   = 10
	noteTextID = 17

	typeBegin   = 1
	typeEnd     = 2
	typeInstant = 3
	typeCounter = 4
)

// Flags of a packet: its sequence begins, and what it means depends on packets before it.
const (
	stateCleared = 1
	stateNeeded  = 2
)

// The clocks: that of the trace, in nanoseconds since launch, and one of each sequence, whose timestamps are differences to the one
// before.
const (
	traceClock      = 6
	differenceClock = 64
)

// textUse is what a text that is written once is for: the fields of InternedData, of a use of the text's number, and of the text itself.
type textUse struct{ table, byID, plain protowire.Number }

var (
	asCategory = textUse{1, eventCategoryID, eventCategory}
	asName     = textUse{2, eventNameID, eventName}
	asNoteName = textUse{3, noteNameID, noteName}
	asNoteText = textUse{29, noteTextID, noteText}
)

// maxTexts bounds the texts that have numbers, and bits in a sequence; others are written where they are used.
const maxTexts = 64

// interned are the texts that have numbers. A sequence writes a text when it uses it for the first time.
type interned struct{ numbers map[internedKey]uint64 }

type internedKey struct {
	use  textUse
	text string
}

// number returns the number of a text, from 1; 0 for one that has none.
func (t *interned) number(use textUse, text string) uint64 {
	key := internedKey{use, text}
	if n, ok := t.numbers[key]; ok || len(t.numbers) >= maxTexts {
		return n
	}
	n := uint64(len(t.numbers) + 1)
	t.numbers[key] = n
	return n
}

// packets are the packets of one track: a sequence, in which timestamps are differences and the track is known.
type packets struct {
	sequence uint64
	track    uint64 // that events are of which name no other
	last     time.Duration
	begun    bool
	written  uint64  // bits of the texts that it has
	texts    message // that the next packet brings
}

// text adds a text to a message of a packet, by its number where it has one.
func (p *packets) text(m *message, t *interned, use textUse, text string) {
	n := t.number(use, text)
	if n == 0 {
		m.text(use.plain, text)
		return
	}
	m.uint(use.byID, n)
	if bit := uint64(1) << (n - 1); p.written&bit == 0 {
		p.written |= bit
		var entry message
		entry.uint(internedID, n)
		entry.text(internedText, text)
		p.texts.sub(use.table, entry)
	}
}

// event is the packet of an event at a time.
func (p *packets) event(at time.Duration, event message) message {
	var m message
	if at >= p.last {
		m.uint(packetTimestamp, uint64(at-p.last))
		p.last = at
	} else {
		m.uint(packetTimestamp, uint64(at))
		m.uint(packetClockID, traceClock)
	}
	m.sub(packetEvent, event)
	if len(p.texts) > 0 {
		m.sub(packetInterned, p.texts)
		p.texts = p.texts[:0]
	}
	m.uint(packetSequence, p.sequence)
	m.uint(packetFlags, stateNeeded)
	return m
}

// begin is the first packet, which says what the timestamps are and which track is meant.
func (p *packets) begin() message {
	clock := func(id uint64, incremental bool) message {
		var c message
		c.uint(clockID, id)
		c.uint(clockTimestamp, 0)
		if incremental {
			c.uint(clockIncremental, 1)
		}
		return c
	}
	var clocks, event, defaults, m message
	clocks.sub(clockClocks, clock(traceClock, false))
	clocks.sub(clockClocks, clock(differenceClock, true))
	event.uint(defaultEventTrack, p.track)
	defaults.sub(defaultEvent, event)
	defaults.uint(defaultClock, differenceClock)
	m.sub(packetClock, clocks)
	m.sub(packetDefaults, defaults)
	m.uint(packetSequence, p.sequence)
	m.uint(packetFlags, stateCleared)
	m.uint(packetFirst, 1)
	return m
}

// batchBytes is how much of a trace is compressed at once: what a reader has in memory beside it.
const batchBytes = 1 << 19

// packed writes packets in batches, each of which is a packet with others in it, compressed.
type packed struct {
	out   io.Writer
	batch message
	zip   *zlib.Writer
	err   error
}

func (w *packed) packet(p message) {
	w.batch.sub(tracePacket, p)
	if len(w.batch) >= batchBytes {
		w.flush()
	}
}

func (w *packed) flush() {
	if len(w.batch) == 0 || w.err != nil {
		return
	}
	var small bytes.Buffer
	if w.zip == nil {
		w.zip = zlib.NewWriter(&small)
	} else {
		w.zip.Reset(&small)
	}
	if _, w.err = w.zip.Write(w.batch); w.err == nil {
		w.err = w.zip.Close()
	}
	var p, out message
	p.sub(packetCompressed, small.Bytes())
	out.sub(tracePacket, p)
	if w.err == nil {
		_, w.err = w.out.Write(out)
	}
	w.batch = w.batch[:0]
}
