package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vyretop/engine/units"
	"vyretop/megakernel/fleet/work"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
)

// defaultTasks is how many tasks work is cut into where nothing is said.
const defaultTasks = 128

// submitFlags are the flags of submit.
type submitFlags struct {
	hub   hubFlags
	tasks int
}

// newSubmit makes the command that fills a queue. Its flags depend on the workload, as those of run do.
func newSubmit(a *app, args []string) *cobra.Command {
	f := &submitFlags{}
	c := &cobra.Command{
		Use: "submit QUEUE WORKLOAD|DIR", Short: "Put work into a queue, for runs on several machines",
		Long: "submit cuts the work of render, scan, grep or infer into tasks and puts them into a queue at a hub that was started with --store. " +
			"Runs on any number of machines do them: vyretop run WORKLOAD --queue QUEUE. The flags are those of the workload. All machines need the same inputs. A submit that was interrupted is continued by the same command. See docs/fleet.md.",
		Example: "vyretop submit docs scan --path /usr/share/doc\nvyretop run scan --queue docs\nvyretop queue docs",
		Args:    arguments(2, 2, "QUEUE WORKLOAD"),
	}
	f.hub.register(c.Flags(), "hub that keeps the queue")
	c.Flags().IntVar(&f.tasks, "tasks", defaultTasks, "how many tasks to cut the work into")
	d, err := workOf(a, c, "submit", args)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err != nil {
			return err
		}
		return f.run(c.Context(), a, args[0], d, workloadValues(c.Flags(), d))
	}
	c.FParseErrWhitelist.UnknownFlags = err != nil
	return c
}

// workOf finds the workload behind the name of a queue on a command line, and gives the command its flags.
func workOf(a *app, c *cobra.Command, name string, args []string) (workload.Definition, error) {
	if len(args) < 3 || args[0] != name {
		return nil, nil
	}
	_, d, err := a.findWorkload(name, c.Flags(), append([]string{name}, args[2:]...))
	if d != nil {
		long := c.Long
		addWorkloadFlags(c, d)
		c.Long = long
	}
	return d, err
}

// run cuts the work into tasks and publishes them.
func (f *submitFlags) run(ctx context.Context, a *app, queue string, d workload.Definition, values map[string]string) error {
	if err := work.CheckName(queue); err != nil {
		return err
	}
	if f.tasks < 1 || f.tasks > work.MaxTasks {
		return usage(fmt.Sprintf("invalid --tasks %d: out of range", f.tasks), fmt.Sprintf("use 1 to %d", work.MaxTasks))
	}
	if !slices.Contains(run.Workloads(), d.Name()) {
		return usage(d.Name()+" is not a shipped workload, and other machines do not have its files", "use render, scan, grep or infer")
	}
	if err := absolute(d, values); err != nil {
		return err
	}
	w, err := run.Prepare(ctx, d, values)
	if err != nil {
		return err
	}
	h, err := f.hub.connect("vyretop submit " + queue)
	if err != nil {
		return err
	}
	defer h.Close()
	q, err := work.Submit(ctx, h, queue, work.Job{Workload: d.Name(), Values: values, Inputs: w.Inputs(), Tasks: f.tasks, Submitted: time.Now(), By: h.User})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "queue %s: %s of %s in %s. Do them: vyretop run %s --queue %s --hub %s\n", queue, units.Plural(q.Job.Inputs.Units, "unit"), d.Name(), units.Plural(q.Job.Tasks, "task"), d.Name(), queue, f.hub.shown())
	return err
}

// absolute makes the paths of inputs such that they mean the same in other directories, and leaves out those of outputs.
func absolute(d workload.Definition, values map[string]string) (err error) {
	for _, f := range d.Flags() {
		v, given := values[f.Name]
		switch {
		case f.Name == "out":
			delete(values, f.Name)
			continue
		case f.Value != "DIR" && f.Value != "FILE" && f.Value != "PATH":
			continue
		case !given:
			v = f.Default
		}
		if v == "" {
			continue
		}
		if values[f.Name], err = filepath.Abs(v); err != nil {
			return err
		}
	}
	return nil
}

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
		if err := await(ctx, q); err != nil {
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

// pollTime is the time between two looks at a queue that is waited for.
const pollTime = 500 * time.Millisecond

// await returns when all tasks of a queue are done.
func await(ctx context.Context, q *work.Queue) error {
	for {
		p, err := q.Progress(ctx)
		if err != nil || p.Done >= q.Job.Tasks {
			return err
		}
		select {
		case <-time.After(pollTime):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
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
