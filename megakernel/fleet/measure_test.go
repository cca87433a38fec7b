//go:build unix

package fleet_test

import (
	"syscall"
	"testing"
	"time"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
)

// large is a run of 4,096 slots, of which a tenth change with every snapshot.
func large(b *testing.B, a fleet.Address) *target {
	b.Helper()
	x := announce(b, a, "scan", "node", remote.Options{})
	x.session.mu.Lock()
	x.session.slots = 4096
	x.session.mu.Unlock()
	x.tick()
	return x
}

// BenchmarkState is what one state of a target with 4,096 slots costs, from the snapshot to the socket; cpu-ns has what its hub, in the same
// process, and the connection use of processors, too.
func BenchmarkState(b *testing.B) {
	a := fleet.Address{URL: start(b, broker.Options{}).URL()}
	x := large(b, a)
	before := processorTime(b)
	for b.Loop() {
		fleet.PublishNow(x.it)
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
	x := large(b, a)
	list := until(b, watch(b, a), "the target", func(l []*targets.Target) bool { return len(l) == 1 })
	c, err := dial(b, a, list[0], remote.DialOptions{}, remote.Look)
	if err != nil {
		b.Fatal(err)
	}
	before, used := fleet.HubOf(x.it).Stats().OutBytes, processorTime(b)
	for b.Loop() {
		x.tick()
		for seq := x.hub.Snapshot().Seq; c.Snapshot().Seq < seq; {
			<-c.Updates()
		}
	}
	b.ReportMetric(float64(fleet.HubOf(x.it).Stats().OutBytes-before)/float64(b.N), "wire-B/op")
	b.ReportMetric(float64(processorTime(b)-used)/float64(b.N), "cpu-ns/op")
}
