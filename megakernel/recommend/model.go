package recommend

import (
	"errors"
	"fmt"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/launch"
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
		a.Reason = "there is no work to measure by"
		return a
	}
	if t := in.Tuned; t != nil && in.possible(*t) {
		return in.tuned(a, *t)
	}
	best, gain := in.Now, 1.0
	for s := range in.candidates {
		if s.Workers > in.Now.Workers && in.Idle > idle && in.rate(s) == 0 {
			continue
		}
		if a.Topology == launch.MemoryConstrained && s.Workers > in.Now.Workers && in.rate(s) == 0 {
			continue // workers that wait for memory do not get more done together; only a measurement says otherwise
		}
		if g := in.gain(s); g > gain {
			best, gain = s, g
		}
	}
	a.Shape, a.Gain = best, gain
	if best == in.Now {
		a.Reason = "no shape is expected to be faster"
		return a
	}
	if in.rate(best) > 0 && in.rate(in.Now) > 0 {
		a.Confidence = Measured
	}
	a.Reason = in.reason(best, a.Confidence)
	if gain < LeastGain {
		a.Shape, a.Gain, a.Reason = in.Now, 1, "no other shape is expected to be faster by 5 % or more"
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
	workers := [...]int{in.Now.Workers, in.Now.Workers}
	if most := in.atOnce(); in.Now.Workers < most || in.Now.Workers > tooMany*most {
		workers[1] = most
	}
	for _, w := range workers {
		for _, l := range [...]int{in.Now.Lanes, in.MaxLanes} {
			if s := (megakernel.Shape{Workers: w, Lanes: l}); in.possible(s) && !yield(s) {
				return
			}
		}
	}
}

// possible reports whether the target can have a shape, and the model may recommend it: never fewer lanes than a
// vector has, but where the kernel has fewer or they are in force already.
func (in *Inputs) possible(s megakernel.Shape) bool {
	least := min(in.width(), in.MaxLanes)
	return s.Workers > 0 && s.Workers <= in.MaxWorkers && s.Lanes > 0 && s.Lanes <= in.MaxLanes && (s.Lanes >= least || s.Lanes == in.Now.Lanes && s == in.Now)
}

// gain is the expected rate with a shape over the present one: measured where both were seen, else modeled.
func (in *Inputs) gain(s megakernel.Shape) float64 {
	if s == in.Now {
		return 1
	}
	if then, now := in.rate(s), in.rate(in.Now); then > 0 && now > 0 {
		return then / now
	}
	if in.Device == (megakernel.DeviceFacts{}) {
		return 0
	}
	return in.speed(s) / in.speed(in.Now)
}

// rate is the measured rate of a shape; 0 where it was not seen for long enough.
func (in *Inputs) rate(s megakernel.Shape) float64 {
	for _, x := range in.Seen {
		if x.Shape == s && x.Windows >= enoughWindows {
			return x.Rate
		}
	}
	return 0
}

// speed is the modeled rate of a shape, in any unit.
func (in *Inputs) speed(s megakernel.Shape) float64 {
	busy := min(s.Workers, in.work())                                 // each has at least one task
	filled := min(float64(s.Lanes), float64(in.work())/float64(busy)) // lanes of each
	if s.Lanes > in.Now.Lanes && in.Fill > 0 && in.Fill < scarce {
		filled = min(filled, float64(in.Now.Lanes)) // claims do not even find enough tasks for the present lanes
	}
	return in.together(busy) * in.perWorker(filled)
}

// tooMany times as many workers as run at once are worth a change to fewer: up to there one that leaves its slice
// is replaced by another at once, and no difference was measured.
const tooMany = 8

// scarce is the part of the lanes that claims fill below which more lanes find no tasks, and idle the part of the time
// without work above which more workers find none.
const (
	scarce = 0.5
	idle   = 0.5
)

// crowd is what each turn that a worker has to wait for costs, and shared what the last of the host's processors has
// left for a worker beside the host's own part of the run.
const (
	crowd  = 0.005
	shared = 0.8
)

// together is how many workers' worth of work so many get done. Beyond those that run at once another one only keeps
// its place in line.
func (in *Inputs) together(workers int) float64 {
	most := in.atOnce()
	n := float64(min(workers, most))
	if in.Device.Software && workers >= most && most > 1 {
		n -= 1 - shared
	}
	if workers > most {
		n /= 1 + crowd*float64(workers-most)/float64(most)
	}
	return n
}

// perWorker is how much a worker gets done with so many lanes filled. A step takes as long for a vector as for one of
// its lanes, and claiming takes its time once for all.
func (in *Inputs) perWorker(lanes float64) float64 { return lanes }

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

// atOnce is how many workers the device keeps busy: on a GPU two for each compute unit, because one waits for memory
// while the other one does not.
func (in *Inputs) atOnce() int {
	n := in.Device.AtOnce
	if units := in.Device.ComputeUnits; units > 0 && !in.Device.Software {
		if n = 2 * units; in.Device.AtOnce > 0 {
			n = min(n, in.Device.AtOnce)
		}
	}
	return min(max(n, 1), max(in.MaxWorkers, 1))
}

// topology is what the launch policy says about the work, with hysteresis about the one in force.
func (in *Inputs) topology() launch.Topology {
	p := launch.StandardPolicy()
	r, err := p.Recommend(&in.Policy, in.Topology)
	var out *engine.Error
	switch {
	case errors.As(err, &out) && out.Code == engine.CodeDeviceOutOfMemory:
		return launch.MemoryConstrained
	case err != nil:
		return in.Topology
	}
	return r.Topology
}

// reason says why another shape is recommended.
func (in *Inputs) reason(s megakernel.Shape, c Confidence) string {
	if c == Measured {
		return fmt.Sprintf("measured here: %.3g/s against %.3g/s", in.rate(s), in.rate(in.Now))
	}
	switch {
	case s.Lanes > in.Now.Lanes:
		return fmt.Sprintf("%d lanes cost as much as %d, and %d tasks wait or run", min(max(in.width(), s.Lanes), in.MaxLanes), in.Now.Lanes, in.work())
	case s.Workers > in.Now.Workers:
		return fmt.Sprintf("the device keeps %d workers busy, %d tasks wait or run", in.atOnce(), in.work())
	case s.Workers < in.Now.Workers:
		return fmt.Sprintf("the device keeps %d workers busy; more take turns", in.atOnce())
	}
	return fmt.Sprintf("%d tasks wait or run", in.work())
}
