package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"vyretop/engine/units"
	"vyretop/megakernel/fleet/work"
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
		Long: "submit divides the work of render, scan, grep, bfs-batch or infer into tasks and puts them into a queue at a hub started with --store. " +
			"Runs on any number of machines take tasks from it: vyretop run WORKLOAD --queue QUEUE. The flags are those of the workload. All machines need the same inputs. To continue an interrupted submit, repeat the command. See docs/fleet.md.",
		Example: "vyretop submit docs scan --path /usr/share/doc\nvyretop run scan --queue docs\nvyretop queue docs",
		Args:    arguments(2, 2, "QUEUE WORKLOAD"),
	}
	f.hub.register(c.Flags(), "hub that keeps the queue")
	c.Flags().IntVar(&f.tasks, "tasks", defaultTasks, "number of tasks to divide the work into")
	_, d, err := a.findWorkload("submit", c.Flags(), args, 1)
	if d != nil {
		long := c.Long
		addWorkloadFlags(c, d)
		c.Long = long
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if err != nil {
			return err
		}
		return f.run(c.Context(), a, args[0], d, workloadValues(c.Flags(), d))
	}
	c.FParseErrWhitelist.UnknownFlags = err != nil
	return c
}

// run cuts the work into tasks and publishes them.
func (f *submitFlags) run(ctx context.Context, a *app, queue string, d workload.Definition, values map[string]string) error {
	if err := work.CheckName(queue); err != nil {
		return err
	}
	if f.tasks < 1 || f.tasks > work.MaxTasks {
		return usage(fmt.Sprintf("invalid --tasks %d: out of range", f.tasks), fmt.Sprintf("use 1 to %d", work.MaxTasks))
	}
	job, err := work.NewJob(ctx, d, values, f.tasks)
	if err != nil {
		return err
	}
	h, err := f.hub.connect("vyretop submit " + queue)
	if err != nil {
		return err
	}
	defer h.Close()
	job.Submitted, job.By = time.Now(), h.User
	q, err := work.Submit(ctx, h, queue, job)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "queue %s: %s of %s in %s. Do them: vyretop run %s --queue %s --hub %s\n", queue, units.Plural(q.Job.Inputs.Units, "unit"), d.Name(), units.Plural(q.Job.Tasks, "task"), d.Name(), queue, f.hub.shown())
	return err
}
