package live

import (
	"context"
	"fmt"
	"sync"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/health"
	"vyretop/megakernel/recommend"
	"vyretop/megakernel/tune"
)

// trials is what a hub needs to recommend shapes and to try them.
type trials struct {
	mu      sync.Mutex // of observer
	watcher recommend.Observer
	turn    sync.Mutex // held during a trial: two at once would measure each other
}

// ErrNothingToTry is matched by the error about a target for which no other shape is recommended.
const ErrNothingToTry fault.Kind = "no other shape is recommended"

// Advise is the shape that is recommended now.
func (h *Hub) Advise() recommend.Advice {
	h.trials.mu.Lock()
	defer h.trials.mu.Unlock()
	return h.trials.watcher.Advise(&h.target, h.Snapshot(), nil)
}

// Try gives the target a shape, the recommended one where shape is zero, measures it against the one in force in
// windows that take turns, and takes it back where it is not faster. With the recommended shape those are measured too
// that the model cannot tell from it. What came of it is an event. Members that are
// zero stay as they are. Errors: *NothingError, those of tune.Try.
func (h *Hub) Try(ctx context.Context, shape megakernel.Shape) (tune.Trial, error) {
	h.trials.turn.Lock()
	defer h.trials.turn.Unlock()
	now := h.Settings()
	from := megakernel.Shape{Workers: now.Workers, Lanes: now.Lanes}
	if s := h.Snapshot(); s != nil {
		if err := tune.Ended(s); err != nil {
			return tune.Trial{From: from, To: from}, err
		}
	}
	advice := h.Advise()
	if advice.Held {
		return tune.Trial{From: from, To: from}, tune.HeldError(health.Judge(h.Snapshot(), nil))
	}
	if shape == (megakernel.Shape{}) {
		if !advice.Worthwhile(from) {
			return tune.Trial{From: from, To: from}, &fault.Error{Kind: ErrNothingToTry, Detail: "no other shape is recommended: " + advice.Reason, Fix: "name one, as in apply workers=2 lanes=8; it is measured and taken back when it is slower"}
		}
		shape = advice.Shape
	}
	shape.Workers, shape.Lanes = orElse(shape.Workers, from.Workers), orElse(shape.Lanes, from.Lanes)
	if shape == from {
		return tune.Trial{From: from, To: from}, &fault.Error{Kind: ErrNothingToTry, Detail: fmt.Sprintf("no other shape is recommended: %d×%d is in force", from.Workers, from.Lanes), Fix: "name one, as in apply workers=2 lanes=8; it is measured and taken back when it is slower"}
	}
	list := []megakernel.Shape{shape}
	if advice.Shape == shape {
		list = advice.Shapes()
	}
	h.Event("trial", fmt.Sprintf("%d×%d is tried against %d×%d", shape.Workers, shape.Lanes, from.Workers, from.Lanes))
	if err := h.compileFor(ctx, now.Workgroup, list); err != nil {
		return tune.Trial{From: from, To: from}, err
	}
	t, err := tune.Try(ctx, h, from, list...)
	if advice.Shape == shape {
		t.Expected, t.Why = advice.Gain, advice.Reason
	}
	h.trials.learn(&t)
	text := t.String()
	if err != nil {
		text += ": " + err.Error()
	}
	h.Event("trial", text)
	return t, err
}

// learn has the recommendations go by the outcome of a trial.
func (x *trials) learn(t *tune.Trial) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.watcher.Refused(t.InForce(), t.Refused()...)
}

// compileFor has the target compile the workgroups of shapes with more lanes than it has in force, before time is measured.
func (h *Hub) compileFor(ctx context.Context, workgroup int, list []megakernel.Shape) error {
	for _, s := range list {
		if s.Lanes <= workgroup {
			continue
		}
		if _, err := h.Apply(ctx, megakernel.Setting{ID: megakernel.LanesSetting, Value: int64(s.Lanes)}); err != nil {
			return err
		}
	}
	return nil
}

func orElse(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// watchRates takes a new snapshot into account.
func (h *Hub) watchRates(s *megakernel.Snapshot) {
	h.trials.mu.Lock()
	defer h.trials.mu.Unlock()
	h.trials.watcher.Add(s)
}
