package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/tune"
)

// abFlags are the flags of ab.
type abFlags struct {
	liveFlags
	pairs   int
	window  time.Duration
	count   string
	control bool
	json    bool
}

// countWork counts the progress of the workload, or activations.
const countWork = "work"

// newAB makes the command that compares two settings of a live run.
func newAB(a *app, _ []string) *cobra.Command {
	f := &abFlags{}
	c := &cobra.Command{
		Use:   "ab A B",
		Short: "Compare two settings of a live run in alternating windows",
		Long: "ab alternates between the settings A and B of a live run, measures the rate of work under each, and reports whether B is\n" +
			"faster. It restores the settings at the end. Work is the progress of the workload (bytes, samples, steps), or activations if\n" +
			"it reports none. Without any progress, or where the rates vary too much, it cannot tell, and the exit status is 1. One client\n" +
			"at a time controls a run: --control takes control even if another client holds it; otherwise the run refuses and the exit status\n" +
			"is 1. Separate several settings by commas. Settings: " + megakernel.SettingNames() + ".",
		Example: "vyretop ab workers=1 workers=2\nvyretop ab workers=2,lanes=8 workers=1,slice=1ms --target scan --count activations",
		Args:    arguments(2, 2, "A B"),
		RunE:    func(c *cobra.Command, args []string) error { return f.run(c.Context(), a, args) },
	}
	s := c.Flags()
	f.liveFlags.register(s)
	s.IntVar(&f.pairs, "pairs", 15, "number of window pairs")
	s.DurationVar(&f.window, "window", 500*time.Millisecond, "minimum length of a window")
	s.StringVar(&f.count, "count", countWork, "what to count: "+countWork+" or a counter ("+strings.Join(megakernel.CounterNames[:], ", ")+")")
	s.BoolVar(&f.control, "control", false, "take control even if another client holds it")
	s.BoolVar(&f.json, "json", false, "print one JSON document")
	return c
}

// check reads the arguments and finds flags that cannot be.
func (f *abFlags) check(args []string) (candidates [2]tune.Candidate, counter *int, err error) {
	if i := slices.Index(megakernel.CounterNames[:], f.count); i >= 0 {
		counter = &i
	}
	switch {
	case counter == nil && f.count != countWork:
		return candidates, nil, usage(fmt.Sprintf("unknown --count %q", f.count), fault.Suggest(f.count, append([]string{countWork}, megakernel.CounterNames[:]...), "use "+countWork+", or one of "+strings.Join(megakernel.CounterNames[:], ", ")))
	case f.pairs < tune.MinPairs:
		return candidates, nil, usage(fmt.Sprintf("--pairs %d is too few for an interval", f.pairs), fmt.Sprintf("use at least %d pairs", tune.MinPairs))
	case f.window < time.Millisecond:
		return candidates, nil, usage(fmt.Sprintf("--window %v is too short to measure", f.window), "use at least 1ms")
	}
	for i, text := range args {
		for word := range strings.SplitSeq(text, ",") {
			s, err := megakernel.ParseSetting(word)
			if err != nil {
				return candidates, nil, err
			}
			candidates[i] = append(candidates[i], s)
		}
	}
	return candidates, counter, nil
}

// run connects to the run, compares, and puts the settings back.
func (f *abFlags) run(ctx context.Context, a *app, args []string) (err error) {
	candidates, counter, err := f.check(args)
	if err != nil {
		return err
	}
	dir := remote.Dir(a.env)
	name, err := remote.Resolve(ctx, dir, f.target, f.wait)
	if err != nil {
		return err
	}
	client, err := remote.Dial(ctx, name, remote.DialOptions{Dir: dir, Client: "vyretop ab", Control: wish(false, f.control, remote.ControlAuto)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	if _, err := client.First(ctx); err != nil {
		return err
	}
	back := settingsOf(client.Settings(), candidates)
	c, err := tune.Compare(ctx, &tune.Counted{Target: client, Counter: counter}, candidates[0], candidates[1], f.pairs, f.window)
	if !tune.Gone(err) && !errors.Is(err, remote.ErrReadOnly) && client.Err() == nil {
		restore, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_, restored := client.Apply(restore, back...)
		err = errors.Join(err, restored)
	}
	if err != nil {
		return err
	}
	if f.json {
		err = writeJSON(a.stdout, tune.NewDocument(name, f.count, c))
	} else {
		err = tune.WriteText(a.stdout, tune.NewDocument(name, f.count, c))
	}
	return errors.Join(err, c.Err(), c.Vague())
}

// settingsOf lists the current settings of the candidates.
func settingsOf(now megakernel.Settings, candidates [2]tune.Candidate) (list []megakernel.Setting) {
	for _, c := range candidates {
		for _, s := range c {
			s.Value = now.Get(s.ID, s.Index)
			list = append(list, s)
		}
	}
	return list
}
