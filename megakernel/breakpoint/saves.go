package breakpoint

import "fmt"

// Saves notes which breakpoints that save the snapshot have acted. The zero value is ready.
type Saves struct{ hits map[int]uint64 } // by id, when it was looked last

// Due is why a snapshot is to be saved, by what the target says of its breakpoints now; "" for no reason.
func (s *Saves) Due(list []Status) (why string) {
	if s.hits == nil {
		s.hits = map[int]uint64{}
	}
	for i := range list {
		b := &list[i]
		last := s.hits[b.ID]
		if b.Hits < last { // another one has its number
			last = 0
		}
		if b.Action == Snapshot && b.Hits > last && b.acting(b.Hits) > b.acting(last) {
			why = fmt.Sprintf("breakpoint %d was hit: %s", b.ID, b.Breakpoint.String())
		}
		s.hits[b.ID] = b.Hits
	}
	return why
}

// acting is how many of that many hits act.
func (b *Breakpoint) acting(hits uint64) uint64 {
	return (&Trial{Breakpoint: *b, Hits: hits}).Acts()
}
