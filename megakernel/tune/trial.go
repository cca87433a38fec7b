package tune

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
)

// Trial is what became of a shape that was tried on a running target.
type Trial struct {
	From     megakernel.Shape `json:"from"`
	To       megakernel.Shape `json:"to"`
	Kept     bool             `json:"kept"`            // To is in force; else From is
	Pairs    int              `json:"pairs"`           // of windows; 0 where nothing could be measured
	Unit     string           `json:"unit,omitempty"`  // of the work that was counted
	RateFrom float64          `json:"rate_from_per_s"` // medians
	RateTo   float64          `json:"rate_to_per_s"`
	Verdict  Verdict          `json:"verdict,omitempty"`  // of To
	Ratio    float64          `json:"ratio,omitzero"`     // of the rate with To over that with From; 0 where nothing could be measured
	Low      float64          `json:"ratio_low,omitzero"` // 95 % interval of Ratio
	High     float64          `json:"ratio_high,omitzero"`
	Expected float64          `json:"ratio_expected,omitzero"` // where To was recommended
	Why      string           `json:"reason,omitempty"`        // why To was recommended
	Others   []Tried          `json:"others,omitempty"`        // shapes that were measured, too, and are slower
}

// InForce is the shape that the trial left in force.
func (t *Trial) InForce() megakernel.Shape {
	if t.Kept {
		return t.To
	}
	return t.From
}

// Refused are the shapes that were measured and are not in force.
func (t *Trial) Refused() (list []megakernel.Shape) {
	if t.Pairs == 0 || t.Ratio == 0 {
		return nil
	}
	for _, o := range t.Others {
		list = append(list, o.Shape)
	}
	if t.Kept {
		return append(list, t.From)
	}
	return append(list, t.To)
}

// Tried is a shape that was measured in a trial.
type Tried struct {
	Shape megakernel.Shape `json:"shape"`
	Ratio float64          `json:"ratio"` // of its rate over that with From
}

// The windows of a trial. It ends early when the intervals leave no doubt.
const (
	trialWindow = 100 * time.Millisecond
	trialPairs  = 14
	finalPairs  = 40 // of the two fastest, while it is in doubt which one is faster, or whether they are faster than the one in force
	trialTime   = 12 * time.Second
)

// Try measures shapes against the one in force, in windows that take turns, and leaves the fastest in force: another one
// only if it was measured to be faster. Where nothing was done in the windows the old one stays, with an
// error that matches ErrCannotTell. Errors of the target come with the trial as far as it went.
func Try(ctx context.Context, t Steered, from megakernel.Shape, list ...megakernel.Shape) (Trial, error) {
	out, err := Measure(ctx, &Counted{Target: t}, from, list...)
	if Gone(err) {
		return out, err
	}
	settled := shapeOf(out.InForce())
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_, applied := t.Apply(last, settled...)
	return out, errors.Join(err, applied)
}

// Gone reports whether an error says that a target takes no more settings.
func Gone(err error) bool { return errors.Is(err, ErrEnded) }

// Measure is a trial without its consequence: Kept says what is to be in force, and any of the shapes may be. To is the
// fastest of the list, which must not be empty, or the first one where the windows cannot tell it from the fastest.
func Measure(ctx context.Context, t Target, from megakernel.Shape, list ...megakernel.Shape) (Trial, error) {
	out := Trial{From: from, To: list[0]}
	r := newRace(t, from, list)
	dropped, err := r.run(ctx)
	if err != nil {
		return out, err
	}
	lead, c := r.choice(list[0])
	out.To, out.Pairs, out.Unit, out.RateFrom, out.RateTo = lead.shape, c.Pairs, r.unit, units.Digits(c.RateA), units.Digits(c.RateB)
	for i := range r.others {
		if x := &r.others[i]; x.shape != out.To {
			dropped = append(dropped, r.tried(x))
		}
	}
	c.Unit, out.Verdict = r.unit, c.Verdict()
	if err = c.Err(); err == nil {
		out.Ratio, out.Low, out.High, out.Others = units.Digits(c.Ratio), units.Digits(c.Low), units.Digits(c.High), dropped
		out.Kept = c.LikelyFaster()
	}
	return out, err
}

func shapeOf(s megakernel.Shape) Candidate {
	return Candidate{{ID: megakernel.WorkersSetting, Value: int64(s.Workers)}, {ID: megakernel.LanesSetting, Value: int64(s.Lanes)}}
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
	text += t.sure() + fmt.Sprintf("%.2f times as fast as %d×%d (%.2f to %.2f; %s %s/s, was %s)", t.Ratio, t.From.Workers, t.From.Lanes, t.Low, t.High, units.Rate(t.RateTo), t.Unit, units.Rate(t.RateFrom))
	if t.Expected > 0 {
		text += fmt.Sprintf(", expected %.2f", t.Expected)
	}
	separator := "; also measured: "
	for _, x := range t.Others {
		text += fmt.Sprintf("%s%d×%d %.2f", separator, x.Shape.Workers, x.Shape.Lanes, x.Ratio)
		separator = ", "
	}
	return text
}

// sure says how the ratio of rates is to be read where the outcome of the trial does not say it.
func (t *Trial) sure() string {
	switch {
	case t.Kept && (t.Verdict == CannotTell || t.Verdict == NoDifference):
		return ": probably faster, "
	case t.Verdict == CannotTell:
		return ": cannot tell which is faster, "
	case t.Verdict == NoDifference:
		return ": no difference, "
	}
	return ": "
}
