//go:build unix

package fleet_test

import (
	"context"
	"flag"
	"fmt"
	"syscall"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/live"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
)

// What TestSimulate simulates; it is skipped without -simulate.
var (
	simulate       = flag.Int("simulate", 0, "targets to simulate for a screen")
	simulateFor    = flag.Duration("simulate-for", time.Minute, "how long")
	simulateListen = flag.String("simulate-listen", "127.0.0.1:4299", "address of the hub")
)

// simulated is a target whose hub reads it every second.
func simulated(b testing.TB, a fleet.Address, h fixtures.Header, host string, slots int, interval time.Duration) (*live.Hub, *fleet.Publisher, *remote.Server) {
	hub := live.New(&session{slots: slots}, h.Target, live.Options{Interval: interval})
	ctx, cancel := context.WithCancel(context.Background())
	b.Cleanup(cancel)
	go hub.Run(ctx)
	<-hub.Updates()
	server := remote.Serve(hub, h, remote.Options{})
	connection, err := fleet.Connect(a, false)
	if err != nil {
		b.Fatal(err)
	}
	what := targets.Describe(&h.Target, func(string) string { return "fake device" })
	what.Host = host
	p, err := fleet.Publish(connection, server, what)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = server.Close(); p.Close() })
	return hub, p, server
}

// TestSimulate runs a hub with many targets that change once a second, for measuring a screen.
func TestSimulate(t *testing.T) {
	if *simulate == 0 {
		t.Skip("only with -simulate")
	}
	a := fleet.Address{URL: start(t, broker.Options{Listen: *simulateListen}).URL()}
	for i := range *simulate {
		simulated(t, a, header("scan"), fmt.Sprintf("node%03d", i), 8, time.Second)
	}
	t.Logf("%d targets at %s", *simulate, a.URL)
	<-time.After(*simulateFor)
}

// BenchmarkState is what one state of a target with 4,096 slots costs, from the snapshot to the socket; cpu-ns has what its hub, in the same
// process, and the connection use of processors, too.
func BenchmarkState(b *testing.B) {
	a := fleet.Address{URL: start(b, broker.Options{}).URL()}
	hub, p, _ := simulated(b, a, header("scan"), "node", 4096, time.Hour)
	if hub.Snapshot() == nil {
		b.Fatal("no snapshot")
	}
	before := processorTime(b)
	for b.Loop() {
		fleet.PublishNow(p)
	}
	b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
}

// processorTime is what this process has used of processors.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkStream is what an attached client takes of a target with 4,096 slots, of which a tenth change between two snapshots, in bytes on
// the wire for each snapshot. cpu-ns is the processor time of run, hub and client together, with the making of the snapshot.
func BenchmarkStream(b *testing.B) {
	a := fleet.Address{URL: start(b, broker.Options{}).URL()}
	h := header("scan")
	ticks := make(chan time.Time)
	hub := live.New(&session{slots: 4096}, h.Target, live.Options{Ticks: ticks})
	ctx, cancel := context.WithCancel(context.Background())
	b.Cleanup(cancel)
	go hub.Run(ctx)
	<-hub.Updates()
	server := remote.Serve(hub, h, remote.Options{})
	connection, err := fleet.Connect(a, false)
	if err != nil {
		b.Fatal(err)
	}
	what := targets.Describe(&h.Target, func(string) string { return "fake device" })
	what.Host = "node"
	p, err := fleet.Publish(connection, server, what)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = server.Close(); p.Close() })
	list := until(b, watch(b, a), "the target", func(l []*targets.Target) bool { return len(l) == 1 })
	c, err := dial(b, a, list[0], remote.DialOptions{}, remote.Look)
	if err != nil {
		b.Fatal(err)
	}
	before, used := connection.Stats().OutBytes, processorTime(b)
	for b.Loop() {
		ticks <- time.Time{}
		for seq := hub.Snapshot().Seq; c.Snapshot().Seq < seq; {
			<-c.Updates()
		}
	}
	b.ReportMetric(float64(connection.Stats().OutBytes-before)/float64(b.N), "wire-B/op")
	b.ReportMetric(float64(processorTime(b)-used)/float64(b.N), "cpu-ns/op")
}
