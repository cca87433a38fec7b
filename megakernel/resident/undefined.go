package resident

import (
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/megakernel"
)

// maxUndefined bounds the places that are kept.
const maxUndefined = 256

// noteUndefined adds what a slice has executed without GLSL defining it, where the backend notices such things. The
// first time at each place is an event: the kernel goes on, with results that are hard to explain later.
func (s *Session) noteUndefined(slice engine.Pending) {
	r, ok := slice.(engine.UndefinedReporter)
	if !ok {
		return
	}
	for _, u := range r.Undefined() {
		if s.addUndefined(u) {
			s.events(megakernel.EventUndefined, fmt.Sprintf("%s: %s", u.Pos, u.What))
		}
	}
}

// addUndefined reports whether u is the first at its place.
func (s *Session) addUndefined(u engine.Undefined) bool {
	s.undefinedMu.Lock()
	defer s.undefinedMu.Unlock()
	i := slices.IndexFunc(s.undefined, func(v engine.Undefined) bool { return v.Pos == u.Pos && v.What == u.What })
	if i >= 0 {
		s.undefined[i].Times += u.Times
		return false
	}
	if len(s.undefined) == maxUndefined {
		return false
	}
	s.undefined = append(s.undefined, u)
	return true
}

// Undefined lists the operations executed so far that GLSL does not define, in the order in which they first
// happened; nil where the backend does not notice them. A slice adds its own when it ends.
func (s *Session) Undefined() []engine.Undefined {
	s.undefinedMu.Lock()
	defer s.undefinedMu.Unlock()
	return slices.Clone(s.undefined)
}
