package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"vyretop/megakernel/remote"
	"vyretop/megakernel/stats"
	"vyretop/megakernel/targets"
)

// The times of states.
const (
	watchTime     = 15 * time.Second       // a screen that asked so long ago has gone
	leastInterval = 100 * time.Millisecond // between two states
	restInterval  = 5 * time.Second        // while nothing but time changes
)

// Watch is what a screen asks targets for.
type Watch struct {
	Version  int   `json:"v"`
	Interval int64 `json:"interval_ms"`   // between two states
	Now      bool  `json:"now,omitempty"` // one at once
}

// Publisher tells a hub of a run, and lets its users attach to it.
type Publisher struct {
	hub    *Hub
	server *remote.Server
	what   targets.Status
	ctx    context.Context
	cancel context.CancelFunc
	group  sync.WaitGroup
	unsent atomic.Uint64
	asked  chan wish // by screens

	mu    sync.Mutex
	conns map[*Conn]struct{}
}

// wish is a Watch as the publisher sees it.
type wish struct {
	interval time.Duration
	now      bool
}

// maxWishes is how many screens may ask at the same time.
const maxWishes = 64

// Publish announces a run whose server is remote: what says of it what does not change but for its ID, which is drawn here.
func Publish(h *Hub, server *remote.Server, what targets.Status) (*Publisher, error) {
	what.Version, what.Protocol, what.ID, what.Name = targets.Version, remote.Protocol, newID(8), server.Name()
	p := &Publisher{hub: h, server: server, what: what, asked: make(chan wish, maxWishes), conns: map[*Conn]struct{}{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	_, err := h.Subscribe(subjectWatch, p.watch)
	if err == nil {
		_, err = h.Subscribe(attachSubjects(what.ID), p.attach)
	}
	if err != nil {
		p.cancel()
		return nil, h.failure(err)
	}
	p.group.Go(p.run)
	return p, nil
}

// attachSubjects are those of all levels and users for a target.
func attachSubjects(id string) string { return subjectAttach + "*.*." + id }

// watch notes that a screen wants to hear of the run.
func (p *Publisher) watch(m *nats.Msg) {
	var w Watch
	if json.Unmarshal(m.Data, &w) != nil || w.Interval <= 0 {
		return
	}
	select {
	case p.asked <- wish{stepOf(time.Duration(min(w.Interval, int64(time.Hour/time.Millisecond))) * time.Millisecond), w.Now}:
	default: // the publisher has not looked since the last one
	}
}

// stepOf is the interval that a target has for one that is wished: 1, 2 or 5 times a power of ten, so that a target keeps few of them
// whatever screens wish.
func stepOf(wished time.Duration) time.Duration {
	step := leastInterval
	for ten := leastInterval; ten <= wished; ten *= 10 {
		for _, times := range []time.Duration{1, 2, 5} {
			if times*ten <= wished {
				step = times * ten
			}
		}
	}
	return step
}

// run publishes states while a screen wants them.
func (p *Publisher) run() {
	s := &states{publisher: p, wanted: map[time.Duration]time.Time{}}
	s.publish(false) // for the screens that are there
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	defer timer.Stop()
	for {
		select {
		case <-p.ctx.Done():
			s.publish(true)
			return
		case w := <-p.asked:
			if soon, ok := s.want(w); ok {
				s.asked = true
				timer.Reset(soon)
			}
		case <-timer.C:
			if s.wait() > 0 {
				asked := s.asked
				s.tell()
				timer.Reset(spread(s.wait(), asked))
			}
		}
	}
}

// spread is the time to the next state. Behind one that a screen has asked all targets for at once it is a random part of the interval: they
// would all report at the same time from then on, and the screen would change once an interval.
func spread(interval time.Duration, asked bool) time.Duration {
	if !asked || interval <= leastInterval {
		return interval
	}
	return leastInterval + rand.N(interval-leastInterval)
}

// states is the memory of what was published.
type states struct {
	publisher *Publisher
	wanted    map[time.Duration]time.Time // until when, by interval
	before    stats.Sample
	published time.Time
	resting   bool // nothing but time had changed then
	asked     bool // the next one is wanted in any case
}

// want notes what a screen wants; ok is true where that is a state soon.
func (s *states) want(w wish) (soon time.Duration, ok bool) {
	first := s.wait() == 0
	s.wanted[w.interval] = time.Now().Add(watchTime)
	return max(leastInterval-time.Since(s.published), 0), first || w.now
}

// wait is the time between two states; 0 where no screen wants one.
func (s *states) wait() (interval time.Duration) {
	now := time.Now()
	for each, until := range s.wanted {
		switch {
		case now.After(until):
			delete(s.wanted, each)
		case interval == 0 || each < interval:
			interval = each
		}
	}
	return interval
}

// tell publishes the state, unless nothing but time has changed and the last one is not old.
func (s *states) tell() {
	now := s.publisher.server.Hub().Snapshot()
	if !s.asked && now != nil && s.before.Now != nil && now.Still(s.before.Now) && s.resting && time.Since(s.published) < restInterval-leastInterval {
		return
	}
	s.publish(false)
}

// publish publishes the state.
func (s *states) publish(ended bool) {
	p := s.publisher
	status := p.what
	status.Sent, status.Unsent, status.Ended = time.Now(), p.unsent.Load(), ended
	status.Interval = max(s.wait(), time.Second).Milliseconds()
	if now := p.server.Hub().Snapshot(); now != nil {
		sample := stats.NewSample(now, s.before.Now)
		status.Figures, status.Parts = targets.FiguresOf(sample), p.what.PartsOf(now, s.before.Now)
		if s.resting = s.before.Now != nil && now.Still(s.before.Now); s.resting {
			status.Interval = max(status.Interval, restInterval.Milliseconds())
		}
		s.before = stats.Sample{Now: now}
	}
	s.published, s.asked = status.Sent, false
	body, err := json.Marshal(status)
	if err == nil {
		err = p.hub.Publish(subjectStatus+p.what.ID, body)
	}
	if err != nil {
		p.unsent.Add(1)
	}
}

// attach answers a client that asks for a connection.
func (p *Publisher) attach(m *nats.Msg) {
	var r openRequest
	level, user, ok := parseAttach(m.Subject)
	if !ok || json.Unmarshal(m.Data, &r) != nil || !ownInbox(user, m.Reply) {
		return // not a client of ours, or one that would have the target write where it may not
	}
	reply := openReply{Version: targets.Version}
	switch {
	case r.Version != targets.Version:
		reply.Error = fmt.Sprintf("it speaks version %d of the hub's messages, this client version %d. Fix: run the same version of vyretop on all machines", targets.Version, r.Version)
	case !ownInbox(user, r.Down):
		return
	default:
		reply.Up, reply.Error = p.open(level, user, r.Down)
	}
	body, err := json.Marshal(reply)
	if err == nil {
		err = m.Respond(body)
	}
	if err != nil {
		p.unsent.Add(1)
	}
}

// open makes a connection for a user.
func (p *Publisher) open(level remote.Rights, user, down string) (up, refused string) {
	s := &session{}
	up = upSubject(level, user, p.what.ID, newID(16))
	subscription, err := p.hub.Subscribe(up, func(m *nats.Msg) { s.take(m.Data) })
	if err != nil {
		return "", err.Error()
	}
	var c *Conn
	c = newConn(func(frame []byte) error { return p.hub.Publish(down, frame) }, func() {
		_ = subscription.Unsubscribe()
		p.forget(c)
	}, up, down, defaultTimes)
	s.begin(c)
	p.mu.Lock()
	p.conns[c] = struct{}{}
	p.mu.Unlock()
	if !p.server.Join(c, remote.Peer{Name: user, Rights: level, Exclusive: true}) {
		return "", "it has too many clients. Fix: end other clients"
	}
	return up, ""
}

func (p *Publisher) forget(c *Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
}

// closeTime bounds how long a publisher waits at its end until the hub has what it published.
const closeTime = 2 * time.Second

// Close tells the screens that the run has ended, and leaves the hub. Its server is closed before.
func (p *Publisher) Close() {
	p.cancel()
	p.group.Wait()
	p.mu.Lock()
	open := make([]*Conn, 0, len(p.conns))
	for c := range p.conns {
		open = append(open, c)
	}
	p.mu.Unlock()
	for _, c := range open {
		_ = c.Close()
	}
	_ = p.hub.FlushTimeout(closeTime) // screens see that the target is gone either way
	p.hub.Close()
}
