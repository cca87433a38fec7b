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
	Schema     string       `json:"schema"` // ABSchema
	Target     string       `json:"target"`
	Count      string       `json:"count"` // the counter whose growth was measured
	A          string       `json:"a"`
	B          string       `json:"b"`
	RateA      float64      `json:"rate_a_per_s"` // median
	RateB      float64      `json:"rate_b_per_s"`
	Ratio      float64      `json:"ratio"` // median of B's rate over A's, in a pair of windows
	Low        float64      `json:"ratio_low"`
	High       float64      `json:"ratio_high"`
	Confidence float64      `json:"confidence"`
	Pairs      int          `json:"pairs"`
	Verdict    tune.Verdict `json:"verdict"` // of B
}

// NewAB makes the document of a comparison.
func NewAB(target, count string, c *tune.Comparison) *AB {
	return &AB{
		Schema: ABSchema, Target: target, Count: count, A: c.A.String(), B: c.B.String(), RateA: digits(c.RateA), RateB: digits(c.RateB),
		Ratio: digits(c.Ratio), Low: digits(c.Low), High: digits(c.High), Confidence: digits(c.Confidence), Pairs: c.Pairs, Verdict: c.Verdict(),
	}
}

// WriteAB prints a comparison for people.
func WriteAB(w io.Writer, d *AB) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "A\t%s\t%.4g %s/s\n", d.A, d.RateA, d.Count)
	fmt.Fprintf(t, "B\t%s\t%.4g %s/s\n", d.B, d.RateB, d.Count)
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "B is %.3g times as fast as A (%.3g to %.3g with %.3g %% confidence, %d pairs of windows): %s\n", d.Ratio, d.Low, d.High, 100*d.Confidence, d.Pairs, d.Verdict)
	return err
}
