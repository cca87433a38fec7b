package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"vyretop/fixtures"
	"vyretop/megakernel/remote"
	"vyretop/tui"
)

// newAttach makes the command that opens a further dashboard on a live run.
func newAttach(a *app, _ []string) *cobra.Command {
	f := &viewFlags{}
	look := &lookFlags{}
	control := false
	c := &cobra.Command{
		Use:   "attach [NAME]",
		Short: "Open a dashboard on a run in another terminal",
		Long: "attach opens a dashboard on a live run of the same user (default: the only one). It only watches; --control " +
			"steers the run, as does every dashboard attached to a run started with --allow-control. Quitting does not change the run. If a detached run has ended, attach prints its summary and exits with its status.",
		Args: arguments(0, 1, "NAME"),
	}
	f.register(c.Flags())
	c.Flags().StringVar(&f.exec.file, "exec", "", execUsage)
	c.Flags().BoolVar(&f.readOnly, "readonly", false, "watch only")
	c.Flags().BoolVar(&control, "control", false, "take control even if another client holds it")
	c.Flags().DurationVar(&look.wait, "wait", 0, "how long to wait for the run to start")
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if err := f.check(); err != nil {
			return err
		}
		if err := f.readExec(a); err != nil {
			return err
		}
		name := ""
		if len(args) > 0 {
			name = args[0]
		}
		o := remote.DialOptions{Client: "vyretop attach", Control: wish(f.readOnly, control, remote.ControlAllowed), Reconnect: true, Still: stillInterval}
		resolved, err := reach(c.Context(), a, &o, name, look.wait, rights(f.readOnly))
		if errors.Is(err, remote.ErrNoTarget) {
			if shown, err := a.showResult(name); shown {
				return err
			}
		}
		if err != nil {
			return err
		}
		name = resolved
		if !f.linear && !f.interactive(a) {
			return usage("attach needs a terminal", "use --linear, or vyretop snapshot, stream or log, where there is none")
		}
		if f.linear {
			o.Patience = linearPatience
			if o.Connect != nil {
				o.Patience = remote.FarPatience
			}
		}
		client, err := remote.Dial(c.Context(), name, o)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, client.Close()) }()
		if f.linear {
			return errors.Join(f.perform(c.Context(), a, client, nil, func(ctx context.Context) error { return a.tell(ctx, client, nil) }), client.Lost())
		}
		lean()
		if err := f.dashboard(c.Context(), a, tui.Options{Source: client, Sink: client, ReadOnly: !client.Control(), Title: titleOf(name, client.Target().Workload), Subject: name, Save: fixtures.MomentSaver(a.env, client.Header())}); err != nil {
			return err
		}
		return client.Lost()
	}
	return c
}

// rights is the most that a client may want.
func rights(readOnly bool) remote.Rights {
	if readOnly {
		return remote.Look
	}
	return remote.Administer
}

// titleOf is what the dashboard of a run calls it beside the name of its workload; "" where the run has no other name.
func titleOf(name, workload string) string {
	if name == workload {
		return ""
	}
	return name
}

// linearPatience is how long a lost run is looked for by what prints line by line, for which no user may wait.
const linearPatience = 3 * time.Second

// stillInterval is how often a target at rest is heard of: often enough to tell it from one that is lost.
const stillInterval = 500 * time.Millisecond

// wish is what flags say about steering; otherwise is what a client asks for without a flag.
func wish(readOnly, control bool, otherwise remote.Control) remote.Control {
	switch {
	case readOnly:
		return remote.ControlNone
	case control:
		return remote.ControlAsk
	default:
		return otherwise
	}
}
