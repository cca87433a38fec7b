package speculate

import "math"

// Adaptive switches speculation off while too little is committed, and on again when it would pay. It
// follows the committed share with an exponential mean, and needs a quarter more than the threshold to
// switch on, and a quarter less to switch off, so that it does not flap.
type Adaptive struct {
	threshold uint32 // ppm
	rate      int64  // exponential mean of the committed share, ppm
	samples   uint32
	on        bool
}

// NewAdaptive starts with speculation on, and with the threshold as the mean.
func NewAdaptive(thresholdPct uint32) *Adaptive {
	ppm := uint32(min(uint64(thresholdPct)*ppmPerPct, math.MaxUint32))
	return &Adaptive{threshold: ppm, rate: int64(ppm), on: true}
}

// Add takes a report into account; one of nothing changes nothing.
func (a *Adaptive) Add(r Report) {
	if r.Total() == 0 {
		return
	}
	a.samples++
	a.rate += (int64(r.Ppm()) - a.rate) >> 2
	switch threshold := int64(a.threshold); {
	case a.on && a.rate < threshold*3/4:
		a.on = false
	case !a.on && a.rate >= threshold*5/4:
		a.on = true
	}
}

// On reports whether to speculate the next time.
func (a *Adaptive) On() bool { return a.on }

// Rate is the mean of the committed share, in millionths.
func (a *Adaptive) Rate() uint32 { return uint32(a.rate) }

// Threshold is the share from which on speculation pays, in millionths.
func (a *Adaptive) Threshold() uint32 { return a.threshold }

// Samples is the number of reports taken into account.
func (a *Adaptive) Samples() uint32 { return a.samples }
