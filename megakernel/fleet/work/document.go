package work

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel/workload"
)

// Schema names the document of a queue.
const Schema = "vyretop.queue/1"

// Document is what is printed of a queue.
type Document struct {
	Schema   string    `json:"schema"`
	Name     string    `json:"name"`
	Job      Job       `json:"job"`
	Progress Progress  `json:"progress"`
	Workers  []Share   `json:"workers"`
	Result   any       `json:"result,omitempty"` // of the workload, once the results are put together
	Verified *Verified `json:"verification,omitempty"`
}

// Verified is the check of a result.
type Verified struct {
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// Describe is the document of a queue without its workers and its result.
func (q *Queue) Describe(ctx context.Context) (d Document, err error) {
	d = Document{Schema: Schema, Name: q.Name, Job: q.Job}
	d.Progress, err = q.Progress(ctx)
	return d, err
}

// Joined adds the result and its check.
func (d *Document) Joined(result any, v workload.Verification) {
	d.Result, d.Verified = result, &Verified{OK: v.OK, Detail: v.Detail}
}

// Write prints a queue for people.
func (d *Document) Write(w io.Writer) error {
	p := &d.Progress
	fmt.Fprintf(w, "queue %s: %s, %s, submitted %s\n", d.Name, d.Job.Workload, units.Plural(d.Job.Inputs.Units, "unit"), d.Job.Submitted.Local().Format(time.DateTime))
	fmt.Fprintf(w, "%d of %d tasks done, %d being done, %d waiting\n", p.Done, d.Job.Tasks, p.Taken, p.Waiting)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range d.Workers {
		failed := ""
		if s.Failed > 0 {
			failed = fmt.Sprintf("%d failed", s.Failed)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.Worker, units.Plural(s.Tasks, "task"), failed)
	}
	if d.Result != nil {
		for _, m := range units.Members(d.Result) {
			fmt.Fprintf(t, "%s\t%s\n", m.Name, m.Value)
		}
		fmt.Fprintf(t, "verified\t%v: %s\n", d.Verified.OK, d.Verified.Detail)
	}
	return t.Flush()
}

// Listing is what is printed of all queues of a hub.
type Listing struct {
	Schema string     `json:"schema"`
	Queues []Document `json:"queues"`
}

// Describe is the listing of queues.
func Describe(ctx context.Context, list []*Queue) (Listing, error) {
	l := Listing{Schema: Schema, Queues: []Document{}}
	for _, q := range list {
		d, err := q.Describe(ctx)
		if err != nil {
			return l, err
		}
		l.Queues = append(l.Queues, d)
	}
	return l, nil
}

// Write prints a line for each queue.
func (l *Listing) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(l.Queues) == 0 {
		fmt.Fprintln(t, "no queues. Make one: vyretop submit QUEUE WORKLOAD")
	}
	for i := range l.Queues {
		d := &l.Queues[i]
		p := &d.Progress
		fmt.Fprintf(t, "%s\t%s\t%d of %d tasks done\t%d being done\t%d waiting\n", d.Name, d.Job.Workload, p.Done, d.Job.Tasks, p.Taken, p.Waiting)
	}
	return t.Flush()
}
