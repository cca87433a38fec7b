package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vyretop/engine/units"
	"vyretop/megakernel/fleet/work"
	"vyretop/megakernel/run"
)

// queueShown are the flags of queue.
type queueShown struct {
	hub     hubFlags
	json    bool
	wait    bool
	delete  bool
	collect bool
	out     string
}

// newQueue makes the command that shows queues and collects their results.
func newQueue(a *app, _ []string) *cobra.Command {
	f := &queueShown{}
	c := &cobra.Command{
		Use: "queue [QUEUE]", Short: "Show the queues of a hub, and collect their results",
		Long: "queue lists the queues of a hub, or shows one: how many tasks wait, are being done, and are done, and by which runs. " +
			"--collect puts the results of all tasks together on this machine, which needs the inputs and no device, and verifies them.",
		Example: "vyretop queue\nvyretop queue docs --json\nvyretop queue docs --wait --collect --out matches.tsv\nvyretop queue docs --delete",
		Args:    arguments(0, 1, "QUEUE"),
		RunE: func(c *cobra.Command, args []string) error {
			h, err := f.hub.connect("vyretop queue")
			if err != nil {
				return err
			}
			defer h.Close()
			if len(args) == 0 {
				list, err := work.List(c.Context(), h)
				if err != nil {
					return err
				}
				return f.list(c.Context(), a, list)
			}
			q, err := work.Open(c.Context(), h, args[0])
			if err != nil {
				return err
			}
			return f.run(c.Context(), a, q)
		},
	}
	f.hub.register(c.Flags(), "hub that keeps the queue")
	s := c.Flags()
	s.BoolVar(&f.json, "json", false, "print JSON, with a schema member")
	s.BoolVar(&f.wait, "wait", false, "wait until all tasks are done")
	s.BoolVar(&f.delete, "delete", false, "delete the queue and its results")
	s.BoolVar(&f.collect, "collect", false, "put the results together, verify and print them")
	s.StringVar(&f.out, "out", "", "with --collect: what --out of the workload writes")
	return c
}

// queueSchema names the document of queue.
const queueSchema = "vyretop.queue/1"

// queueDocument is what queue --json prints of a queue.
type queueDocument struct {
	Schema   string          `json:"schema"`
	Name     string          `json:"name"`
	Job      work.Job        `json:"job"`
	Progress work.Progress   `json:"progress"`
	Workers  []work.Share    `json:"workers"`
	Result   any             `json:"result,omitempty"`
	Verified *queueVerifying `json:"verification,omitempty"`
}

// queueVerifying is the check of a result.
type queueVerifying struct {
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// list prints all queues.
func (f *queueShown) list(ctx context.Context, a *app, list []*work.Queue) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	var documents []queueDocument
	if len(list) == 0 && !f.json {
		fmt.Fprintln(t, "no queues. Make one: vyretop submit QUEUE WORKLOAD")
	}
	for _, q := range list {
		p, err := q.Progress(ctx)
		if err != nil {
			return err
		}
		if f.json {
			documents = append(documents, queueDocument{Schema: queueSchema, Name: q.Name, Job: q.Job, Progress: p})
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%d of %d tasks done\t%d being done\t%d waiting\n", q.Name, q.Job.Workload, p.Done, q.Job.Tasks, p.Taken, p.Waiting)
	}
	if f.json {
		return writeJSON(a.stdout, struct {
			Schema string          `json:"schema"`
			Queues []queueDocument `json:"queues"`
		}{queueSchema, append([]queueDocument{}, documents...)})
	}
	return t.Flush()
}

// run shows, waits for, collects or deletes a queue.
func (f *queueShown) run(ctx context.Context, a *app, q *work.Queue) error {
	if f.wait {
		if err := q.Await(ctx); err != nil {
			return err
		}
	}
	d := queueDocument{Schema: queueSchema, Name: q.Name, Job: q.Job}
	var err error
	if d.Progress, err = q.Progress(ctx); err != nil {
		return err
	}
	if d.Workers, err = q.Shares(ctx); err != nil {
		return err
	}
	if f.collect {
		if err := f.collected(ctx, a, q, &d); err != nil {
			return err
		}
	}
	if f.delete {
		if err := q.Delete(ctx); err != nil {
			return err
		}
	}
	if f.json {
		return writeJSON(a.stdout, d)
	}
	return d.write(a.stdout)
}

// collected puts the results together.
func (f *queueShown) collected(ctx context.Context, a *app, q *work.Queue, d *queueDocument) error {
	definition, err := run.OpenWorkload(q.Job.Workload)
	if err != nil {
		return err
	}
	values := maps.Clone(q.Job.Values)
	if f.out != "" {
		if values == nil {
			values = map[string]string{}
		}
		values["out"] = f.out
	}
	w, err := run.Prepare(ctx, definition, values)
	if err != nil {
		return err
	}
	if err := q.Collect(ctx, w, func(int) bool { return false }); err != nil {
		return err
	}
	if err := w.Joined(); err != nil {
		return err
	}
	v, err := w.Verify(ctx)
	if err != nil {
		return err
	}
	d.Result, d.Verified = w.Result(), &queueVerifying{OK: v.OK, Detail: v.Detail}
	if !v.OK {
		a.status = exitFailed
	}
	return nil
}

// write prints a queue for people.
func (d *queueDocument) write(w io.Writer) error {
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
