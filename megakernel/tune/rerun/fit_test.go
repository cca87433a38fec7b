package rerun

import (
	"math"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/recommend"
)

// gridOf is a report whose rates follow figures.
func gridOf(facts megakernel.DeviceFacts, f recommend.Fit) Followed {
	r := Followed{Facts: facts, Lanes: 8}
	for w := 1; w <= 64; w *= 2 {
		for l := 1; l <= 8; l *= 2 {
			r.Grid = append(r.Grid, FollowedPoint{megakernel.Shape{Workers: w, Lanes: l}, 1000 * f.Rate(recommend.Units(&facts), float64(w), float64(l), 0)})
		}
	}
	return r
}

// TestFitsFindTheFigures: those that the rates were made of, for each kind of device by itself.
func TestFitsFindTheFigures(t *testing.T) {
	vectors := recommend.Fit{PerUnit: 2, Workers: 0.3, Beyond: 0.1, Lanes: 0.6}
	interpreter := recommend.Fit{PerUnit: 1, Workers: 0, Beyond: 0.5, Lanes: 0.4}
	got := Fits([]Followed{
		gridOf(megakernel.DeviceFacts{VectorWidth: 8, AtOnce: 2, Software: true}, vectors),
		gridOf(megakernel.DeviceFacts{VectorWidth: 1, AtOnce: 1, Software: true}, interpreter),
	})
	for k, want := range map[recommend.Kind]recommend.Fit{recommend.Vectors: vectors, recommend.Interpreter: interpreter} {
		f := got[k]
		if f.PerUnit != want.PerUnit || math.Abs(f.Beyond-want.Beyond) > 0.01 || math.Abs(f.Lanes-want.Lanes) > 0.01 {
			t.Errorf("%s: %+v, want %+v", k, f, want)
		}
	}
}

// TestBusyMachineIsNotFitted: what other processes take from a target is not a property of its device.
func TestBusyMachineIsNotFitted(t *testing.T) {
	r := gridOf(megakernel.DeviceFacts{VectorWidth: 8, AtOnce: 2, Software: true}, recommend.Fit{PerUnit: 1, Lanes: 0.5})
	r.Others, r.Processors = 1.5, 2
	if got := Fits([]Followed{r}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestAGridThatTheHostLimitsIsNotFitted: where files are read slower than the device scans them, all shapes have the same
// rate, which says nothing about the device.
func TestAGridThatTheHostLimitsIsNotFitted(t *testing.T) {
	facts := megakernel.DeviceFacts{VectorWidth: 32, ComputeUnits: 132}
	want := recommend.Fit{PerUnit: 1, Workers: 0.8, Lanes: 0.5}
	limited := Followed{Facts: facts, Lanes: 128}
	for i, p := range gridOf(facts, want).Grid {
		p.Rate = 1000 + float64(i%7)*10
		limited.Grid = append(limited.Grid, p)
	}
	got := Fits([]Followed{limited, gridOf(facts, want), limited})[recommend.GPU]
	if math.Abs(got.Workers-want.Workers) > 0.01 || math.Abs(got.Lanes-want.Lanes) > 0.01 {
		t.Errorf("%+v, want %+v", got, want)
	}
}
