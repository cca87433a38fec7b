package recommend

import (
	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/tasks"
)

// Inputs are what is known of a target. The zero value of a member means that it is not known.
type Inputs struct {
	Device     megakernel.DeviceFacts
	Fit        *Fit              // of the device; nil: that of its kind
	MaxWorkers int               // that can be launched
	MaxLanes   int               // that the kernel is compiled for
	LaneLimit  int               // of the largest workgroup that the target can switch to; 0: it cannot switch
	Now        megakernel.Shape  // in force
	Tuned      *megakernel.Shape // that vyretop tune has kept for this device and workload

	Ready   [tasks.NumPriorities]int // tasks that wait to be claimed, by priority
	Running int                      // tasks in activations
	Fill    float64                  // lanes filled by claims, of those that might have been: 0 to 1
	Idle    float64                  // share of the workers' time without work: 0 to 1
	Claim   float64                  // share of their busy time outside of handlers: 0 to 1
	Waiting int                      // tasks that wait for something, as a page or an epoch

	// Seen are the rates of the shapes that the target has had, each measured lately.
	Seen []Seen
	// Refused are shapes that a trial measured against the one in force lately and did not keep.
	Refused []megakernel.Shape
	// Policy is the launch policy's view: hints of the workload, what is hot, memory. Its topology needs them.
	Policy policy.Request
	// Topology is the one in force; a topology changes only well beyond its threshold.
	Topology policy.Topology
}

// Seen is a shape and what was measured with it.
type Seen struct {
	Shape   megakernel.Shape
	Rate    float64 // work per second, the mean
	Windows int     // that the mean is of
	// Activations in these windows: the longer one takes, the fewer there are, and the less the rate is believed. 0: not
	// known.
	Activations float64
}

// Confidence says what a recommendation rests on.
type Confidence string

// The confidences.
const (
	Guessed  Confidence = "modeled"  // on the model alone
	Measured Confidence = "measured" // on a rate that was seen with the shape
	Searched Confidence = "tuned"    // on a search by vyretop tune
)

// Advice is a recommendation.
type Advice struct {
	Shape      megakernel.Shape
	Gain       float64 // expected rate over the present one; 1 where the shape in force is the best known
	Confidence Confidence
	Reason     string          // one line for people
	Topology   policy.Topology // to be passed as Inputs.Topology the next time
	Held       bool            // breakpoints or commands hold all work, so that no shape is better than another; Reason says what does
	// Others are shapes that the model cannot tell from Shape, and that a trial of it measures too. Zero: none.
	Others [4]megakernel.Shape
}

// Shapes are those that a trial measures: the recommended one first.
func (a *Advice) Shapes() []megakernel.Shape {
	list := []megakernel.Shape{a.Shape}
	for _, s := range a.Others {
		if s != (megakernel.Shape{}) {
			list = append(list, s)
		}
	}
	return list
}

// Worthwhile reports whether the advice is another shape than the one in force, and its gain believable.
func (a *Advice) Worthwhile(now megakernel.Shape) bool {
	return a.Shape != (megakernel.Shape{}) && a.Shape != now && a.Gain >= LeastGain
}

// LeastGain is the smallest expected gain that is worth a change: less is within the noise of a short measurement.
const LeastGain = 1.05
