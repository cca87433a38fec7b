package generate

import (
	"cmp"
	"slices"

	"vyretop/engine/conformance"
)

// Shrink makes the kernel of a tape smaller while fails holds for it, and returns the smaller tape.
// fails is asked at most tries times.
//
// A statement or expression is first replaced by the simplest one there is, then by a part of itself;
// the largest come first. At last single decisions are lowered.
func Shrink(tape []byte, fails func(conformance.Case) bool, tries int) []byte {
	s := &shrinker{fails: fails, tries: tries}
	s.load(Replay(tape))
	for before := -1; before != s.changes && s.tries > 0; {
		before = s.changes
		s.simplify()
		s.hoist()
		s.lower()
	}
	return s.tape
}

type shrinker struct {
	fails   func(conformance.Case) bool
	tries   int
	changes int
	tape    []byte
	spans   []Span
}

// load makes the decisions of a tape the present ones.
func (s *shrinker) load(t *Tape) conformance.Case {
	c := Kernel(t)
	s.tape, s.spans = t.Data(), t.spans
	return c
}

// try takes over a tape if its kernel is another one and fails too.
func (s *shrinker) try(data []byte, e edit) bool {
	if s.tries <= 0 {
		return false
	}
	t := replay(data, e)
	c := Kernel(t)
	if slices.Equal(t.Data(), s.tape) {
		return false
	}
	s.tries--
	if !s.fails(c) {
		return false
	}
	s.tape, s.spans = t.Data(), t.spans
	s.changes++
	return true
}

// bySize lists the indexes of the spans, the largest first.
func (s *shrinker) bySize() []int {
	order := make([]int, len(s.spans))
	for i := range order {
		order[i] = i
	}
	size := func(i int) int { return s.spans[i].To - s.spans[i].From }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	return order
}

// simplify replaces whole spans by zeros. After a success the spans are other ones, so it begins again.
func (s *shrinker) simplify() {
	for again := true; again && s.tries > 0; {
		again = false
		for _, i := range s.bySize() {
			sp := s.spans[i]
			if !s.decided(sp) || !s.try(s.tape, edit{span: i, from: -1, to: sp.To}) {
				continue
			}
			again = true
			break
		}
	}
}

// decided reports whether a span holds a decision that is not 0.
func (s *shrinker) decided(sp Span) bool {
	return slices.ContainsFunc(s.tape[min(sp.From, len(s.tape)):min(sp.To, len(s.tape))], func(b byte) bool { return b != 0 })
}

// hoist replaces spans by spans inside them.
func (s *shrinker) hoist() {
	for i := 0; i < len(s.spans); i++ {
		outer := s.spans[i]
		for j := i + 1; j < len(s.spans) && s.spans[j].From < outer.To; j++ {
			if s.decided(s.spans[j]) && s.try(s.tape, edit{span: i, from: s.spans[j].From, to: outer.To}) {
				outer, j = s.spans[i], i
			}
		}
	}
}

// lower makes single decisions smaller.
func (s *shrinker) lower() {
	for i := 0; i < len(s.tape); i++ {
		for _, b := range []byte{0, 1, s.tape[i] / 2, s.tape[i] - 1} {
			if b >= s.tape[i] {
				continue
			}
			data := slices.Clone(s.tape)
			data[i] = b
			if s.try(data, noEdit) {
				break
			}
		}
	}
}
