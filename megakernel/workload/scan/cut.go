package scan

// pieceSegments bounds the files in a piece: one goroutine reads them, one after the other.
const pieceSegments = 256

// stage cuts pieces and has them read, as far as there is room.
func (r *runner) stage() (progress bool) {
	r.refill()
	for len(r.unused) > 0 && r.next() != nil {
		p := r.cut()
		r.entries[p.index] = p
		r.readers.jobs <- p
		progress = true
	}
	return progress
}

// next is the file of which the next segment is cut, nil for none.
func (r *runner) next() *flight {
	for r.current == nil || r.current.ended || r.current.left() == 0 {
		switch {
		case len(r.grown) > 0:
			r.current, r.grown = r.grown[0], r.grown[1:]
		case len(r.queue) > 0:
			r.current = &flight{file: r.queue[0]}
			r.open[r.current] = true
			r.queue = r.queue[1:]
		default:
			r.current = nil
			return nil
		}
	}
	return r.current
}

// cut makes a piece of what is next: a part of a large file, or several small ones.
func (r *runner) cut() *piece {
	lanes := lanesOf(r.host)
	p := &piece{index: r.unused[len(r.unused)-1], lanes: lanes}
	r.unused = r.unused[:len(r.unused)-1]
	for room := r.layout.piece(lanes); len(p.segments) < pieceSegments; {
		f := r.next()
		if f == nil {
			break
		}
		s, granules := f.segment(r.scan.automaton, room, len(p.segments) == 0)
		if s == nil {
			break
		}
		p.segments = append(p.segments, s)
		room -= granules
	}
	return p
}

// segment cuts the next one off a file: what is left of it, or, where a piece begins with it, as much as fits into room granules. It is
// nil where it does not fit.
func (f *flight) segment(a *Automaton, room int, alone bool) (s *segment, granules int) {
	s = &segment{flight: f, at: f.planned}
	lead, size := a.leadOf(s), a.granuleBytes()
	most := (room - lead - 1) * size
	switch left := f.left(); {
	case left <= int64(most) && (alone || lead == 0):
		s.want, s.only = int(left), s.at == 0
	case alone:
		s.want = most
	default:
		return nil, 0
	}
	f.grown = false
	f.planned += int64(s.want)
	f.segments = append(f.segments, s)
	f.pending++
	return s, lead + s.want/size + 1
}
