package generate

import (
	"bytes"
	"math/rand/v2"
)

// maxTape bounds the decisions of one kernel; all after it are 0.
const maxTape = 1 << 13

// Tape is the sequence of decisions that makes a kernel. It is read once.
type Tape struct {
	data []byte
	at   int
	more *rand.Rand // where bytes come from when data ends; nil: they are 0
	made []byte     // the decisions, as they were made
	edit edit
	zero bool // inside an edited span that becomes all 0

	spans []Span
}

// Span is the stretch [From, To) of a tape that decided one statement, expression or declaration.
type Span struct{ From, To int }

// edit changes one span while a tape is read: its decisions are read from another place, or are all
// 0 when from is negative. The decisions after it stay what they were.
type edit struct {
	span     int // index
	from, to int // where to read, and where to continue
}

// noEdit has the index of no span.
var noEdit = edit{span: -1}

// Replay reads decisions from data, and 0 after its end.
func Replay(data []byte) *Tape { return replay(data, noEdit) }

func replay(data []byte, e edit) *Tape { return &Tape{data: data[:min(len(data), maxTape)], edit: e} }

// Random makes new decisions that follow from a seed and a number.
func Random(seed, number uint64) *Tape {
	return &Tape{more: rand.New(rand.NewPCG(seed, number)), edit: noEdit}
}

// Data gives the decisions made so far; the zeros at their end are left out.
func (t *Tape) Data() []byte { return bytes.TrimRight(t.made, "\x00") }

func (t *Tape) byte() byte {
	b := t.next()
	t.made = append(t.made, b)
	return b
}

func (t *Tape) next() byte {
	switch {
	case t.zero:
		return 0
	case t.at < len(t.data):
		t.at++
		return t.data[t.at-1]
	case t.more != nil && len(t.made) < maxTape:
		return byte(t.more.Uint32())
	}
	return 0
}

// below decides between n possibilities, at most 256.
func (t *Tape) below(n int) int {
	if n <= 1 {
		return 0
	}
	return int(t.byte()) % n
}

// word decides 32 bits.
func (t *Tape) word() uint32 {
	w := uint32(0)
	for range 4 {
		w = w<<8 | uint32(t.byte())
	}
	return w
}

// span begins a stretch; the function it returns ends it.
func (t *Tape) span() func() {
	i := len(t.spans)
	t.spans = append(t.spans, Span{From: len(t.made)})
	end := func() { t.spans[i].To = len(t.made) }
	if i != t.edit.span {
		return end
	}
	if t.zero = t.edit.from < 0; !t.zero {
		t.at = t.edit.from
	}
	return func() {
		end()
		t.zero, t.at = false, t.edit.to
	}
}

// pick decides for one element of a list that is not empty.
func pick[E any](t *Tape, list []E) E { return list[t.below(len(list))] }
