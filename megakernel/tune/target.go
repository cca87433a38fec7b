package tune

import (
	"context"
	"strings"
	"time"

	"vyretop/megakernel"
)

// Candidate is what a target is asked to try: settings that differ from one candidate to another.
type Candidate []megakernel.Setting

// String lists the settings as megakernel.ParseSetting reads each.
func (c Candidate) String() string {
	words := make([]string, len(c))
	for i, s := range c {
		words[i] = s.String()
	}
	return strings.Join(words, " ")
}

// Value is the candidate's value of a setting without an index; ok is false where it leaves the setting alone.
func (c Candidate) Value(k megakernel.SettingID) (value int64, ok bool) {
	for _, s := range c {
		if s.ID == k {
			return s.Value, true
		}
	}
	return 0, false
}

// Sample is what a target got done in a window.
type Sample struct {
	Work float64       // in any unit, the same for all samples of a target
	Time time.Duration // of the target's running; above 0
	Unit string        // of the work, plural; "" where it is not known
}

// Rate is the work per second.
func (s Sample) Rate() float64 { return s.Work / s.Time.Seconds() }

// Target is something that runs and can be given settings while it does.
type Target interface {
	// Measure brings the settings of c into force and then measures one window of at least the given
	// length; a longer one where the work comes in larger pieces.
	Measure(ctx context.Context, c Candidate, atLeast time.Duration) (Sample, error)
}

// Candidates lists all combinations of values of workers, lanes and slices. An empty list leaves its setting
// alone.
func Candidates(workers, lanes []int, slices []time.Duration) []Candidate {
	out := []Candidate{nil}
	each := func(k megakernel.SettingID, values []int64) {
		if len(values) == 0 {
			return
		}
		var more []Candidate
		for _, c := range out {
			for _, v := range values {
				more = append(more, append(c[:len(c):len(c)], megakernel.Setting{ID: k, Value: v}))
			}
		}
		out = more
	}
	each(megakernel.WorkersSetting, int64s(workers))
	each(megakernel.LanesSetting, int64s(lanes))
	var micros []int64
	for _, d := range slices {
		micros = append(micros, d.Microseconds())
	}
	each(megakernel.SliceSetting, micros)
	return out
}

func int64s(list []int) (out []int64) {
	for _, n := range list {
		out = append(out, int64(n))
	}
	return out
}
