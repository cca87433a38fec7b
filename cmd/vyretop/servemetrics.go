package main

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/inspect/openmetrics"
	"vyretop/megakernel/live"
	"vyretop/megakernel/run"
)

// metricsAddress is where metrics are served unless another address is given.
const metricsAddress = "127.0.0.1:9464"

// newServeMetrics makes the command that serves the metrics of a target to Prometheus.
func newServeMetrics(a *app, _ []string) *cobra.Command {
	f, listen := &lookFlags{}, ""
	c := &cobra.Command{
		Use: "serve-metrics [TARGET]", Short: "Serve the metrics of a run to Prometheus and other OpenMetrics readers",
		Long: "serve-metrics answers GET /metrics with the metrics of a live run as OpenMetrics text, until the run ends or Ctrl-C. Each answer is of the newest snapshot. " +
			"For a recording, it is the snapshot at the position. It listens on this machine only, unless --listen names another address; there is no authentication." + lookUsage,
		Example: "vyretop serve-metrics scan\nvyretop serve-metrics scan --listen 127.0.0.1:9465 --wait 1m",
		Args:    arguments(0, 1, "TARGET"),
	}
	f.registerTarget(c.Flags())
	c.Flags().StringVar(&listen, "listen", metricsAddress, "address and port; port 0 takes a free one")
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		f.atGiven = c.Flags().Changed("at")
		s, err := a.openSubject(c.Context(), append(args, "")[0], f, true)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.Close()) }()
		l, err := listenForMetrics(a, listen)
		if err != nil {
			return err
		}
		return openmetrics.Serve(c.Context(), l, s)
	}
	return c
}

// listenForMetrics listens, and says where.
func listenForMetrics(a *app, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, &fault.Error{Kind: errUsage, Op: "listen on", Subject: address, Cause: err, Fix: "give a free address of this machine, such as 127.0.0.1:0"}
	}
	fmt.Fprintf(a.stderr, "vyretop: metrics at http://%s/metrics\n", l.Addr())
	return l, nil
}

// serveOwn serves the metrics of a run of this process until the function that it returns is called.
func serveOwn(ctx context.Context, a *app, address string, r *run.Run) (end func() error, err error) {
	if address == "" {
		return func() error { return nil }, nil
	}
	l, err := listenForMetrics(a, address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- openmetrics.Serve(ctx, l, ownSubject{Hub: r.Hub(), run: r}) }()
	return func() error { cancel(); return <-served }, nil
}

// ownSubject is a run of this process as what metrics are of.
type ownSubject struct {
	*live.Hub
	run *run.Run
}

// Header implements openmetrics.Subject.
func (o ownSubject) Header() fixtures.Header { return o.run.Header() }

// Kind implements openmetrics.Subject.
func (ownSubject) Kind() inspect.Kind { return inspect.Live }

// Now implements openmetrics.Subject.
func (o ownSubject) Now(context.Context) (*megakernel.Snapshot, error) {
	s := o.Hub.Snapshot()
	if s == nil {
		return nil, &fault.Error{Kind: inspect.ErrSubject, Detail: "no snapshot yet", Fix: "scrape again"}
	}
	return s, nil
}
