package run

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/engine/vitals"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// Watched is a session together with its one reader of the debug log, as a hub wants it.
type Watched struct {
	*resident.Session
	reader *megakernel.LogReader // of TakeLog alone
	read   atomic.Uint64
	lost   atomic.Pointer[lostLog]

	states  *epochStates  // that are recorded before the epoch is advanced; nil for none
	resumed chan struct{} // 1 deep: all has been asked to be resumed

	progress progressReader
	graph    func() megakernel.Graph // nil: the workload has none
	vitals   *vitals.Sampler         // nil where nothing is read
}

// lostLog is what the reader of the log knew after it last read.
type lostLog struct {
	all      uint64
	kinds    [megakernel.NumEvents]uint64
	inFlight uint64
}

// Watch makes the reader of the log. progress says how far the work is, as workload.Workload does.
func Watch(s *resident.Session, progress func() (done, total int64, unit string)) (*Watched, error) {
	reader, err := s.Log()
	if err != nil {
		return nil, err
	}
	return &Watched{Session: s, reader: reader, resumed: make(chan struct{}, 1), progress: progressReader{read: progress, now: time.Now}}, nil
}

// Do implements live.Session.
func (w *Watched) Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	if c.Op == megakernel.OpResumeAll {
		w.noteResumed()
	}
	if c.Op == megakernel.OpAdvanceEpoch && w.states != nil {
		w.states.take(ctx, w.Session, waitCommanded)
	}
	return w.Session.Do(ctx, c)
}

func (w *Watched) noteResumed() {
	select {
	case w.resumed <- struct{}{}:
	default:
	}
}

// TakeLog implements live.Session.
func (w *Watched) TakeLog(limit int) megakernel.LogBlocks {
	before := w.reader.Taken()[megakernel.EventFault]
	out, inFlight := w.reader.Take(limit)
	if w.reader.Taken()[megakernel.EventFault] != before {
		w.NoteFaults(out)
	}
	w.read.Add(uint64(out.Len()))
	kinds := w.reader.LostKinds()
	w.lost.Store(&lostLog{w.reader.Lost(), kinds, inFlight})
	return out
}

// Taken is how many records TakeLog has returned.
func (w *Watched) Taken() uint64 { return w.read.Load() }

// Lost is how many records were overwritten before they were read, as known after the last TakeLog.
func (w *Watched) Lost() uint64 {
	if l := w.lost.Load(); l != nil {
		return l.all
	}
	return 0
}

// LostKinds is Lost by kind.
func (w *Watched) LostKinds() (kinds [megakernel.NumEvents]uint64) {
	if l := w.lost.Load(); l != nil {
		return l.kinds
	}
	return kinds
}

// Snapshot implements live.Session; it adds what only the reader of the log and the workload know.
func (w *Watched) Snapshot() *megakernel.Snapshot {
	s := w.Session.Snapshot()
	if l := w.lost.Load(); l != nil {
		s.LogLost, s.LogLostKinds, s.InFlight = l.all, l.kinds, l.inFlight
	}
	w.tell(s)
	return s
}

// tell adds what only the workload and the devices of the host know. A kernel that finished work would have run is not told of,
// though a driver cannot be kept from compiling it to the end.
func (w *Watched) tell(s *megakernel.Snapshot) {
	s.Progress = w.progress.of(s.Phase)
	if s.Progress.Finished() {
		s.Compiling = megakernel.Compiling{}
	}
	if w.graph != nil {
		s.Progress.Graph = w.graph()
	}
	s.Vitals = w.vitals.Latest()
}

// Work is how much work is done, as megakernel.Snapshot.Work says it, without a reading of the slots.
func (w *Watched) Work() (done uint64, unit string) {
	s := megakernel.Snapshot{Counters: w.Summary().Counters, Progress: w.progress.exact()}
	return s.Work()
}

// lateEvents keeps the events of a session that come before there is anyone to tell.
type lateEvents struct {
	mu   sync.Mutex
	tell func(e megakernel.HostEvent)
	kept []megakernel.HostEvent
}

func (l *lateEvents) add(kind, text string) { l.addEvent(megakernel.HostEvent{Kind: kind, Text: text}) }

func (l *lateEvents) addEvent(e megakernel.HostEvent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tell == nil {
		l.kept = append(l.kept, e)
		return
	}
	l.tell(e)
}

// connect tells what was kept, in order, and from then on everything at once.
func (l *lateEvents) connect(tell func(e megakernel.HostEvent)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.kept {
		tell(e)
	}
	l.tell, l.kept = tell, nil
}
