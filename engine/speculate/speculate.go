package speculate

import (
	"math"
	"math/bits"
)

// Numbers of the decisions.
const (
	MinDispatches       = 8     // of either side, before there is a verdict
	MinSavingsBps       = 1_500 // of the plain time, for adoption
	DefaultThresholdPct = 15    // committed share from which on speculation pays
)

// Verdict says what becomes of a race.
type Verdict uint8

// The verdicts.
const (
	KeepRacing Verdict = iota // too few samples, or too little saved
	Adopt                     // speculate from now on
	Reject                    // never again
)

// String names the verdict.
func (v Verdict) String() string { return [...]string{"KeepRacing", "Adopt", "Reject"}[min(v, Reject)] }

// Side is one side of a race: its dispatches, and their mean time.
type Side struct {
	Dispatches uint32
	Mean       uint64
}

// Decide compares a plain side with a speculative one, which also cost some time to compile. That is
// spread over its dispatches.
func Decide(plain, speculative Side, compile uint64) Verdict {
	if plain.Dispatches < MinDispatches || speculative.Dispatches < MinDispatches {
		return KeepRacing
	}
	if plain.Mean == 0 {
		return KeepRacing // the plain side was not measured
	}
	effective := sum(speculative.Mean, compile/uint64(speculative.Dispatches))
	if effective >= plain.Mean {
		return Reject
	}
	// saved/mean >= bps/10000, without overflow
	hi, lo := bits.Mul64(plain.Mean-effective, 10_000)
	needHi, needLo := bits.Mul64(plain.Mean, MinSavingsBps)
	if hi > needHi || hi == needHi && lo >= needLo {
		return Adopt
	}
	return KeepRacing
}

// Sample is one race: both ways timed on the same input.
type Sample struct {
	Plain       uint64
	Speculative uint64
	PlainExtra  uint64 // what the plain way took beside its dispatch
	Compile     uint64 // what the speculative way took to compile
}

// Winner returns whether the speculative way was faster, everything counted, and by how much one was.
func (s *Sample) Winner() (speculative bool, saved uint64) {
	plain, fused := sum(s.Plain, s.PlainExtra), sum(s.Speculative, s.Compile)
	if fused < plain {
		return true, plain - fused
	}
	return false, fused - plain
}

// Window sums up the samples of a race.
type Window struct {
	samples, wins      uint32 // wins of the speculative way
	plain, speculative uint64
	compile            uint64
}

// Add takes a sample into account.
func (w *Window) Add(s *Sample) {
	w.samples++
	if speculative, _ := s.Winner(); speculative {
		w.wins++
	}
	w.plain, w.speculative, w.compile = sum(w.plain, s.Plain), sum(w.speculative, s.Speculative), sum(w.compile, s.Compile)
}

// Sides are the means so far; compile is what all compiling took.
func (w *Window) Sides() (plain, speculative Side, compile uint64) {
	n := uint64(max(w.samples, 1))
	return Side{w.samples, w.plain / n}, Side{w.samples, w.speculative / n}, w.compile
}

// Wins counts the samples that each way won.
func (w *Window) Wins() (plain, speculative uint32) { return w.samples - w.wins, w.wins }

// Verdict decides on the samples so far.
func (w *Window) Verdict() Verdict { return Decide(w.Sides()) }

// Report counts what one speculative dispatch committed and rolled back.
type Report struct{ Committed, RolledBack uint32 }

// ReportBytes is the size of a report behind the outputs of a dispatch.
const ReportBytes = 8

// ParseReport reads the report behind the outputs of a dispatch: its last two words, little-endian. ok
// is false where there are no whole words, or too few.
func ParseReport(output []byte) (r Report, ok bool) {
	if len(output) < ReportBytes || len(output)%4 != 0 {
		return Report{}, false
	}
	tail := output[len(output)-ReportBytes:]
	return Report{Committed: little(tail), RolledBack: little(tail[4:])}, true
}

func little(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// Total is the number of items that were tried.
func (r Report) Total() uint64 { return uint64(r.Committed) + uint64(r.RolledBack) }

// Ppm is the committed share in millionths, 0 where nothing was tried.
func (r Report) Ppm() uint32 {
	if r.Total() == 0 {
		return 0
	}
	return uint32(uint64(r.Committed) * 1_000_000 / r.Total())
}

// Worthwhile reports whether the committed share reaches a threshold in percent.
func (r Report) Worthwhile(thresholdPct uint32) bool {
	return uint64(r.Ppm()) >= uint64(thresholdPct)*ppmPerPct
}

const ppmPerPct = 10_000

// sum saturates.
func sum(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	if carry > 0 {
		return math.MaxUint64
	}
	return s
}
