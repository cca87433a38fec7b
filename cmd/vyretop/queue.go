package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vyretop/megakernel/fleet/work"
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
		Long: "queue lists the queues of a hub, or shows one: how many tasks wait, run and are done, and which runs did them. " +
			"--collect combines and verifies the results of all tasks on this machine; it needs the inputs but no device.",
		Example: "vyretop queue\nvyretop queue docs --json\nvyretop queue docs --wait --collect --out matches.tsv\nvyretop queue docs --delete",
		Args:    arguments(0, 1, "QUEUE"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				if err := work.CheckName(args[0]); err != nil {
					return err
				}
			}
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
	s.StringVar(&f.out, "out", "", "with --collect: write the file that --out of the workload would write")
	return c
}

// list prints all queues.
func (f *queueShown) list(ctx context.Context, a *app, list []*work.Queue) error {
	l, err := work.Describe(ctx, list)
	if err != nil {
		return err
	}
	if f.json {
		return writeJSON(a.stdout, l)
	}
	return l.Write(a.stdout)
}

// run shows, waits for, collects or deletes a queue.
func (f *queueShown) run(ctx context.Context, a *app, q *work.Queue) error {
	if f.wait {
		if err := q.Await(ctx); err != nil {
			return err
		}
	}
	d, err := q.Describe(ctx)
	if err != nil {
		return err
	}
	if d.Workers, err = q.Shares(ctx); err != nil {
		return err
	}
	if f.collect {
		result, v, err := q.Join(ctx, f.out)
		if err != nil {
			return err
		}
		if d.Joined(result, v); !v.OK {
			a.status = exitFailed
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
	if err := d.Write(a.stdout); err != nil || !f.delete {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "queue %s is deleted\n", q.Name)
	return err
}
