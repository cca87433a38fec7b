package rerun

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"vyretop/engine"
	"vyretop/engine/units"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/tune"
)

// DocumentSchema names the document of a search.
const DocumentSchema = "vyretop.tune/1"

// Document is the JSON document of a search.
type Document struct {
	Schema     string          `json:"schema"` // DocumentSchema
	Backend    string          `json:"backend"`
	Renderer   string          `json:"renderer"`
	Driver     string          `json:"driver"`
	Workload   string          `json:"workload"`
	Unit       string          `json:"unit"` // of rates: that many a second
	BudgetMs   float64         `json:"budget_ms"`
	SpentMs    float64         `json:"spent_ms"`
	Windows    int             `json:"windows"`
	Best       Shape           `json:"best"`
	Decided    bool            `json:"decided"` // false: Best is the default, because the comparison cannot tell
	Default    Shape           `json:"default"`
	Comparison *Comparison     `json:"comparison"` // of the fastest with the default; null where they are the same
	Candidates []Candidate     `json:"candidates"` // the fastest first
	Limits     Limits          `json:"limits"`
	Policy     *PolicyShape    `json:"policy"` // null where it recommends nothing
	Reasons    []policy.Reason `json:"policy_reasons"`
	Differ     []string        `json:"differences"` // between what was found, policy and limits
	Kept       string          `json:"kept_in"`
}

// Shape is settings that can be searched.
type Shape struct {
	Workers int     `json:"workers"`
	Lanes   int     `json:"lanes"`
	SliceMs float64 `json:"slice_ms"`
	// WorkgroupSize is how many lanes the kernel is compiled for.
	WorkgroupSize int `json:"workgroup_size"`
}

// Candidate is a shape that was tried.
type Candidate struct {
	Shape
	Rate    float64  `json:"rate"`      // median of the windows
	Low     *float64 `json:"rate_low"`  // of its interval; null where there are fewer than tune.MinPairs windows
	High    *float64 `json:"rate_high"` //
	Windows int      `json:"windows"`
	Rounds  int      `json:"rounds"`
}

// Comparison is what pairs of windows of two shapes showed.
type Comparison struct {
	Fastest    Shape        `json:"fastest"`
	Ratio      float64      `json:"ratio"` // of its rate over the default's: median
	Low        float64      `json:"ratio_low"`
	High       float64      `json:"ratio_high"`
	Confidence float64      `json:"confidence"`
	Pairs      int          `json:"pairs"`
	Verdict    tune.Verdict `json:"verdict"`
}

// PolicyShape is what the policy recommends.
type PolicyShape struct {
	Groups   uint32          `json:"worker_groups"`
	Lanes    uint32          `json:"workgroup_size_x"`
	Queue    uint32          `json:"queue_len"`
	Topology policy.Topology `json:"topology"`
}

// NewDocument makes the document of a search.
func NewDocument(f *Found) Document {
	t := Document{
		Schema: DocumentSchema, Backend: f.Identity.Name, Renderer: f.Identity.Renderer, Driver: f.Identity.Driver,
		Workload: f.Workload, Unit: f.Start.Unit, BudgetMs: units.Milliseconds(f.Budget), SpentMs: units.Milliseconds(f.Result.Spent), Windows: f.Result.Windows,
		Best: f.shape(f.Result.Best), Decided: f.Undecided() == nil, Default: f.shape(nil),
		Limits:  f.Relation.Limits,
		Reasons: f.Relation.Reasons, Differ: f.Relation.Differences, Kept: f.Kept,
	}
	for _, row := range f.Result.Rows {
		c := Candidate{Shape: f.shape(row.Candidate), Rate: units.Digits(row.Rate), Windows: row.Windows, Rounds: row.Rounds}
		if row.Windows >= tune.MinPairs {
			low, high := units.Digits(row.Low), units.Digits(row.High)
			c.Low, c.High = &low, &high
		}
		t.Candidates = append(t.Candidates, c)
	}
	if c := f.Result.Comparison; c != nil {
		t.Comparison = &Comparison{f.shape(c.B), units.Digits(c.Ratio), units.Digits(c.Low), units.Digits(c.High), units.Digits(c.Confidence), c.Pairs, c.Verdict()}
	}
	if f.Relation.Err == nil {
		r := &f.Relation.Recommendation
		t.Policy = &PolicyShape{r.Groups, r.Geometry.WorkgroupSizeX, f.Start.Request.QueueLen, r.Topology}
	}
	return t
}

// meaning says what a comparison showed, and what came of it where that is not plain.
func meaning(c *tune.Comparison) string {
	v := string(c.Verdict())
	if c.Verdict() != tune.BFaster && c.Replaces() {
		v += fmt.Sprintf(", probably faster, certainly not %.0f %% slower", 100*tune.Tolerance)
	}
	return v
}

// shape is the default settings with those of a candidate.
func (f *Found) shape(c tune.Candidate) Shape {
	s := f.Start.Settings
	for _, x := range c {
		_ = s.Set(x) // it was in force
	}
	return Shape{s.Workers, s.Lanes, units.Milliseconds(s.Slice), s.Workgroup}
}

// rateText is a rate with four digits and no exponent, so that a column of rates can be compared by eye.
func rateText(v float64) string { return strconv.FormatFloat(units.Digits(v), 'f', -1, 64) }

// ratioText is a ratio of two rates with three digits. Windows that counted next to nothing make ratios with many zeros or
// many digits, of which only the bound says something.
func ratioText(v float64) string {
	switch {
	case v < 0.01:
		return "<0.01"
	case v > 100:
		return ">100"
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// WriteText prints a search for people.
func WriteText(w io.Writer, f *Found) error {
	d := NewDocument(f)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\ton %s: %s\n", d.Workload, d.Backend, d.Renderer)
	fmt.Fprintf(t, "search\t%d candidates, %d windows in %.1f s\n\n", len(d.Candidates), d.Windows, d.SpentMs/1000)
	if err := errors.Join(t.Flush(), writeCandidates(w, &d)); err != nil {
		return err
	}
	if f.Undecided() != nil {
		fmt.Fprintf(t, "\nbest\tnot known\n")
	} else {
		fmt.Fprintf(t, "\nbest\t%s\n", d.Best)
	}
	if c := d.Comparison; c != nil {
		fmt.Fprintf(t, "\t%s against the default, %s: %s times its rate (%s to %s, %s of windows): %s\n", c.Fastest, d.Default, ratioText(c.Ratio), ratioText(c.Low), ratioText(c.High), units.Plural(c.Pairs, "pair"), meaning(f.Result.Comparison))
	} else {
		fmt.Fprintf(t, "\twhich is the default\n")
	}
	if p := d.Policy; p != nil && f.Undecided() == nil {
		fmt.Fprintf(t, "policy\t%d worker groups of %d lanes for a queue of %d (%s)\n", p.Groups, p.Lanes, p.Queue, p.Topology)
	}
	fmt.Fprintf(t, "limits\t%d workers%s, workgroups of up to %d lanes, slices up to %v ms\n", d.Limits.Workers, atOnce(d.Limits.AtOnce), d.Limits.MaxLanes, d.Limits.SliceMaxMs)
	for i, line := range d.Differ {
		if f.Undecided() != nil {
			break // they explain the best
		}
		fmt.Fprintf(t, "%s\t%s\n", map[bool]string{true: "differ"}[i == 0], line)
	}
	if err := f.Undecided(); err != nil {
		fmt.Fprintf(t, "not kept\t%v\n", err)
	} else if d.Kept != "" {
		fmt.Fprintf(t, "kept in\t%s; vyretop run uses it, --no-tuned does not\n", d.Kept)
	}
	return t.Flush()
}

func writeCandidates(w io.Writer, d *Document) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "workers\tlanes\tof\tslice ms\t%s/s\tlow\thigh\twindows\trounds\t\n", d.Unit)
	few := 0
	for _, c := range d.Candidates {
		mark := ""
		if c.Shape == d.Default {
			mark = "  default"
		}
		if c.Low == nil {
			few++
		}
		fmt.Fprintf(t, "%d\t%d\t%d\t%v\t%s\t%s\t%s\t%d\t%d\t%s\n", c.Workers, c.Lanes, c.WorkgroupSize, c.SliceMs, rateText(c.Rate), boundText(c.Low), boundText(c.High), c.Windows, c.Rounds, mark)
	}
	if err := t.Flush(); err != nil || few == 0 {
		return err
	}
	_, err := fmt.Fprintf(w, "%s had fewer than %d windows: their rates are rough. A larger --budget gives more.\n", units.Plural(few, "candidate"), tune.MinPairs)
	return err
}

func boundText(v *float64) string {
	if v == nil {
		return "-"
	}
	return rateText(*v)
}

func atOnce(n engine.Optional[int]) string {
	if v, known := n.Get(); known {
		return fmt.Sprintf(" (%d at once)", v)
	}
	return ""
}

// String says the shape for people.
func (s Shape) String() string {
	if s.Lanes < s.WorkgroupSize {
		return fmt.Sprintf("%d workers of %d lanes (workgroups of %d), slices of %v ms", s.Workers, s.Lanes, s.WorkgroupSize, s.SliceMs)
	}
	return fmt.Sprintf("%d workers of %d lanes, slices of %v ms", s.Workers, s.Lanes, s.SliceMs)
}
