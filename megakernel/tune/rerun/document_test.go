package rerun

import (
	"errors"
	"strings"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/tune"
)

// TestRatesOfASearchHaveNoExponent: a column had 1.737e+05 above 8794, and an interval began at 2.06e-09.
func TestRatesOfASearchHaveNoExponent(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 173712.3: "173700", 8794: "8794", 229.14: "229.1", 3e9: "3000000000"} {
		if got := rateText(v); got != want {
			t.Errorf("rate %v: %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{2.06e-9: "<0.01", 0.1637: "0.164", 2.07: "2.07", 1: "1", 4.2e8: ">100"} {
		if got := ratioText(v); got != want {
			t.Errorf("ratio %v: %q, want %q", v, got, want)
		}
	}
}

// TestASearchThatCannotTellFindsNothing: the default was called best, kept, and used by run as what tune had found. Rates of single
// windows had intervals without width.
func TestASearchThatCannotTellFindsNothing(t *testing.T) {
	f := &Found{
		Workload: "w", Start: &Start{Settings: megakernel.Settings{Workers: 4, Lanes: 8, Workgroup: 8}, Unit: "tasks"}, Relation: &Relation{},
		Result: &tune.Result{
			Comparison: &tune.Comparison{Ratio: 2, Low: 1.5, High: 3, Pairs: 6},
			Rows:       []tune.Row{{Rate: 10, Low: 9, High: 11, Windows: 6}, {Rate: 10, Low: 10, High: 10, Windows: 1}},
		},
	}
	for empty, wanted := range map[int][]string{
		0: {"best    4 workers", "9    11        6", "-     -        1", "1 candidate had fewer than 6 windows", "policy"},
		3: {"best      not known", "not kept  cannot tell which is faster: in 3 of 12 windows nothing was done"},
	} {
		f.Result.Comparison.Empty = empty
		var out strings.Builder
		if err := WriteText(&out, f); err != nil {
			t.Fatal(err)
		}
		for _, want := range wanted {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%d windows are empty: no %q in\n%s", empty, want, &out)
			}
		}
		if empty > 0 && strings.Contains(out.String(), "policy") {
			t.Errorf("what explains the best is printed without one:\n%s", &out)
		}
	}
}

// TestASearchHasOneVerdict: text and JSON of a search called an interval from 0.652 to 1.37 no difference, and kept the default as what
// had been found; ab cannot tell there.
func TestASearchHasOneVerdict(t *testing.T) {
	for _, tt := range []struct {
		low, ratio, high float64
		verdict          tune.Verdict
		text             string
		kept             bool
	}{
		{0.652, 0.968, 1.37, tune.CannotTell, "(0.652 to 1.37, 15 pairs of windows): cannot tell\n", false},
		{0.97, 1.2, 1.5, tune.CannotTell, ": cannot tell, probably faster, certainly not 5 % slower\n", true},
		{0.97, 1.02, 1.05, tune.NoDifference, ": no difference, probably faster, certainly not 5 % slower\n", true},
		{0.93, 0.99, 1.05, tune.NoDifference, ": no difference\n", true},
		{0.5, 0.6, 0.7, tune.BSlower, ": slower\n", true},
		{1.1, 1.2, 1.3, tune.BFaster, ": faster\n", true},
	} {
		f := &Found{
			Workload: "w", Start: &Start{Settings: megakernel.Settings{Workers: 4, Lanes: 8, Workgroup: 8}, Unit: "tasks"}, Relation: &Relation{},
			Result: &tune.Result{Comparison: &tune.Comparison{Ratio: tt.ratio, Low: tt.low, High: tt.high, Pairs: 15}},
		}
		var out strings.Builder
		if err := WriteText(&out, f); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), tt.text) || strings.Contains(out.String(), "not kept") == tt.kept {
			t.Errorf("%v to %v: no %q in\n%s", tt.low, tt.high, tt.text, &out)
		}
		if d := NewDocument(f); d.Comparison.Verdict != tt.verdict || d.Decided != tt.kept {
			t.Errorf("%v to %v: the document has %s, decided %v", tt.low, tt.high, d.Comparison.Verdict, d.Decided)
		}
		if err := f.Undecided(); (err == nil) != tt.kept || err != nil && (!errors.Is(err, tune.ErrCannotTell) || !strings.Contains(err.Error(), "--budget")) {
			t.Errorf("%v to %v: %v", tt.low, tt.high, err)
		}
	}
}
