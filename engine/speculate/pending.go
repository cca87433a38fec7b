package speculate

import (
	"context"
	"errors"
	"sync"
	"time"

	"vyretop/engine"
)

// Counts tells what became of the candidates of a dispatch: the items that the prefilter let through.
type Counts struct {
	Speculated bool   // prefilter and confirmer were fused
	Committed  uint32 // confirmed and stored
	Refused    uint32 // not confirmed
	RolledBack uint32 // refused after speculation; 0 without
}

// Pending implements engine.Pending.
type Pending struct {
	pipeline *Pipeline
	ledger   engine.Buffer
	adaptive bool
	fused    bool
	started  time.Time
	under    []engine.Pending // one, or prefilter and confirmer

	once   sync.Once
	counts Counts
	err    error
}

// start queues the dispatch, or both of them.
func (s *Pending) start(ctx context.Context, bindings []engine.Binding, cfg engine.DispatchConfig) error {
	s.started = time.Now()
	if s.fused {
		return s.queue(ctx, s.pipeline.fused, bindings, cfg)
	}
	if err := s.queue(ctx, s.pipeline.prefilter, bindings, cfg); err != nil {
		return err
	}
	cfg.Grid, cfg.Indirect = [3]uint32{}, engine.IndirectGrid{Buffer: s.ledger, Offset: wordGrid}
	return s.queue(ctx, s.pipeline.confirm, bindings, cfg)
}

func (s *Pending) queue(ctx context.Context, p engine.Pipeline, bindings []engine.Binding, cfg engine.DispatchConfig) error {
	pending, err := p.Start(ctx, bindings, cfg)
	if err != nil {
		s.settleLater()
		return err
	}
	s.under = append(s.under, pending)
	return nil
}

// settleLater gives the ledger back when what has been queued is over.
func (s *Pending) settleLater() {
	go func() {
		for _, p := range s.under {
			<-p.Done()
		}
		s.pipeline.shut(s.ledger)
	}()
}

// Done implements engine.Pending.
func (s *Pending) Done() <-chan struct{} { return s.under[len(s.under)-1].Done() }

// Wait implements engine.Pending.
func (s *Pending) Wait(ctx context.Context) (engine.Timing, error) {
	var sum engine.Timing
	var failed error
	for _, p := range s.under {
		timing, err := p.Wait(ctx)
		if err != nil && !ended(p) {
			return engine.Timing{}, err
		}
		failed = errors.Join(failed, err)
		sum.Device = plus(sum.Device, timing.Device, p == s.under[0])
		sum.Enqueue = plus(sum.Enqueue, timing.Enqueue, p == s.under[0])
	}
	sum.Wall = engine.Known(time.Since(s.started))
	s.once.Do(func() { s.settle(failed) })
	return sum, s.err
}

func ended(p engine.Pending) bool {
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}

// plus adds times; a sum of which one part is unknown is unknown.
func plus(sum, part engine.Optional[time.Duration], first bool) engine.Optional[time.Duration] {
	d, known := part.Get()
	before, summed := sum.Get()
	if !known || !first && !summed {
		return engine.Optional[time.Duration]{}
	}
	return engine.Known(before + d)
}

// settle reads the ledger and gives it back.
func (s *Pending) settle(failed error) {
	defer s.pipeline.shut(s.ledger)
	if s.err = failed; failed != nil {
		return
	}
	var words [wordList]uint32
	if s.err = s.ledger.Download(context.Background(), 0, words[:]); s.err != nil {
		return
	}
	s.counts = Counts{Speculated: s.fused, Committed: words[wordCommitted], Refused: words[wordRolledBack], RolledBack: words[wordRolledBack]}
	if !s.fused {
		s.counts.Refused = words[wordCandidates] - words[wordCommitted]
	}
	if s.adaptive {
		s.pipeline.learn(Report{Committed: s.counts.Committed, RolledBack: s.counts.Refused})
	}
}

// Counts waits for the end and tells what became of the candidates.
func (s *Pending) Counts(ctx context.Context) (Counts, error) {
	_, err := s.Wait(ctx)
	return s.counts, err
}
