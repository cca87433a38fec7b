package scan

import (
	"fmt"

	"vyretop/tasks"
)

// settle goes through the active entries: it notices finished parts, and when all records of a part
// are drained it loads the next part or frees the entry.
func (r *runner) settle() (progress bool, err error) {
	keep := r.active[:0]
	for _, i := range r.active {
		e := &r.entries[i]
		at := i * partWords
		if !e.settling && r.parts.Load(at+partDone) == e.part+1 {
			e.settling, e.expect = true, r.parts.Load(at+partCount)
		}
		if !e.settling || e.drained < e.expect {
			keep = append(keep, i)
			continue
		}
		if e.drained > e.expect {
			return progress, protocolError(e.file.path, "%d matches arrived, its task wrote %d", e.drained, e.expect)
		}
		progress = true
		if e.ended {
			r.release(i)
			continue
		}
		r.next(e, at)
		if e.source != nil {
			keep = append(keep, i)
		}
	}
	r.active = keep
	return progress, nil
}

// next loads and announces the next part of a streamed file.
func (r *runner) next(e *entry, at int) {
	e.settling = false
	e.part++
	bytes := min(int64(e.length), e.file.size-e.counted) // it may be longer than it was
	e.counted += bytes
	r.scan.progress.replace(r.parts, at, bytes)
	r.load(e)
	e.announce(r.scan.automaton, r.parts, at)
	r.host.Wrote("parts", at, partLast+1)
	r.wake = true
}

// load reads a part.
func (r *runner) load(e *entry) {
	e.load(r.scan.automaton, r.buf, r.text)
	r.host.Wrote("text", e.block.words(), r.scan.automaton.granules(e.length)*granuleWords)
	if e.failed != nil {
		r.scan.warn(e.file, fmt.Errorf("%s: %w", e.file.path, e.failed))
	}
}

// release ends the entry's file and frees the entry.
func (r *runner) release(i int) {
	e := &r.entries[i]
	r.scan.done(e.file, e.failed == nil)
	r.scan.progress.replace(r.parts, i*partWords, e.file.size-e.counted)
	r.finished(e.file)
	r.arena.give(e.block)
	*e = entry{}
	r.unused = append(r.unused, i)
}

// stage reads files into the arena and makes their tasks, as far as there is room.
func (r *runner) stage() (progress bool) {
	bytes := 0
	r.refill()
	for len(r.queue) > 0 && len(r.unused) > 0 && len(r.batch) < stageFiles && bytes < stageBytes {
		f := r.queue[0]
		block, ok := r.arena.take(r.scan.automaton.blockOf(f.size, r.arena.total))
		if !ok {
			break
		}
		r.queue = r.queue[1:]
		progress = true
		bytes += int(block.n) * r.scan.automaton.granuleBytes()
		if !r.begin(f, block) {
			r.scan.progress.add(f.size)
			r.finished(f)
			r.arena.give(block)
		}
	}
	return progress
}

// begin opens a file, loads its first part and makes its task; false when there is nothing to search.
func (r *runner) begin(f *file, block span) bool {
	src, err := r.scan.tree.open(f)
	if err != nil {
		r.scan.warn(f, err)
		r.scan.done(f, false)
		return false
	}
	e := entry{file: f, source: src, block: block}
	r.load(&e)
	if e.failed != nil || (e.length == 0 && e.source == nil) {
		r.scan.done(f, e.failed == nil)
		return false
	}
	i := r.unused[len(r.unused)-1]
	r.unused = r.unused[:len(r.unused)-1]
	at := i * partWords
	r.parts.Store(at+partDone, 0)
	r.parts.Store(at+partAt, 0)
	e.announce(r.scan.automaton, r.parts, at)
	r.host.Wrote("parts", at, partWords)
	r.entries[i] = e
	if e.source != nil {
		r.active = append(r.active, i)
	}
	r.lastID += r.stride // unlike those of other hosts
	r.byTask[r.lastID] = i
	r.batch = append(r.batch, tasks.Task{
		State: tasks.Ready, Opcode: r.opcode, Priority: priority(f.size),
		InputHandle: uint32(i), TaskID: r.lastID,
	})
	return true
}

// Files from these sizes on go before others.
const (
	largeFile = 256 << 10
	hugeFile  = 1 << 20
)

// priority lets large files run ahead. A file is one task and so one lane's work: if the largest took
// turns with all others, they would be left over at the end, with most lanes idle.
func priority(size int64) tasks.Priority {
	switch {
	case size >= hugeFile:
		return tasks.Critical
	case size >= largeFile:
		return tasks.High
	}
	return tasks.Normal
}
