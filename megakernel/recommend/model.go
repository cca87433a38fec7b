package recommend

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"vyretop/engine"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/policy"
)

// enoughWindows is how many windows a measured rate must be of to be believed.
const enoughWindows = 3

// Advise makes a recommendation. It depends on nothing but its inputs.
func Advise(in *Inputs) Advice {
	a := Advice{Shape: in.Now, Gain: 1, Confidence: Guessed}
	a.Topology = in.topology()
	switch {
	case in.Now.Workers <= 0 || in.Now.Lanes <= 0:
		a.Shape = megakernel.Shape{}
		a.Reason = "the target has no shape yet"
		return a
	case in.work() == 0:
		a.Reason = "no work to measure"
		return a
	}
	if t := in.Tuned; t != nil && in.possible(*t) && !slices.Contains(in.Refused, *t) {
		return in.tuned(a, *t)
	}
	best, gain, refused := in.Now, 1.0, false
	for s := range in.candidates {
		if slices.Contains(in.Refused, s) {
			refused = true
			continue
		}
		if s.Workers > in.Now.Workers && in.Idle > idle && in.Waiting == 0 && in.rate(s) == 0 {
			continue
		}
		if a.Topology == policy.MemoryConstrained && s.Workers > in.Now.Workers && in.rate(s) == 0 {
			continue // workers that wait for memory do not get more done together; only a measurement says otherwise
		}
		g := in.gain(s)
		if in.rate(s) == 0 && in.rate(best) > 0 && best != in.Now {
			g /= LeastGain // a measurement is worth more than a guess that is little better
		}
		if g > gain {
			best, gain = s, g
		}
	}
	a.Shape, a.Gain = best, gain
	if best == in.Now {
		a.Reason = "no shape is expected to be faster"
		if refused {
			a.Reason = "what the model expects to be faster was tried, and was not"
		}
		return a
	}
	if in.rate(best) > 0 && in.rate(in.Now) > 0 {
		a.Confidence = Measured
	}
	a.Reason = in.reason(best, a.Confidence)
	if gain < LeastGain {
		a.Shape, a.Gain, a.Reason = in.Now, 1, "no other shape is expected to be faster by 5 % or more"
		return a
	}
	if a.Confidence == Guessed && a.Topology != policy.MemoryConstrained {
		a.Others = in.others(best)
	}
	return a
}

// tuned advises the shape that a search has found, unless it was seen to be slower here.
func (in *Inputs) tuned(a Advice, found megakernel.Shape) Advice {
	a.Confidence = Searched
	a.Reason = "vyretop tune found it on this device"
	if found == in.Now {
		return a
	}
	gain := in.gain(found)
	if in.rate(found) > 0 && in.rate(in.Now) > 0 && gain < 1 {
		a.Reason = "the shape that vyretop tune found was measured to be slower here"
		return a
	}
	a.Shape, a.Gain = found, max(gain, LeastGain)
	return a
}

// candidates are the shapes that are considered: all that were seen, and those of the model where there are facts to
// model by.
func (in *Inputs) candidates(yield func(megakernel.Shape) bool) {
	for _, s := range in.Seen {
		if in.possible(s.Shape) && !yield(s.Shape) {
			return
		}
	}
	if in.Device == (megakernel.DeviceFacts{}) {
		return
	}
	workers := [...]int{in.Now.Workers, in.knee()}
	for _, w := range workers {
		for _, l := range [...]int{in.Now.Lanes, in.MaxLanes, in.wide()} {
			if s := (megakernel.Shape{Workers: w, Lanes: l}); in.possible(s) && !yield(s) {
				return
			}
		}
	}
}

// others are shapes with half, twice and four times the workers of a recommended one, and with as many as the device can
// keep busy: a target that few workers serve may have few tasks ready because of that. How many are the best depends on
// what tasks wait for and how slices end, which only a measurement tells.
func (in *Inputs) others(s megakernel.Shape) (list [4]megakernel.Shape) {
	if KindOf(&in.Device) == Interpreter {
		return list
	}
	n := 0
	for _, workers := range [...]int{s.Workers / 2, 2 * s.Workers, 4 * s.Workers, in.knee()} {
		other := megakernel.Shape{Workers: workers, Lanes: s.Lanes}
		if other != s && other != in.Now && !slices.Contains(list[:n], other) && in.possible(other) && in.rate(other) == 0 {
			list[n] = other
			n++
		}
	}
	return list
}

// wide is the workgroup size that fills a vector, where the kernel is compiled for fewer lanes and the target can switch:
// wider ones only take turns in the vector.
func (in *Inputs) wide() int {
	width := in.width()
	if KindOf(&in.Device) == Interpreter {
		width = interpreted
	}
	if width > in.MaxLanes && width <= in.LaneLimit {
		return width
	}
	return in.MaxLanes
}

// The interpreter takes the lanes of a kernel together: interpreted of them are what kernels are compiled for by default. A kernel that is
// compiled for one lane has less to do for each than a wider one that fills one of its lanes: it is narrower times as fast (render and scan on
// the reference, processor time).
const (
	interpreted = 8
	narrower    = 1.4
)

// possible reports whether the target can have a shape, and the model may recommend it: never fewer lanes than a
// vector has, but where the kernel has fewer or they are in force already.
func (in *Inputs) possible(s megakernel.Shape) bool {
	least := min(in.width(), in.MaxLanes)
	return s.Workers > 0 && s.Workers <= in.MaxWorkers && s.Lanes > 0 && s.Lanes <= max(in.MaxLanes, in.LaneLimit) && (s.Lanes >= least || s.Lanes == in.Now.Lanes && s == in.Now)
}

// gain is the expected rate with a shape over the present one: measured where both were seen, else modeled.
func (in *Inputs) gain(s megakernel.Shape) float64 {
	if s == in.Now {
		return 1
	}
	if then, now := in.seen(s), in.seen(in.Now); then != nil && now != nil {
		return believed(then, now)
	}
	if in.Device == (megakernel.DeviceFacts{}) {
		return 0
	}
	anchor, measured := in.nearest(s)
	gain := measured * in.speed(s) / in.speed(anchor)
	if KindOf(&in.Device) == Interpreter && s.Lanes > in.MaxLanes {
		gain /= narrower
	}
	return gain
}

// nearest is the shape that is the most like another one of those whose rate over the present one was measured, and that
// ratio: what is modeled starts there.
func (in *Inputs) nearest(s megakernel.Shape) (best megakernel.Shape, ratio float64) {
	best, ratio = in.Now, 1
	now := in.seen(in.Now)
	if now == nil {
		return best, ratio
	}
	far := func(x megakernel.Shape) float64 {
		return math.Abs(math.Log(float64(x.Workers)/float64(s.Workers))) + math.Abs(math.Log(float64(x.Lanes)/float64(s.Lanes)))
	}
	for i := range in.Seen {
		if x := in.seen(in.Seen[i].Shape); x != nil && in.possible(x.Shape) && far(x.Shape) < far(best) {
			best, ratio = x.Shape, believed(x, now)
		}
	}
	return best, ratio
}

// believed is the ratio of two measured rates, 1 where it may be chance: activations come in no order, so that of n
// of them the square root of n is noise.
func believed(then, now *Seen) float64 {
	ratio := then.Rate / now.Rate
	if then.Activations > 0 && now.Activations > 0 && math.Abs(ratio-1) < 2*math.Sqrt(1/then.Activations+1/now.Activations) {
		return 1
	}
	return ratio
}

// seen is what was measured with a shape; nil where that was not for long enough.
func (in *Inputs) seen(s megakernel.Shape) *Seen {
	for i := range in.Seen {
		if x := &in.Seen[i]; x.Shape == s && x.Windows >= enoughWindows {
			return x
		}
	}
	return nil
}

// rate is the measured rate of a shape; 0 where it was not seen for long enough.
func (in *Inputs) rate(s megakernel.Shape) float64 {
	if x := in.seen(s); x != nil {
		return x.Rate
	}
	return 0
}

// speed is the modeled rate of a shape, in any unit.
func (in *Inputs) speed(s megakernel.Shape) float64 {
	busy := min(s.Workers, in.work())                                                 // each has at least one task
	filled := min(float64(s.Lanes), float64(in.work())/float64(min(busy, in.knee()))) // lanes of each that runs
	if s.Lanes > in.Now.Lanes && in.Fill > 0 && in.Fill < scarce {
		filled = min(filled, float64(in.Now.Lanes)) // claims do not even find enough tasks for the present lanes
	}
	fit := in.fit()
	return fit.Rate(Units(&in.Device), float64(s.Workers), max(filled, 1), in.Claim)
}

// scarce is the part of the lanes that claims fill below which more lanes find no tasks, and idle the part of the time
// without work above which more workers find none.
const (
	scarce = 0.5
	idle   = 0.5
)

// width is how many lanes cost as much as one. A device without vectors interprets all lanes of the kernel, filled
// or not.
func (in *Inputs) width() int {
	if in.Device.VectorWidth <= 1 && in.Device.Software {
		return max(in.MaxLanes, 1)
	}
	return max(in.Device.VectorWidth, 1)
}

// work is how many tasks there are to fill lanes with.
func (in *Inputs) work() int {
	n := in.Running
	for _, ready := range in.Ready {
		n += ready
	}
	return n
}

// fit are the figures of the device.
func (in *Inputs) fit() Fit {
	if in.Fit != nil {
		return *in.Fit
	}
	return FitOf(&in.Device)
}

// knee is how many workers the rate grows up to.
func (in *Inputs) knee() int {
	n := int(math.Round(in.fit().PerUnit * float64(Units(&in.Device))))
	if in.Device.AtOnce > 0 && !in.Device.Software {
		n = min(n, in.Device.AtOnce)
	}
	return min(max(n, 1), max(in.MaxWorkers, 1))
}

// topology is what the launch policy says about the work, with hysteresis about the one in force.
func (in *Inputs) topology() policy.Topology {
	p := policy.StandardPolicy()
	r, err := p.Recommend(&in.Policy, in.Topology)
	var out *engine.Error
	switch {
	case errors.As(err, &out) && out.Code == engine.CodeDeviceOutOfMemory:
		return policy.MemoryConstrained
	case err != nil:
		return in.Topology
	}
	return r.Topology
}

// reason says why another shape is recommended.
func (in *Inputs) reason(s megakernel.Shape, c Confidence) string {
	if c == Measured {
		return fmt.Sprintf("measured here: %s/s against %s/s", units.Rate(in.rate(s)), units.Rate(in.rate(in.Now)))
	}
	switch {
	case s.Lanes > in.Now.Lanes:
		return fmt.Sprintf("%d lanes cost as much as %d, and %d tasks wait or run", min(max(in.width(), s.Lanes), max(in.MaxLanes, s.Lanes)), in.Now.Lanes, in.work())
	case s.Workers > in.Now.Workers:
		return fmt.Sprintf("the device keeps %d workers busy, %d tasks wait or run", in.knee(), in.work())
	case s.Workers < in.Now.Workers:
		return fmt.Sprintf("the device keeps %d workers busy; more take turns", in.knee())
	}
	return fmt.Sprintf("%d tasks wait or run", in.work())
}
