package resident

import (
	"time"

	"vyretop/megakernel"
)

// pauseState remembers which workers obey a pause, so that a kernel that can do nothing is parked
// instead of being relaunched for ever. Answers may be noted in another order than the commands were
// given in, by goroutines that waited for them: the newest command counts, not the newest note.
type pauseState struct {
	mu      lock[leafRank]
	all     mark // by pause-all and resume-all
	workers map[uint32]mark
	since   time.Time     // when all were paused; zero while they are not
	before  time.Duration // how long all were paused, without the pause in force
}

// mark is what a command made of a worker, or of all.
type mark struct {
	number uint32 // of the command, plus one; 0: none yet
	paused bool
}

// newer reports whether m was made by a later command than o; numbers wrap.
func (m mark) newer(o mark) bool { return o.number == 0 || int32(m.number-o.number) > 0 }

// note takes in the answer to command number.
func (p *pauseState) note(number uint32, a megakernel.Ack) {
	if a.Result != megakernel.AckApplied {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	m := mark{number: number + 1}
	switch a.Command.Op {
	case megakernel.OpPauseAll, megakernel.OpResumeAll:
		m.paused = a.Command.Op == megakernel.OpPauseAll
		if m.newer(p.all) {
			p.all = m
			p.clock()
		}
	case megakernel.OpPauseWorker, megakernel.OpResumeWorker:
		m.paused = a.Command.Op == megakernel.OpPauseWorker
		if p.workers == nil {
			p.workers = map[uint32]mark{}
		}
		if m.newer(p.workers[a.Command.Worker]) {
			p.workers[a.Command.Worker] = m
		}
	}
}

// clock begins or ends a pause of all. The caller holds the lock.
func (p *pauseState) clock() {
	switch {
	case p.all.paused && p.since.IsZero():
		p.since = time.Now()
	case !p.all.paused && !p.since.IsZero():
		p.before += time.Since(p.since)
		p.since = time.Time{}
	}
}

// total is how long all workers were paused by pause-all.
func (p *pauseState) total() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return p.before
	}
	return p.before + time.Since(p.since)
}

// PausedFor is how long the whole target has stood still because somebody paused all workers.
func (s *Session) PausedFor() time.Duration { return s.commander.paused.total() }

// every reports whether all of the first n workers are paused. A resume-all also ends the pauses of
// single workers that were given before it.
func (p *pauseState) every(n int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all.paused {
		return true
	}
	for w := range n {
		m := p.workers[uint32(w)]
		if !m.paused || !m.newer(p.all) {
			return false
		}
	}
	return true
}

// allPaused reports whether no worker of the next slice would claim anything.
func (t *tuning) allPaused() bool { return t.commander.paused.every(t.Shape().Workers) }
