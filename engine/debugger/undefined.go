package debugger

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/vm"
)

// Undefined is an operation that GLSL leaves undefined, the first time that the dispatch did it at a
// place. The dispatch continues with a defined result.
type Undefined struct {
	What       string
	Pos        source.Pos
	Workgroup  [3]uint32
	Lane       int
	Index, Len uint32 // of an access out of range
}

type undefinedKey struct {
	kind vm.EventKind
	pc   int
}

// maxUndefined bounds what is kept.
const maxUndefined = 256

// Event implements vm.Observer.
func (s *Session) Event(g *vm.Group, e vm.Event) {
	s.trap.note(undefinedOf(s, g, e))
	key := undefinedKey{e.Kind, e.PC}
	if s.seen[key] || len(s.events) == maxUndefined {
		return
	}
	s.seen[key] = true
	s.eventKeys = append(s.eventKeys, key)
	s.events = append(s.events, undefinedOf(s, g, e))
}

// TakeUndefined returns what has been found since the last call.
func (s *Session) TakeUndefined() []Undefined {
	list := s.events
	s.events, s.eventKeys = nil, nil
	return list
}

// ForgetUndefined has a session that has gone back to its beginning report undefined operations again.
func ForgetUndefined(s *Session) {
	s.events, s.eventKeys, s.seen = nil, nil, map[undefinedKey]bool{}
	s.trap.shown = 0
}

// unsee forgets what was found after the first n, which the run has gone back behind.
func (s runner) unsee(n int) {
	for _, key := range s.eventKeys[n:] {
		delete(s.seen, key)
	}
	s.events, s.eventKeys = s.events[:n], s.eventKeys[:n]
}
