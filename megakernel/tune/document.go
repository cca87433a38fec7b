package tune

import (
	"fmt"
	"io"
	"text/tabwriter"

	"vyretop/engine/units"
)

// DocumentSchema names the document of a comparison.
const DocumentSchema = "vyretop.ab/1"

// Document is the JSON document of a comparison of two settings of a live run.
type Document struct {
	Schema         string  `json:"schema"` // DocumentSchema
	Target         string  `json:"target"`
	Count          string  `json:"count"` // what was counted: "work", or a counter
	Unit           string  `json:"unit"`  // of the rates
	A              string  `json:"a"`
	B              string  `json:"b"`
	RateA          float64 `json:"rate_a_per_s"` // of the pair whose ratio is nearest to that of all
	RateB          float64 `json:"rate_b_per_s"`
	*ratioDocument         // absent where too few windows had work
	Pairs          int     `json:"pairs"`
	Empty          int     `json:"empty_windows"` // in which nothing was counted
	Verdict        Verdict `json:"verdict"`       // of B
}

// ratioDocument is B's rate over A's in a pair of windows: the middle of all pairs, with its interval.
type ratioDocument struct {
	Ratio      float64 `json:"ratio"`
	Low        float64 `json:"ratio_low"`
	High       float64 `json:"ratio_high"`
	Confidence float64 `json:"confidence"`
}

// NewDocument makes the document of a comparison.
func NewDocument(target, count string, c *Comparison) *Document {
	d := &Document{
		Schema: DocumentSchema, Target: target, Count: count, Unit: c.Unit, A: c.A.String(), B: c.B.String(), RateA: units.Digits(c.RateA), RateB: units.Digits(c.RateB),
		Pairs: c.Pairs, Empty: c.Empty, Verdict: c.Verdict(),
	}
	if c.Err() == nil {
		d.ratioDocument = &ratioDocument{units.Digits(c.Ratio), units.Digits(c.Low), units.Digits(c.High), units.Digits(c.Confidence)}
	}
	return d
}

// WriteText prints a comparison for people.
func WriteText(w io.Writer, d *Document) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "A\t%s\t%s %s/s\n", d.A, units.Rate(d.RateA), d.Unit)
	fmt.Fprintf(t, "B\t%s\t%s %s/s\n", d.B, units.Rate(d.RateB), d.Unit)
	if err := t.Flush(); err != nil {
		return err
	}
	if d.ratioDocument == nil {
		return nil // the error says it
	}
	_, err := fmt.Fprintf(w, "B is %.3g times as fast as A (%.3g to %.3g with %.3g %% confidence, %d pairs of windows): %s\n", d.Ratio, d.Low, d.High, 100*d.Confidence, d.Pairs, d.Verdict)
	return err
}
