package scan

import (
	"fmt"

	"vyretop/megakernel"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// received makes the task of a piece that has been read.
func (r *runner) received(p *piece) {
	for _, s := range p.segments {
		r.note(s)
	}
	if p.shape.granules == 0 {
		r.release(p)
		return
	}
	p.announce(r.layout, r.pieces)
	r.host.Wrote("text", p.index*r.layout.block*granuleWords, p.shape.size()*granuleWords)
	r.host.Wrote("pieces", p.index*entryWords, entryWords)
	r.lastID += r.stride // unlike those of other hosts
	r.byTask[r.lastID] = p
	r.batch = append(r.batch, tasks.Task{
		State: tasks.Ready, Opcode: r.opcode, Priority: tasks.Normal, InputHandle: uint32(p.index), TaskID: r.lastID,
	})
}

// note learns from a segment that was read how its file continues.
func (r *runner) note(s *segment) {
	f := s.flight
	if s.failed != nil && f.failed == nil {
		f.failed = s.failed
		r.scan.warn(f.file, f.failure())
	}
	switch {
	case s.got < s.want:
		f.ended = true
	case !f.ended && s.at+int64(s.want) == f.planned && f.left() == 0:
		f.grown = true
		r.grown = append(r.grown, f)
	}
}

// failure names the file that could not be read.
func (f *flight) failure() error {
	if f.refused != nil {
		return f.refused // it does so already
	}
	return fmt.Errorf("%s: %w", f.file.path, f.failed)
}

// complete notes the tasks that have ended.
func (r *runner) complete(cs []workload.Completion) error {
	r.begun = true
	for _, c := range cs {
		p, ok := r.byTask[c.TaskID]
		if !ok {
			return protocolError("scan", "task %d ended, but was not published or had ended before", c.TaskID)
		}
		delete(r.byTask, c.TaskID)
		if c.State != tasks.Done {
			code := megakernel.FaultCode(c.Code)
			return workload.Failure(workload.ErrTaskFaulted, p.name(), fmt.Sprintf("its task ended in a fault: %s", code), nil, "look at the debug log of the run")
		}
		p.ended, p.expect = true, c.Output
		r.settling = append(r.settling, p)
	}
	return nil
}

// settle frees the entries of pieces whose records are all drained.
func (r *runner) settle() (progress bool, err error) {
	keep := r.settling[:0]
	for _, p := range r.settling {
		switch {
		case p.drained < p.expect:
			keep = append(keep, p)
		case p.drained > p.expect:
			return progress, protocolError(p.name(), "%d matches arrived, its task wrote %d", p.drained, p.expect)
		default:
			progress = true
			r.release(p)
		}
	}
	r.settling = keep
	return progress, nil
}

// release frees the entry of a piece that is searched, and ends the files that are through with it.
func (r *runner) release(p *piece) {
	for _, s := range p.segments {
		f := s.flight
		r.scan.progress.add(f.finish(s))
		if f.over() {
			r.end(f)
		}
	}
	r.entries[p.index] = nil
	r.unused = append(r.unused, p.index)
}

// end ends a file.
func (r *runner) end(f *flight) {
	f.close()
	if f.beyond {
		f.file.matches = r.scan.endingBefore(f.file.matches, f.file.read)
	}
	r.scan.done(f.file, f.failed == nil)
	r.scan.progress.add(f.file.size - f.counted)
	delete(r.open, f)
	if r.units != nil { // other hosts are told
		r.units.Finish(r.part.Host, f.file.unit)
	}
}

// take attributes one record to its file.
func (r *runner) take(rec record) error {
	if int64(rec.entry) >= int64(len(r.entries)) || r.entries[rec.entry] == nil {
		return protocolError("scan", "a match names entry %d, which holds no text", rec.entry)
	}
	p, a := r.entries[rec.entry], r.scan.automaton
	state, symbols := int(rec.row)/a.width, p.shape.granules*granuleSymbols
	var s *segment
	if int64(rec.at) < int64(symbols) {
		s = p.segment(int(rec.at))
	}
	if s == nil || state >= a.States() {
		return protocolError(p.name(), "a match ends in symbol %d of %d, after state %d of %d", rec.at, symbols, state, a.States())
	}
	p.drained++
	offset := s.at + int64(int(rec.at)-s.first*granuleSymbols)*int64(a.stride)
	text := r.text[p.index*r.layout.block*granuleWords:]
	f := s.flight.file
	before := len(f.matches)
	f.matches = a.expand(f.matches, uint32(state), p.shape.symbol(text, int(rec.at)), offset)
	if r.scan.found.Add(int64(len(f.matches)-before)) > MaxMatches {
		return workload.Failure(workload.ErrInput, f.path, fmt.Sprintf("with it there are more than %d matches, which is all that fits", MaxMatches), nil, "give fewer or longer patterns, or scan fewer files")
	}
	return nil
}
