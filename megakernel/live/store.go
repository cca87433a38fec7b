package live

import (
	"sync"
	"sync/atomic"

	"vyretop/megakernel"
)

// Store keeps what was last heard of a target: the newest snapshot, a bounded tail of the debug log
// and of the events. It may be used from any goroutine, and no call waits in it.
type Store struct {
	updates chan struct{}
	newest  atomic.Pointer[megakernel.Snapshot]

	mu     sync.Mutex
	log    logTail
	events tail[megakernel.HostEvent]
	closed bool
}

// NewStore makes an empty store that keeps that many debug-log records and events; 0 means
// DefaultLogRecords and DefaultEvents.
func NewStore(records, events int) *Store {
	if records <= 0 {
		records = DefaultLogRecords
	}
	if events <= 0 {
		events = DefaultEvents
	}
	return &Store{
		updates: make(chan struct{}, 1),
		log:     logTail{bound: records}, events: newTail[megakernel.HostEvent](events),
	}
}

// Snapshot is the newest snapshot, nil before the first.
func (s *Store) Snapshot() *megakernel.Snapshot { return s.newest.Load() }

// Updates receives, coalesced, when a newer snapshot is there; it is closed by Close.
func (s *Store) Updates() <-chan struct{} { return s.updates }

// Log returns the retained debug-log records with Number >= after, in order, at most limit.
func (s *Store) Log(after uint64, limit int) []megakernel.LogRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	blocks, _ := s.log.since(s.log.position(after), limit)
	return blocks.Decode()
}

// Events returns the retained host events from number after on, counted from 0, at most limit.
func (s *Store) Events(after, limit int) []megakernel.HostEvent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events.slice(max(0, after-s.events.dropped), limit)
}

// LogSince returns retained records by the order in which they came, at most limit from position at on,
// and the position behind them. Where that is further on than the records account for, the others are
// not retained any longer.
func (s *Store) LogSince(at, limit int) (blocks megakernel.LogBlocks, next int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.since(at, limit)
}

// LogEnd is the position behind the last record.
func (s *Store) LogEnd() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.end
}

// LogPosition is the position of the first retained record with Number >= number.
func (s *Store) LogPosition(number uint64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.position(number)
}

// EventsSince is LogSince for the events; their position is their number.
func (s *Store) EventsSince(at, limit int) (events []megakernel.HostEvent, next int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events.since(at, limit)
}

// AddLog keeps records, which are in order and behind those that are there.
func (s *Store) AddLog(blocks megakernel.LogBlocks) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.add(blocks)
}

// AddEvent keeps an event.
func (s *Store) AddEvent(e megakernel.HostEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events.add(e)
}

// Put keeps a snapshot, which must not change afterwards, and returns the one before.
func (s *Store) Put(snap *megakernel.Snapshot) *megakernel.Snapshot { return s.newest.Swap(snap) }

// Notify tells that something newer is there; a reader that has not looked yet is told once.
func (s *Store) Notify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	select {
	case s.updates <- struct{}{}:
	default:
	}
}

// Close says that nothing newer will come. What is there stays.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.updates)
	}
}
