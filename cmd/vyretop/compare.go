package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"vyretop/fixtures"
	"vyretop/megakernel/health"
	"vyretop/megakernel/inspect"
)

// newStall makes the command that explains why a target is stalled.
func newStall(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	c := a.newLook("stall", "Report whether a target is stalled and what its workers and tasks wait for", f, f.registerWindow, func(ctx context.Context, s inspect.Subject) error {
		now, before, err := s.Pair(ctx, f.window)
		if err != nil {
			return err
		}
		r := health.Explain(now, before)
		if r.Stalled {
			a.status = exitFailed
		}
		if f.json {
			return writeJSON(a.stdout, inspect.StallDocument(s, inspect.Sample(s, now, before), r))
		}
		return inspect.WriteStall(a.stdout, r)
	})
	c.Long = "stall reports whether the target is stalled, what every worker does, and which words waiting tasks wait for. " +
		"The exit status is 1 if the target is stalled: it has work, none of which changed within the window, and no breakpoint or command holds it." + lookUsage
	return c
}

// newDiff makes the command that compares two snapshots word by word.
func newDiff(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	all, byTask := false, false
	c := &cobra.Command{
		Use: "diff A B", Short: "Compare two targets, or two positions in a recording, word by word",
		Long: "diff compares the control buffer, the ring, the worker table and the workload's buffers of two targets, or of two positions in a recording, word by word. The exit status is 1 if they differ. " +
			"Worker words that change even when idle, such as heartbeats, are compared only with --all.\n\n" +
			"With --tasks, two whole recordings are compared task by task, whenever each task was published and ended: its epoch, the words with which the host published it, and those with which it ended." + lookUsage,
		Example: "vyretop diff run.mcap@1s run.mcap@2s\nvyretop diff good.mcap bad.mcap --json\nvyretop diff good.mcap bad.mcap --tasks",
		Args:    arguments(2, 2, "A B"),
	}
	c.Flags().BoolVar(&all, "all", false, "compare every word, heartbeats included")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON, with a schema member")
	c.Flags().BoolVar(&byTask, "tasks", false, "compare two recordings by task and epoch, not by time")
	f.registerTarget(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		f.atGiven = c.Flags().Changed("at")
		if byTask && (all || f.atGiven) {
			return usage("--tasks excludes --all and --at", "leave them out: whole recordings are compared")
		}
		if byTask {
			return diffTasks(a, args[0], args[1], f.json)
		}
		var sides [2]inspect.Subject
		for i := range sides {
			if sides[i], err = a.openSubject(c.Context(), args[i], f, true); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, sides[i].Close()) }()
		}
		return a.diff(c.Context(), sides[0], sides[1], all, f.json)
	}
	return c
}

func (a *app) diff(ctx context.Context, x, y inspect.Subject, all, asJSON bool) error {
	one, err := x.Now(ctx)
	if err != nil {
		return err
	}
	other, err := y.Now(ctx)
	if err != nil {
		return err
	}
	own := inspect.DiffBuffers(ctx, x, y)
	var left *inspect.NotCompared
	rows := inspect.Both(inspect.Diff(one, other, all), func(yield func(*inspect.Difference) bool) error {
		if err := own(yield); !errors.As(err, &left) {
			return err
		}
		return nil // it is told beside the table
	})
	some, err := rows.Any()
	if err != nil {
		return err
	}
	if some {
		a.status = exitFailed
	}
	switch out := bufio.NewWriter(a.stdout); {
	case asJSON:
		err = errors.Join(inspect.WriteDiff(out, x, y, !some, rows), out.Flush())
	case !some:
		_, err = fmt.Fprintln(a.stdout, "equal")
	default:
		err = inspect.DiffTable.Write(a.stdout, rows)
	}
	if left != nil {
		fmt.Fprintf(a.stderr, "vyretop: %v\n", left)
	}
	return err
}

// diffTasks compares two recordings by task.
func diffTasks(a *app, one, other string, asJSON bool) (err error) {
	var recs [2]*fixtures.Recording
	for i, name := range []string{one, other} {
		if recs[i], err = inspect.OpenRecording(name); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, recs[i].Close()) }()
		a.warn(recs[i])
	}
	rows, err := inspect.DiffTasks(recs[0], recs[1])
	if err != nil {
		return err
	}
	some, err := rows.Any()
	if err != nil {
		return err
	}
	if some {
		a.status = exitFailed
	}
	switch out := bufio.NewWriter(a.stdout); {
	case asJSON:
		return errors.Join(inspect.WriteTaskDiff(out, !some, rows), out.Flush())
	case !some:
		_, err = fmt.Fprintln(a.stdout, "equal")
		return err
	}
	return inspect.TaskDiffTable.Write(a.stdout, rows)
}
