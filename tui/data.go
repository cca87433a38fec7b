package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/pane"
)

// updated says that the source has something newer, or that it never will again.
type updated struct{ ended bool }

func (msg updated) route(m *model) tea.Cmd { return m.onUpdate(msg) }

// ticked says that time has passed.
type ticked struct{}

func (ticked) route(m *model) tea.Cmd {
	m.ticking = false
	if m.feed.settle() {
		m.outdate()
	}
	m.dropMoot()
	return nil
}

// blurredInterval is the least time between two frames while the terminal has no focus.
const blurredInterval = 500 * time.Millisecond

// restPerWork is how many times as long as taking in a snapshot took the dashboard rests before the
// next one: a ring of a million slots then takes a fifth of a core, not all of it.
const restPerWork = 4

// delay is the time between two looks at the source.
func (fd *feed) delay() time.Duration {
	d := max(fd.interval, restPerWork*fd.cost)
	if fd.blurred {
		d = max(d, blurredInterval)
	}
	return d
}

// waitForUpdate waits out the refresh interval and then for the source.
func (fd *feed) waitForUpdate() tea.Cmd {
	if fd.ended {
		return nil
	}
	ctx, updates, delay := fd.ctx, fd.updates, fd.delay()
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
	m.position.rewound()
	began, shown, events := m.now(), m.latest.Snap, len(m.feed.events.list)
	m.refresh()
	now := m.latest.Snap
	m.feed.still = shown != nil && now != nil && len(m.feed.events.list) == events && now.Still(shown)
	m.feed.cost = m.now().Sub(began)
	m.feed.ended = msg.ended
	return tea.Batch(m.feed.waitForUpdate(), m.alerts.bell(), m.files.saveAlerted())
}

// stale reports whether the screen no longer shows what is so, after a message. Where nothing happens but
// that time passes, a second is soon enough.
func (m *model) stale(msg tea.Msg) bool {
	_, data := msg.(updated)
	return !data || !m.feed.still || m.now().Sub(m.drawn) >= slowClock
}

// refresh takes what the source has now.
func (m *model) refresh() {
	s := m.feed.source.Snapshot()
	if back := s != nil && m.latest != nil && m.latest.Snap != nil && s.Taken < m.latest.Snap.Taken; back {
		m.feed.log = logStore{}
		m.feed.events.rewind(s.Taken)
	}
	if m.latest == nil || s != m.latest.Snap {
		m.feed.arrived = m.now()
	}
	m.feed.renew(s)
	m.feed.earlier.Add(s)
	m.feed.advice.follow(m.latest, m.look.Glyphs.Times)
	if m.control.requests.measures() {
		m.latest.Advised, m.latest.AdviceNote = "", "shapes take turns until they are measured"
	}
	if m.live() && s != nil {
		m.position.scrub.snapshots.Add(s)
	}
	m.read(m.latest, m.feed.log.follow(m.feed.source, m.can.timed, s))
	m.latest.Log, m.latest.LogAt = newest(m.feed.log.records), newest(m.feed.log.at)
	m.latest.LogSkipped = m.feed.log.skipped
	first := m.feed.events.seen == 0
	news := m.feed.events.follow(m.feed.source)
	m.takeReloads(news)
	switch {
	case !m.live():
		m.feed.caption(news)
	case !first:
		m.feed.tellNews(news)
	}
	m.feed.events.check(s)
	m.alerts.observeAlerts(s)
	m.breaks.observeBreaks()
	m.latest.Events, m.latest.Violations, m.latest.Outcome = m.feed.events.list, m.feed.events.violations, m.feed.events.outcome
	m.feed.settle()
	if m.frozen == nil {
		m.observe(m.latest)
	}
	m.control.requests.settle()
	m.dropMoot()
	m.outdate()
}

// takeReloads takes what reloaded handlers have changed of the target.
func (m *model) takeReloads(news []megakernel.HostEvent) {
	if m.live() && slices.ContainsFunc(news, func(e megakernel.HostEvent) bool { return e.Kind == megakernel.EventReloaded }) {
		m.target = m.feed.source.Target()
		m.forgetRows()
	}
}

// renew makes a frame of a snapshot the latest one, in the memory of the one before that unless that is
// still looked at.
func (fd *feed) renew(s *megakernel.Snapshot) {
	f := fd.spare
	if f == nil {
		f = new(pane.Frame)
	}
	fd.spare = fd.latest
	if fd.latest == fd.frozen {
		fd.spare = nil
	}
	fd.latest = f.Renew(&fd.target, s, fd.past)
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
func (l *logStore) follow(source Source, timed TimedSource, s *megakernel.Snapshot) []megakernel.LogRecord {
	old := len(l.records)
	now := time.Duration(0)
	if s != nil {
		l.catchUp(s.LogCursor)
		now = s.Taken
	}
	for range mostRecords / batch {
		got := l.take(source, timed, now)
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
func (l *logStore) take(source Source, timed TimedSource, now time.Duration) []megakernel.LogRecord {
	var got []megakernel.LogRecord
	if timed != nil {
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
	case m.control.requests.waiting() > 0:
		return fastClock
	case m.message.text != "", m.asksLive(), m.feed.canBeStale(), m.feed.isLost(), !m.live() && m.transport.Playing(), m.views.working():
		return slowClock
	default:
		return 0
	}
}

// canBeStale reports whether snapshots should keep coming.
func (fd *feed) canBeStale() bool {
	if !fd.live() || fd.ended || fd.latest.Snap == nil {
		return false
	}
	p := fd.latest.Snap.Phase
	return p == megakernel.PhaseResident || p == megakernel.PhaseDraining
}

// lostSince is when the connection to the target was lost, or the zero time.
func (fd *feed) lostSince() time.Time {
	if l := fd.can.linked; l != nil {
		return l.LostSince()
	}
	return time.Time{}
}

func (fd *feed) isLost() bool { return !fd.lostSince().IsZero() }

// pulse is whether the newest frame shows what happens now.
func (fd *feed) pulse() pane.Pulse {
	switch {
	case fd.isLost():
		return pane.Lost
	case fd.events.outcome.Over(), fd.live() && fd.ended:
		return pane.Ended
	}
	return pane.Beating
}

// settle has the newest frame say that the target has ended or is lost, and reports whether that is news.
func (fd *feed) settle() bool {
	p, f := fd.pulse(), fd.latest
	if p == pane.Beating || f.Snap == nil || f.Pulse == p {
		return false
	}
	f.Settle(p)
	return true
}

// staleAfter is how long a live target may be silent.
const staleAfter = 2 * time.Second

// status is what the header says besides the data.
func (m *model) status() pane.Status {
	st := pane.Status{
		Title: m.title, ReadOnly: m.sink == nil && m.live(), Frozen: m.frozen != nil && !m.position.scrub.looking, Past: m.position.scrub.looking, Effect: m.control.effect, Alerts: m.alerts.watch.Badges(),
	}
	st.Breaks, st.Pending, st.Hits = m.breaks.armed()
	st.Records = m.live() && !m.feed.ended && m.feed.events.recorders > 0
	if m.latest.Snap == nil {
		return st
	}
	if f := m.latest; m.frozen == nil && f.Snap.Phase == megakernel.PhaseParked && f.Pulse == pane.Beating && (f.State(tasks.Paused) > 0 || f.PausedWorkers() > 0) {
		h := m.control.holds()
		st.ByHand = h.byHand
		if st.Held, st.Halted = h.breaks, h.workers > 0 && h.workers == f.Snap.Workers && !f.AllEnded(); m.sink != nil {
			st.Resume = firstKey(m.chrome.keys.ByID(keymap.ContinueAll))
		}
	}
	st.Age = m.feed.age()
	if since := m.feed.lostSince(); !since.IsZero() {
		st.Lost, st.LostFor = true, m.now().Sub(since)
	}
	st.Stale = m.feed.canBeStale() && st.Age > max(staleAfter, 3*m.feed.interval)
	if m.frozen != nil && m.frozen.Snap != nil {
		st.Behind = m.latest.Snap.Taken - m.frozen.Snap.Taken
	}
	if t := m.transport; t != nil {
		at, end := t.Position()
		st.Replay = &pane.Replay{At: at, End: end, Speed: t.Speed(), Playing: t.Playing(), Brief: m.width < layout.SmallWidth}
	}
	return st
}

// age is how old the newest snapshot is: by the time it was taken where the target says when it
// started, else by the time it arrived here.
func (fd *feed) age() time.Duration {
	if started := fd.target.Started; fd.live() && !started.IsZero() {
		return max(fd.now().Sub(started.Add(fd.latest.Snap.Taken)), 0)
	}
	return fd.now().Sub(fd.arrived)
}

// freeze pins what is on screen; the history and the log continue behind it.
func (ps *position) freeze() {
	if ps.frozen != nil {
		ps.lookAtNow()
		return
	}
	ps.frozen = ps.latest
	ps.shell.table().Rearrange()
}
