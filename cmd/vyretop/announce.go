package main

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/run"
	"vyretop/megakernel/targets"
)

// listen lets other processes watch the run, under a name, and users of the hub. One that cannot be reached runs all the same.
func (f *runFlags) listen(a *app, r *run.Run) (server *remote.Server, stop func(), err error) {
	o := remote.Options{Dir: remote.Dir(a.env), AllowControl: f.allowControl, NoControl: f.noControl, Steered: f.interactive(a) && !f.readOnly}
	audit := &lateAudit{}
	if f.hub.url != "" {
		o.Audit = audit.tell
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

// lateAudit passes on what is audited once the run is announced.
type lateAudit struct {
	to atomic.Pointer[fleet.Publisher]
}

func (l *lateAudit) tell(x remote.Audited) {
	if p := l.to.Load(); p != nil {
		p.Audit(x)
	}
}

// announce makes a run reachable at the hub of --hub. A hub that cannot be reached is tried again for as long as the run lasts, and does
// not hold it up.
func (f *runFlags) announce(a *app, r *run.Run, server *remote.Server, audit *lateAudit) (stop func(), err error) {
	if f.hub.url == "" {
		return func() {}, nil
	}
	address := f.hub.address("vyretop run " + r.Header().Target.Workload)
	address.Told = f.tellHub(a, r)
	h, err := fleet.Connect(address, true)
	if err != nil {
		return nil, err
	}
	t := r.Header().Target
	what := targets.Describe(&t, deviceNameOf(t.Renderer))
	what.Host, what.Program = hostName(), version
	p, err := fleet.Publish(h, server, what)
	if err != nil {
		return nil, err
	}
	audit.to.Store(p)
	return sync.OnceFunc(p.Close), nil
}

// tellHub tells of the connection to the hub: as an event, and without a dashboard on stderr.
func (f *runFlags) tellHub(a *app, r *run.Run) func(error) {
	var mu sync.Mutex
	last := ""
	return func(err error) {
		text := "connected to the hub"
		if err != nil {
			text = "the hub is not reached: " + err.Error()
		}
		mu.Lock()
		defer mu.Unlock()
		if text == last {
			return // each try says the same
		}
		first := last == ""
		last = text
		r.Hub().Event("hub", text)
		if !f.interactive(a) && !(first && err == nil) {
			a.warnText(text)
		}
	}
}
