package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"time"

	"github.com/spf13/pflag"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/work"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
)

// queueFlags are the flags of a run that takes its work from a queue.
type queueFlags struct {
	name  string
	lease time.Duration
	queue *work.Queue // once it is open
}

func (f *queueFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.name, "queue", "", "take work from this queue at the hub, shared with other runs; see vyretop submit")
	s.DurationVar(&f.lease, "lease", work.DefaultLease, "how long a run that does not answer keeps a task of --queue")
}

// open finds the queue, if there is one, and checks that it is for the workload.
func (f *queueFlags) open(ctx context.Context, hub *hubFlags, d workload.Definition) (leave func(), err error) {
	if f.name == "" {
		return func() {}, nil
	}
	if err := work.CheckName(f.name); err != nil {
		return nil, err
	}
	h, err := hub.connect("vyretop run --queue " + f.name)
	if err != nil {
		return nil, err
	}
	if f.queue, err = work.Open(ctx, h, f.name); err == nil && f.queue.Job.Workload != d.Name() {
		err = usage(fmt.Sprintf("queue %s is work for %s, not for %s", f.name, f.queue.Job.Workload, d.Name()), "write vyretop run "+f.queue.Job.Workload+" --queue "+f.name)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h.Close, nil
}

// connect connects to the hub, that of this machine where none is named.
func (f *hubFlags) connect(command string) (*fleet.Hub, error) {
	if f.url == "" {
		f.url = defaultHub
	}
	return fleet.Connect(f.address(command), false)
}

// values are those of the workload's flags: as they were submitted, but for those that are given here.
func (f *queueFlags) values(given map[string]string) map[string]string {
	if f.queue == nil {
		return given
	}
	values := map[string]string{}
	maps.Copy(values, f.queue.Job.Values)
	maps.Copy(values, given)
	return values
}

// join has a run take its work from the queue, if there is one, until the function that it returns is called.
func (f *queueFlags) join(a *app, c *run.Config) (leave func()) {
	if f.queue == nil {
		return func() {}
	}
	name := fmt.Sprintf("%s-%d", hostName(), os.Getpid())
	w := f.queue.NewWorker(name, f.lease, a.warnText)
	c.Queue = w
	return func() {
		w.Close()
		fmt.Fprintf(a.stderr, "vyretop: queue %s: %d of %d tasks were done by this run\n", f.name, w.Done(), f.queue.Job.Tasks)
	}
}
