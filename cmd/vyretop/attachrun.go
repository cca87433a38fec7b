package main

import (
	"context"
	"errors"

	"vyretop/engine/debugger/attach"
	"vyretop/megakernel/livedebug"
	"vyretop/megakernel/remote"
)

// attachRun attaches the debugger to a live run. client names it to others that want control.
func attachRun(ctx context.Context, a *app, name string, bytes int, client string, control remote.Control) (attach.Run, error) {
	dir := remote.Dir(a.env)
	name, err := remote.Resolve(ctx, dir, name, 0)
	if err != nil {
		return nil, err
	}
	c, err := remote.Dial(ctx, name, remote.DialOptions{Dir: dir, Client: client, Control: control, NoLog: true})
	if err != nil {
		return nil, err
	}
	_, err = c.First(ctx)
	var run *livedebug.Run
	if err == nil {
		run, err = livedebug.Open(liveTarget{c}, livedebug.Options{Name: name, Bytes: bytes, Closed: c.Close, Steers: c.Control()})
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return run, nil
}
