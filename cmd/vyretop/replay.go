package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"vyretop/engine/plainfile"
	"vyretop/fixtures"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/bisect"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/peer"
	"vyretop/megakernel/replay"
	"vyretop/tui"
)

func newReplay(a *app, _ []string) *cobra.Command {
	f, v, loop := &viewFlags{}, &verifyFlags{}, false
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Play a recording in the dashboard, print its summary, or execute it again",
		Long: "replay plays a recording in the dashboard: play, pause, step, seek. If stdout is not a terminal it prints a summary.\n" +
			"For a replay log of the published peer it prints the publications, oldest first.\n\n" +
			"With --verify nothing is played: the run is executed again on a backend of this machine, from the recorded kernel,\n" +
			"buffers, tasks and epochs, and what came of its tasks and buffers is compared with the recording. The exit status is 1\n" +
			"if anything differs. Settings, pauses and priorities may differ: they change the order of tasks only.",
		Example: "vyretop replay run.mcap\nvyretop replay run.mcap --verify --backend reference --seeds 20",
		Args:    arguments(1, 1, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if err := v.check(c.Flags()); err != nil {
				return err
			}
			file, err := fetched(c.Context(), a, args[0])
			if err != nil {
				return err
			}
			if v.verify {
				return verifyRecording(c.Context(), a, v, file)
			}
			rec, err := inspect.OpenRecording(file)
			if errors.Is(err, fixtures.ErrNotRecording) {
				return a.replayPeer(file, err)
			}
			if err != nil {
				return err
			}
			return a.play(c.Context(), f, file, rec, loop)
		},
	}
	f.register(c.Flags())
	v.register(c.Flags())
	c.Flags().BoolVar(&loop, "loop", false, "restart at the end")
	return c
}

// replayPeer prints a file other than a recording if it is a replay log of the published peer; otherwise
// it returns why it is not a recording.
func (a *app) replayPeer(path string, noRecording error) error {
	file, err := plainfile.Read(path, peer.MaxReplayBytes)
	if err != nil || !peer.IsReplayLog(file) {
		return noRecording
	}
	l, err := peer.OpenReplayLog(file)
	if err == nil {
		err = l.WriteText(a.stdout)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// opener opens recordings from within the dashboard, as replay does.
func (a *app) opener() tui.Opener {
	return func(path string) (*tui.Opened, error) {
		rec, err := inspect.OpenRecording(path)
		if err != nil {
			return nil, err
		}
		alerts, err := alert.New(a.config.Alerts)
		if err != nil {
			return nil, errors.Join(err, rec.Close())
		}
		var damage []string
		for _, d := range rec.Damage() {
			damage = append(damage, d.Error())
		}
		player := fixtures.NewPlayer(rec, nil)
		player.Play()
		return &tui.Opened{
			Source: playedSource(player, path, rec), Transport: player, Subject: path, Save: fixtures.MomentSaver(a.env, rec.Header()), Alerts: alerts,
			Warning: strings.Join(damage, "\n"), Close: player.Close,
		}, nil
	}
}

// playedSource is what the dashboard shows of a recording.
func playedSource(player *fixtures.Player, name string, rec *fixtures.Recording) tui.Source {
	if !replay.Possible(rec) {
		return player
	}
	played := replay.NewPlayed(player, name, rec)
	played.Handlers = bisect.HandlersOf
	return played
}

func newDemo(a *app, _ []string) *cobra.Command {
	f := &viewFlags{}
	c := &cobra.Command{
		Use:   "demo",
		Short: "Play the built-in recording; needs no GPU",
		Long: "demo plays a recorded run of about a minute in a loop: a breakpoint holds tasks, a task faults, a\n" +
			"priority starves and recovers, a worker is stepped. The footer comments on what happens; vyretop events demo lists it.\n" +
			"Other commands read it as the target demo, such as vyretop stall demo@1m.",
		Args: arguments(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			rec, err := fixtures.Embedded()
			if err != nil {
				return err
			}
			return a.play(c.Context(), f, c.Name(), rec, true)
		},
	}
	f.register(c.Flags())
	return c
}

// play shows the recording that commands call by a name, again and again if it loops, and closes it.
func (a *app) play(ctx context.Context, f *viewFlags, name string, rec *fixtures.Recording, loops bool) (err error) {
	a.warn(rec)
	if h := rec.Header(); !f.interactive(a) {
		frugal(&h.Target)
	}
	if f.linear {
		return errors.Join(a.tellRecording(ctx, rec), rec.Close())
	}
	if !f.interactive(a) {
		rec.Verify() // the summary is of the whole recording
		err := rec.WriteSummary(a.stdout)
		return errors.Join(err, rec.Close())
	}
	lean()
	player := fixtures.NewPlayer(rec, nil)
	defer func() { err = errors.Join(err, player.Close()) }()
	player.SetLoop(loops)
	player.Play()
	return f.dashboard(ctx, a, tui.Options{Source: playedSource(player, name, rec), Transport: player, Subject: name, Save: fixtures.MomentSaver(a.env, rec.Header())})
}
