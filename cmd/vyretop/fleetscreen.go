package main

import (
	"context"
	"errors"

	"vyretop/fixtures"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
	"vyretop/tui"
	"vyretop/tui/config"
	"vyretop/tui/theme"

	many "vyretop/tui/fleet"
)

// screen shows the runs until the user leaves, and between that the dashboards of those that are opened.
func (f *fleetFlags) screen(ctx context.Context, a *app, w *fleet.Watcher) error {
	o, err := f.screenOptions(a, w)
	if err != nil {
		return err
	}
	for {
		opened, place, err := many.Run(ctx, o)
		if err != nil || opened == nil {
			return err
		}
		o.Place = place
		if err := f.open(ctx, a, opened); err != nil && ctx.Err() == nil {
			o.Message = err.Error() // the run may have ended in the meantime
		} else {
			o.Message = ""
		}
	}
}

func (f *fleetFlags) screenOptions(a *app, w *fleet.Watcher) (o many.Options, err error) {
	looks, err := config.Looks(config.ThemeDir(a.env), f.theme)
	if err != nil {
		return o, err
	}
	th, err := theme.Detect(a.env, f.color)
	if err != nil {
		return o, err
	}
	th.Apply(looks)
	if f.ascii {
		th.UseASCII()
	}
	o = many.Options{
		Source: w, Hub: f.hub.shown(), Filter: f.filter, Sort: f.sort, Alerts: a.config.Alerts, Keys: a.config.Keys, Look: th, FPS: f.fps, NoMouse: f.noMouse,
		Version: version, Input: a.stdin, Output: drawing(a.stdout), Environ: a.env,
	}
	if !f.readOnly {
		o.Command = f.commander().Each
	}
	return o, nil
}

// open shows the dashboard of a run as if it ran here.
func (f *fleetFlags) open(ctx context.Context, a *app, t *targets.Target) (err error) {
	client, err := remote.Dial(ctx, t.Title(), remote.DialOptions{
		Client: "vyretop fleet", Control: wish(f.readOnly, f.control, remote.ControlAuto), Reconnect: true, Still: stillInterval,
		Connect: fleet.Connector(f.hub.address("vyretop fleet"), t, rights(f.readOnly)),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	return f.dashboard(ctx, a, tui.Options{
		Source: client, Sink: client, ReadOnly: !client.Control(), Title: t.Title(), Subject: f.hub.shown() + "/" + t.Title(), Save: fixtures.MomentSaver(a.env, client.Header()),
	})
}
