package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/run"
	"vyretop/megakernel/targets"
)

// listen lets other processes watch the run, under a name, and users of the hub. One that cannot be reached runs all the same.
func (f *runFlags) listen(a *app, r *run.Run) (server *remote.Server, stop func(), err error) {
	o := remote.Options{Dir: remote.Dir(a.env), AllowControl: f.allowControl, NoControl: f.noControl, Steered: f.interactive(a) && !f.readOnly}
	audit := &fleet.LateAudit{}
	if f.hub.url != "" {
		o.Audit = audit.Audit
	}
	server, err = remote.Listen(r.Hub(), r.Header(), o)
	if err != nil {
		fmt.Fprintf(a.stderr, "vyretop: other terminals cannot attach: %v\n", err)
		if f.hub.url == "" {
			return nil, func() {}, nil
		}
		server = remote.Serve(r.Hub(), r.Header(), o)
	}
	leave, err := f.announce(a, r, server, audit)
	if err != nil {
		return nil, nil, errors.Join(err, server.Close())
	}
	return server, func() {
		_ = server.Close() // the socket is gone, or was never there
		leave()
	}, nil
}

// announce makes a run reachable at the hub of --hub.
func (f *runFlags) announce(a *app, r *run.Run, server *remote.Server, audit *fleet.LateAudit) (stop func(), err error) {
	if f.hub.url == "" {
		return func() {}, nil
	}
	t := r.Header().Target
	address := f.hub.address("vyretop run " + t.Workload)
	sending, cancel := context.WithCancel(context.Background())
	var sent sync.WaitGroup
	send := sync.OnceFunc(func() {
		sent.Go(func() { f.hub.sendPostponed(sending, a, r.Hub().Event) })
	})
	address.Told = fleet.TellChanges(func(text string, connected, first bool) {
		r.Hub().Event("hub", text)
		if connected {
			send()
		}
		if !f.interactive(a) && !(first && connected) {
			a.warnText(text)
		}
	})
	what := targets.Describe(&t, deviceNameOf)
	what.Host, what.Program = hostName(), version
	p, err := audit.Announce(address, server, what)
	if err != nil {
		cancel()
		return nil, err
	}
	return sync.OnceFunc(func() {
		p.Close() // behind that nothing is told
		limit := time.AfterFunc(uploadTime, cancel)
		sent.Wait()
		limit.Stop()
		cancel()
	}), nil
}
