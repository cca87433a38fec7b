package tune

import (
	"math/rand/v2"
	"testing"

	"vyretop/megakernel"
)

// TestTrialFindsTheFastestOfSeveral: what a model cannot tell apart is measured together, and the fastest stays.
func TestTrialFindsTheFastestOfSeveral(t *testing.T) {
	shape := func(workers int) megakernel.Shape { return megakernel.Shape{Workers: workers, Lanes: 8} }
	for _, tt := range []struct {
		rates [4]int64 // of 1, 2, 4 and 8 workers
		want  int
	}{
		{[4]int64{100, 120, 150, 130}, 4}, {[4]int64{100, 120, 150, 190}, 8}, {[4]int64{100, 90, 80, 70}, 1}, {[4]int64{100, 100, 100, 101}, 8},
	} {
		s := &shaped{in: shape(1)}
		s.rate = func(now megakernel.Shape) int64 {
			return tt.rates[map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[now.Workers]]
		}
		got, err := Try(t.Context(), s, shape(1), shape(2), shape(4), shape(8))
		if err != nil || s.in != shape(tt.want) || got.Kept != (tt.want != 1) || len(got.Others) != 2 {
			t.Errorf("%v: %+v, %v; in force is %v", tt.rates, got, err, s.in)
		}
	}
}

// TestFinishedTargetIsNotMeasured: windows of a target that has done its work are empty, and are not waited for.
func TestFinishedTargetIsNotMeasured(t *testing.T) {
	s := &megakernel.Snapshot{Phase: megakernel.PhaseParked, Progress: megakernel.Progress{Done: 7, Total: 7, Unit: "B"}}
	if err := Ended(s); err == nil || Gone(err) {
		t.Errorf("finished: %v", err)
	}
	s.Phase = megakernel.PhaseStopped
	if err := Ended(s); !Gone(err) {
		t.Errorf("stopped: %v", err)
	}
	s.Phase, s.Progress.Done = megakernel.PhaseResident, 6
	if err := Ended(s); err != nil {
		t.Errorf("at work: %v", err)
	}
}

// TestTrialSeparatesTheTwoFastest: windows differ by chance, so the two fastest are measured for longer than the rest, and
// the recommended shape stays where even that cannot tell them apart.
func TestTrialSeparatesTheTwoFastest(t *testing.T) {
	shape := func(workers int) megakernel.Shape { return megakernel.Shape{Workers: workers, Lanes: 8} }
	for _, tt := range []struct {
		name   string
		faster float64 // how much the last shape is faster than the recommended one
		want   int
	}{
		{"a difference of 15 %", 1.15, 4}, {"a difference within the noise", 1.002, 2},
	} {
		random := rand.New(rand.NewPCG(3, 4))
		s := &shaped{in: shape(1)}
		s.rate = func(now megakernel.Shape) int64 {
			rate := map[int]float64{1: 1000, 2: 2000, 4: 2000 * tt.faster, 8: 1500}[now.Workers]
			return int64(rate * (0.7 + 0.6*random.Float64()))
		}
		got, err := Try(t.Context(), s, shape(1), shape(2), shape(4), shape(8))
		if err != nil || !got.Kept || got.To != shape(tt.want) {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
	}
}

// TestWhatIsFasterStaysThoughAnotherWasRecommended: the recommended shape was taken back in doubt, and with it one that was faster
// than the one in force, because the two could not be told apart.
func TestWhatIsFasterStaysThoughAnotherWasRecommended(t *testing.T) {
	shape := func(workers int) megakernel.Shape { return megakernel.Shape{Workers: workers, Lanes: 8} }
	r := newRace(nil, shape(1), []megakernel.Shape{shape(4), shape(2)})
	for i := range 20 {
		wide, narrow := []float64{86, 118}[i%2], []float64{104, 114}[i/2%2]
		r.from.rates = append(r.from.rates, 100)
		r.others[0].rates, r.others[1].rates = append(r.others[0].rates, wide), append(r.others[1].rates, narrow)
	}
	recommended, fastest := NewComparison(r.from.rates, r.others[0].rates), NewComparison(r.from.rates, r.others[1].rates)
	apart := NewComparison(r.others[0].rates, r.others[1].rates).Verdict()
	if recommended.LikelyFaster() || !fastest.LikelyFaster() || apart == BFaster {
		t.Fatalf("not the case that this is about: %+v, %+v, %s", recommended, fastest, apart)
	}
	if got, c := r.choice(shape(4)); got.shape != shape(2) || !c.LikelyFaster() {
		t.Errorf("chosen is %v, %+v", got.shape, c)
	}
}

// TestAChangeInDoubtIsTakenBack: a shape stays only where it is likely to be faster, and an advantage that a few windows do
// not show is looked for in more of them.
func TestAChangeInDoubtIsTakenBack(t *testing.T) {
	from, to := megakernel.Shape{Workers: 64, Lanes: 8}, megakernel.Shape{Workers: 8, Lanes: 8}
	for _, tt := range []struct {
		name   string
		faster float64
		kept   bool
	}{
		{"no difference", 1, false}, {"slower by 5 %", 0.95, false}, {"faster by 20 %", 1.2, true},
	} {
		random := rand.New(rand.NewPCG(5, 6))
		s := &shaped{in: from}
		s.rate = func(now megakernel.Shape) int64 {
			rate := map[int]float64{64: 1000, 8: 1000 * tt.faster}[now.Workers]
			return int64(rate * (0.6 + 0.8*random.Float64()))
		}
		got, err := Try(t.Context(), s, from, to)
		if err != nil || got.Kept != tt.kept {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
	}
}
