package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"vyretop/megakernel/tune"
)

// ABSchema names the document of a comparison.
const ABSchema = "vyretop.ab/1"

// AB is the JSON document of a comparison of two settings of a live run.
type AB struct {
	Schema   string       `json:"schema"` // ABSchema
	Target   string       `json:"target"`
	Count    string       `json:"count"` // what was counted: "work", or a counter
	Unit     string       `json:"unit"`  // of the rates
	A        string       `json:"a"`
	B        string       `json:"b"`
	RateA    float64      `json:"rate_a_per_s"` // median
	RateB    float64      `json:"rate_b_per_s"`
	*abRatio              // absent where the comparison cannot tell
	Pairs    int          `json:"pairs"`
	Empty    int          `json:"empty_windows"` // in which nothing was counted
	Verdict  tune.Verdict `json:"verdict"`       // of B
}

// abRatio is B's rate over A's in a pair of windows: the middle of all pairs, with its interval.
type abRatio struct {
	Ratio      float64 `json:"ratio"`
	Low        float64 `json:"ratio_low"`
	High       float64 `json:"ratio_high"`
	Confidence float64 `json:"confidence"`
}

// NewAB makes the document of a comparison.
func NewAB(target, count string, c *tune.Comparison) *AB {
	d := &AB{
		Schema: ABSchema, Target: target, Count: count, Unit: c.Unit, A: c.A.String(), B: c.B.String(), RateA: digits(c.RateA), RateB: digits(c.RateB),
		Pairs: c.Pairs, Empty: c.Empty, Verdict: c.Verdict(),
	}
	if d.Verdict != tune.CannotTell {
		d.abRatio = &abRatio{digits(c.Ratio), digits(c.Low), digits(c.High), digits(c.Confidence)}
	}
	return d
}

// WriteAB prints a comparison for people.
func WriteAB(w io.Writer, d *AB) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "A\t%s\t%.4g %s/s\n", d.A, d.RateA, d.Unit)
	fmt.Fprintf(t, "B\t%s\t%.4g %s/s\n", d.B, d.RateB, d.Unit)
	if err := t.Flush(); err != nil {
		return err
	}
	if d.abRatio == nil {
		return nil // the error says it
	}
	_, err := fmt.Fprintf(w, "B is %.3g times as fast as A (%.3g to %.3g with %.3g %% confidence, %d pairs of windows): %s\n", d.Ratio, d.Low, d.High, 100*d.Confidence, d.Pairs, d.Verdict)
	return err
}
