package tune

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/megakernel"
)

// Trial is what became of a shape that was tried on a running target.
type Trial struct {
	From, To megakernel.Shape
	Kept     bool    // To is in force; else From is
	Pairs    int     // of windows; 0 where nothing could be measured
	Unit     string  // of the work that was counted
	RateFrom float64 // medians, per second
	RateTo   float64
	Ratio    float64 // of the rate with To over that with From; 0 where the windows cannot tell
	Low      float64 // 95 % interval of Ratio
	High     float64
	Expected float64 `json:"Expected,omitempty"` // of Ratio, where To was recommended
	Why      string  `json:"Why,omitempty"`      // why To was recommended
}

// The windows of a trial. It ends early when the interval leaves no doubt.
const (
	trialWindow = 150 * time.Millisecond
	trialPairs  = 12
)

// Try measures a shape against the one in force, in windows that take turns, and leaves the faster one in force: the
// new one only if it was measured to be faster. Where nothing was done in the windows the old one stays, with an
// error that matches ErrCannotTell. Errors of the target come with the trial as far as it went.
func Try(ctx context.Context, t Steered, from, to megakernel.Shape) (Trial, error) {
	out, err := Measure(ctx, &Counted{Target: t}, from, to)
	if errors.Is(err, ErrEnded) {
		return out, err
	}
	settled := shapeOf(from)
	if out.Kept {
		settled = shapeOf(to)
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_, applied := t.Apply(last, settled...)
	return out, errors.Join(err, applied)
}

// Measure is a trial without its consequence: Kept says what is to be in force, and either shape may be.
func Measure(ctx context.Context, t Target, from, to megakernel.Shape) (Trial, error) {
	out := Trial{From: from, To: to}
	began := time.Now()
	c, err := compareUntil(ctx, t, shapeOf(from), shapeOf(to), trialWindow, func(done *Comparison) bool {
		return done.Pairs < trialPairs && (done.Verdict() == NoDifference || done.Verdict() == CannotTell) && time.Since(began) < 10*time.Second
	})
	if err != nil {
		return out, err
	}
	out.Pairs, out.Unit, out.RateFrom, out.RateTo = c.Pairs, c.Unit, c.RateA, c.RateB
	if err = c.Err(); err == nil {
		out.Ratio, out.Low, out.High = c.Ratio, c.Low, c.High
		out.Kept = c.Ratio > 1
	}
	return out, err
}

func shapeOf(s megakernel.Shape) Candidate {
	return Candidate{{Knob: megakernel.KnobWorkers, Value: int64(s.Workers)}, {Knob: megakernel.KnobLanes, Value: int64(s.Lanes)}}
}

// String says it in a line.
func (t *Trial) String() string {
	text := fmt.Sprintf("%d×%d kept", t.To.Workers, t.To.Lanes)
	if !t.Kept {
		text = fmt.Sprintf("%d×%d taken back, %d×%d is in force", t.To.Workers, t.To.Lanes, t.From.Workers, t.From.Lanes)
	}
	if t.Ratio == 0 {
		return text
	}
	text += fmt.Sprintf(": %.2f times as fast as %d×%d (%.2f to %.2f; %.3g %s/s, before %.3g)", t.Ratio, t.From.Workers, t.From.Lanes, t.Low, t.High, t.RateTo, t.Unit, t.RateFrom)
	if t.Expected > 0 {
		text += fmt.Sprintf(", expected %.2f", t.Expected)
	}
	return text
}
