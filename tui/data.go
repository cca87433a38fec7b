package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tui/layout"
	"vyretop/tui/view"
)

// updated says that the source has something newer, or that it never will again.
type updated struct{ ended bool }

// ticked says that time has passed.
type ticked struct{}

// blurredInterval is the least time between two frames while nobody looks.
const blurredInterval = 500 * time.Millisecond

// restPerWork is how many times as long as taking in a snapshot took the dashboard rests before the
// next one: a ring of a million slots then takes a fifth of a core, not all of it.
const restPerWork = 4

// delay is the time between two looks at the source.
func (m *model) delay() time.Duration {
	d := max(m.interval, restPerWork*m.cost)
	if m.blurred {
		d = max(d, blurredInterval)
	}
	return d
}

// waitForUpdate waits out the refresh interval and then for the source.
func (m *model) waitForUpdate() tea.Cmd {
	if m.ended {
		return nil
	}
	ctx, updates, delay := m.ctx, m.updates, m.delay()
	return func() tea.Msg {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil
		}
		select {
		case _, ok := <-updates:
			return updated{ended: !ok}
		case <-ctx.Done():
			return nil
		}
	}
}

func (m *model) onUpdate(msg updated) tea.Cmd {
	m.rewound()
	began, shown, events := m.now(), m.latest.Snap, len(m.events.list)
	m.refresh()
	now := m.latest.Snap
	m.still = shown != nil && now != nil && len(m.events.list) == events && now.Still(shown)
	m.cost = m.now().Sub(began)
	m.ended = msg.ended
	return tea.Batch(m.waitForUpdate(), m.bell(), m.saveAlerted())
}

// stale reports whether the screen no longer shows what is so, after a message. Where nothing happens but
// that time passes, a second is soon enough.
func (m *model) stale(msg tea.Msg) bool {
	_, data := msg.(updated)
	return !data || !m.still || m.now().Sub(m.drawn) >= slowClock
}

// refresh takes what the source has now.
func (m *model) refresh() {
	s := m.source.Snapshot()
	if back := s != nil && m.latest != nil && m.latest.Snap != nil && s.Taken < m.latest.Snap.Taken; back {
		m.log = logStore{}
		m.events.rewind(s.Taken)
	}
	if m.latest == nil || s != m.latest.Snap {
		m.arrived = m.now()
	}
	m.renew(s)
	m.latest.Extracts = m.memory.extracts
	m.earlier.add(s)
	m.advice.follow(m.latest, m.look.Glyphs.Times)
	if m.live() && s != nil {
		m.scrub.moments.Add(s)
	}
	m.timeline.take(s, m.log.follow(m.source, s))
	m.latest.Log, m.latest.LogAt = newest(m.log.records), newest(m.log.at)
	m.latest.LogSkipped = m.log.skipped
	first := m.events.seen == 0
	switch news := m.events.follow(m.source); {
	case !m.live():
		m.caption(news)
	case !first:
		m.tellNews(news)
	}
	m.events.check(s)
	m.observeAlerts(s)
	m.observeBreaks()
	m.latest.Events, m.latest.Violations, m.latest.Outcome = m.events.list, m.events.violations, m.events.outcome
	if m.frozen == nil {
		m.memory.observe(m.latest)
	}
	m.requests.settle()
	m.outdate()
}

// renew makes a frame of a snapshot the latest one, in the memory of the one before that unless that is
// still looked at.
func (m *model) renew(s *megakernel.Snapshot) {
	f := m.spare
	if f == nil {
		f = new(view.Frame)
	}
	m.spare = m.latest
	if m.latest == m.frozen {
		m.spare = nil
	}
	m.latest = f.Renew(&m.target, s, m.past)
}

// logStore keeps the newest records. The slices it hands out stay valid and unchanged, because it
// appends behind them and moves to new memory instead of overwriting.
type logStore struct {
	records []megakernel.LogRecord
	at      []time.Duration // by record: when it was read
	next    uint64          // number of the next record wanted
	started bool
	skipped uint64
}

// keptRecords is how many log records can be looked at; mostRecords how many are read at a time, for the timeline, and batch how many
// are asked for at once.
const (
	keptRecords = 8192
	mostRecords = 4 * keptRecords
	batch       = 2048
)

// follow takes the records that are new since the last call, and returns them.
func (l *logStore) follow(source Source, s *megakernel.Snapshot) []megakernel.LogRecord {
	old := len(l.records)
	now := time.Duration(0)
	if s != nil {
		l.catchUp(s.LogCursor)
		now = s.Taken
	}
	for range mostRecords / batch {
		got := l.take(source, now)
		if len(got) == 0 {
			break
		}
		l.next = got[len(got)-1].Number + 1
		if len(got) < batch {
			break
		}
	}
	fresh := l.records[old:]
	if len(l.records) > 2*keptRecords {
		l.records, l.at = slices.Clone(newest(l.records)), slices.Clone(newest(l.at))
	}
	return fresh
}

// take appends what comes next, and when it was read: now, unless the source knows better. A recording does after a
// seek, which passes over many readings.
func (l *logStore) take(source Source, now time.Duration) []megakernel.LogRecord {
	var got []megakernel.LogRecord
	if timed, ok := source.(TimedSource); ok {
		var at []time.Duration
		got, at = timed.TimedLog(l.next, batch)
		l.at = append(l.at, at...)
	} else {
		got = source.Log(l.next, batch)
	}
	l.records = append(l.records, got...)
	for len(l.at) < len(l.records) {
		l.at = append(l.at, now)
	}
	return got
}

// newest is the last keptRecords entries, which what is appended later leaves alone.
func newest[T any](list []T) []T { return slices.Clip(list[max(len(list)-keptRecords, 0):]) }

// catchUp moves on to the last mostRecords records when the kernel writes faster than the screen
// can follow. What is passed over after the start is counted.
func (l *logStore) catchUp(cursor uint32) {
	end := l.next + uint64(cursor-uint32(l.next))
	if behind := end - l.next; behind > mostRecords && behind < 1<<31 {
		if l.started {
			l.skipped += behind - mostRecords
		}
		l.next = end - mostRecords
	}
	l.started = true
}

// tick asks for a clock message while something on screen depends on the time of day. There is never
// more than one on its way.
func (m *model) tick() tea.Cmd {
	every := m.clockInterval()
	if m.ticking || every == 0 {
		return nil
	}
	m.ticking = true
	ctx := m.ctx
	return func() tea.Msg {
		timer := time.NewTimer(every)
		defer timer.Stop()
		select {
		case <-timer.C:
			return ticked{}
		case <-ctx.Done():
			return nil
		}
	}
}

const (
	fastClock = 100 * time.Millisecond
	slowClock = time.Second
)

// clockInterval is how often the screen must be drawn though no data comes, or 0.
func (m *model) clockInterval() time.Duration {
	switch {
	case m.requests.waiting() > 0:
		return fastClock
	case m.message.text != "", m.asksLive(), m.canBeStale(), m.isLost(), !m.live() && m.transport.Playing():
		return slowClock
	default:
		return 0
	}
}

// canBeStale reports whether snapshots should keep coming.
func (m *model) canBeStale() bool {
	if !m.live() || m.ended || m.latest.Snap == nil {
		return false
	}
	p := m.latest.Snap.Phase
	return p == megakernel.PhaseResident || p == megakernel.PhaseDraining
}

// lostSince is when the connection to the target was lost, or the zero time.
func (m *model) lostSince() time.Time {
	if l, ok := m.source.(Linked); ok {
		return l.LostSince()
	}
	return time.Time{}
}

func (m *model) isLost() bool { return !m.lostSince().IsZero() }

// staleAfter is how long a live target may be silent.
const staleAfter = 2 * time.Second

// status is what the header says besides the data.
func (m *model) status() view.Status {
	st := view.Status{
		Title: m.title, ReadOnly: m.sink == nil && m.live(), Frozen: m.frozen != nil && !m.scrub.looking, Past: m.scrub.looking, Effect: m.effect, Alerts: m.alerts.Badges(),
	}
	st.Breaks, st.Hits = m.breaks.armed()
	if m.latest.Snap == nil {
		return st
	}
	st.Age = m.age()
	if since := m.lostSince(); !since.IsZero() {
		st.Lost, st.LostFor = true, m.now().Sub(since)
	}
	st.Stale = m.canBeStale() && st.Age > max(staleAfter, 3*m.interval)
	if m.frozen != nil && m.frozen.Snap != nil {
		st.Behind = m.latest.Snap.Taken - m.frozen.Snap.Taken
	}
	if t := m.transport; t != nil {
		at, end := t.Position()
		st.Replay = &view.Replay{At: at, End: end, Speed: t.Speed(), Playing: t.Playing(), Brief: m.width < layout.SmallWidth}
	}
	return st
}

// age is how old the newest snapshot is: by the time it was taken where the target says when it
// started, else by the time it arrived here.
func (m *model) age() time.Duration {
	if started := m.target.Started; m.live() && !started.IsZero() {
		return max(m.now().Sub(started.Add(m.latest.Snap.Taken)), 0)
	}
	return m.now().Sub(m.arrived)
}

// freeze pins what is on screen; the history and the log go on behind it.
func (m *model) freeze() {
	if m.frozen != nil {
		m.lookAtNow()
		return
	}
	m.frozen = m.latest
	m.rearrange()
}
