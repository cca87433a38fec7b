package cost

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/live"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
)

// What BenchmarkFleet measures.
var (
	members = flag.Int("targets", 1000, "targets of a fleet")
	changes = flag.Int("changes", 40, "changes of one of them that are awaited on the screen")
)

// member is a target of a fleet, of which nothing but the counts of its work changes.
type member struct {
	live.Session // nothing steers it
	snap         megakernel.Snapshot
	begun        time.Time
}

// Snapshot implements live.Session.
func (m *member) Snapshot() *megakernel.Snapshot {
	s := m.snap
	s.Seq++
	s.Taken = time.Since(m.begun)
	s.Counters[megakernel.CountDone] += 100
	m.snap = s
	return &s
}

// TakeLog implements live.Session.
func (*member) TakeLog(int) megakernel.LogBlocks { return nil }

// Settings implements live.Session.
func (*member) Settings() megakernel.Settings { return megakernel.Settings{} }

// join announces a target at a hub, as a run does.
func join(b *testing.B, hub, host string, s live.Session, interval time.Duration) {
	b.Helper()
	target := megakernel.Target{Workload: "scan", Backend: "none", Renderer: "a stand-in", MaxWorkers: workers, Slots: 8, Protocol: 1, Started: time.Now()}
	l := live.New(s, target, live.Options{Interval: interval})
	ctx, cancel := context.WithCancel(context.Background())
	b.Cleanup(cancel)
	go l.Run(ctx)
	<-l.Updates()
	server := remote.Serve(l, fixtures.Header{Target: target}, remote.Options{})
	connection, err := fleet.Connect(fleet.Address{URL: hub}, false)
	if err != nil {
		b.Fatal(err)
	}
	what := targets.Describe(&target, func(renderer string) string { return renderer })
	what.Host = host
	p, err := fleet.Publish(connection, server, what)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = server.Close(); p.Close() })
}

// BenchmarkFleet is what a screen of 1,000 targets at a state a second uses on a terminal, and how long it takes from a change in one of
// them, a run with 4,096 slots that is read as often as any run, to the screen.
func BenchmarkFleet(b *testing.B) {
	hub, err := broker.Start(broker.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(hub.Close)
	watched := newStandIn()
	join(b, hub.URL(), "node", watched, 0)
	for i := range *members - 1 {
		m := &member{begun: time.Now(), snap: megakernel.Snapshot{Consistent: true, Phase: megakernel.PhaseResident, Workers: workers, Lanes: 8}}
		join(b, hub.URL(), fmt.Sprintf("node%04d", i), m, time.Second)
	}
	for b.Loop() {
		p := start(b, nil, vyretop(b), "fleet", "--hub", hub.URL())
		s := p.screen()
		s.until(fmt.Sprintf("%d live", *members))
		<-time.After(warm)
		s.frames()
		u := during(steady, p)
		b.ReportMetric(u[0].percent, "%core")
		b.ReportMetric(u[0].bytes, "B/s")
		b.ReportMetric(float64(s.frames())/steady.Seconds(), "fps")
		var times []time.Duration
		for i := range *changes {
			<-time.After(time.Duration(rand.Int64N(int64(time.Second)))) // anywhere between two states
			phase := [...]megakernel.Phase{megakernel.PhaseParked, megakernel.PhaseResident}[i%2]
			from := time.Now()
			watched.become(phase)
			times = append(times, s.untilLine("scan@node ", phase.String()).Sub(from))
		}
		slices.Sort(times)
		b.ReportMetric(times[len(times)/2].Seconds(), "s-median")
		b.ReportMetric(times[len(times)-1].Seconds(), "s-most")
		b.ReportMetric(p.resident("VmHWM"), "MB")
		p.stop()
	}
}

// frameGap is the least time between two frames.
const frameGap = 30 * time.Millisecond

// frames takes in what was written so far, and counts the frames.
func (s *screen) frames() (n int) {
	var last time.Time
	for {
		select {
		case x := <-s.p.read:
			_, _ = s.term.Write(x.text)
			if x.at.Sub(last) > frameGap {
				n++
			}
			last = x.at
		default:
			return n
		}
	}
}

// untilLine waits until a line that begins with a text has another one in it, and says when it came to be.
func (s *screen) untilLine(prefix, text string) time.Time {
	s.p.tb.Helper()
	for end := time.After(patience); ; {
		select {
		case x := <-s.p.read:
			_, _ = s.term.Write(x.text)
			for line := range strings.Lines(s.term.String()) {
				if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " ▸"), prefix); ok && strings.Contains(rest, text) {
					return x.at
				}
			}
		case <-end:
			s.p.tb.Fatalf("no %q behind %q within %v on\n%s", text, prefix, patience, s.term.String())
		}
	}
}
