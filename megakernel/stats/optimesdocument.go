package stats

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
)

// OpTimesSchema names the document of the times of activations.
const OpTimesSchema = "vyretop.op-times/1"

// OpTimesDocument is the JSON document of how long the activations of a run took, by opcode.
type OpTimesDocument struct {
	Schema   string   `json:"schema"` // OpTimesSchema
	Target   string   `json:"target"`
	Renderer string   `json:"renderer"`
	FromMs   float64  `json:"from_ms"` // since launch
	ToMs     float64  `json:"to_ms"`
	Known    int      `json:"snapshots"` // between which the activations are placed
	Lost     uint64   `json:"lost_records"`
	Sampled  string   `json:"log"` // what the log takes, "" for every activation
	Opcodes  []OpTime `json:"opcodes"`
}

// NewOpTimesDocument makes the document.
func NewOpTimesDocument(target, renderer, sampled string, o *OpTimes, names map[uint32]string) OpTimesDocument {
	from, to, lost := o.Span()
	return OpTimesDocument{Schema: OpTimesSchema, Target: target, Renderer: renderer, FromMs: units.Milliseconds(from), ToMs: units.Milliseconds(to), Known: o.snapshots, Lost: lost, Sampled: sampled, Opcodes: o.Table(names)}
}

// barWidth is that of the longest bar of a histogram.
const barWidth = 30

// ErrNoTimes is the kind of the errors about runs of which no activation can be timed.
const ErrNoTimes fault.Kind = "no activation can be timed"

// Missing says why there are no times, nil where there are some. again is how to get them.
func (d *OpTimesDocument) Missing(again string) error {
	if len(d.Opcodes) > 0 {
		return nil
	}
	e := &fault.Error{Kind: ErrNoTimes, Subject: d.Target, Detail: fmt.Sprintf("none ended between two snapshots, from %.1f to %.1f s", d.FromMs/1000, d.ToMs/1000), Fix: again}
	if d.Sampled != "" {
		e.Detail = "its debug log, which times are read from, takes " + d.Sampled
	}
	if d.Sampled == "off" {
		e.Detail = "its debug log, which times are read from, is off"
	}
	return e
}

// Write prints a table of the opcodes, and the histogram of each.
func (d *OpTimesDocument) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s on %s: activations from %.1f to %.1f s\n", d.Target, d.Renderer, d.FromMs/1000, d.ToMs/1000)
	fmt.Fprintf(w, "estimated from %s: between two of them the passes of a worker count as equally long\n", units.Plural(d.Known, "snapshot"))
	if d.Sampled != "" {
		fmt.Fprintf(w, "the debug log takes %s: other activations are not counted\n", d.Sampled)
	}
	if d.Lost > 0 {
		fmt.Fprintf(w, "%d records were lost: their activations are not counted\n", d.Lost)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nactivations\ttotal\tmean\tp50\tp90\tp99\tlongest\t  op")
	for _, o := range d.Opcodes {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t  %s\n", units.Count(o.Count), duration(o.Total), duration(o.Mean), duration(o.P50), duration(o.P90), duration(o.P99), duration(o.Longest), opName(o))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, o := range d.Opcodes {
		fmt.Fprintf(w, "\n%s\n", opName(o))
		most := uint64(1)
		for _, b := range o.Histogram {
			most = max(most, b.Count)
		}
		for _, b := range o.Histogram {
			if _, err := fmt.Fprintf(w, "%10s %8s  %s\n", "< "+duration(b.Below), units.Count(b.Count), strings.Repeat("#", int((b.Count*barWidth+most-1)/most))); err != nil {
				return err
			}
		}
	}
	return nil
}

func opName(o OpTime) string {
	if o.Name == "" {
		return fmt.Sprintf("%#x", o.Opcode)
	}
	return o.Name
}

func duration(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d >= time.Microsecond:
		return d.Round(10 * time.Nanosecond).String()
	}
	return d.String()
}
