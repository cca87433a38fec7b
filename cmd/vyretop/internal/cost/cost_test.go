package cost

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"vyretop/megakernel/remote"
	"vyretop/tui"
)

// report gives percentiles of times in milliseconds.
func report(b *testing.B, times []time.Duration, what string) {
	slices.Sort(times)
	at := func(percent int) float64 { return times[min(len(times)*percent/100, len(times)-1)].Seconds() * 1000 }
	b.ReportMetric(at(0), "ms/"+what+"-least")
	b.ReportMetric(at(50), "ms/"+what+"-p50")
	b.ReportMetric(at(99), "ms/"+what+"-p99")
}

// BenchmarkFirstFrame is the time from the start of the process to the first byte of the first frame: of the
// recording that is part of the program, and of the least program that shows a frame, for comparison.
func BenchmarkFirstFrame(b *testing.B) {
	const starts = 40
	frame := filepath.Join(b.TempDir(), "frame")
	if err := os.WriteFile(frame, []byte("1 over"), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, program := range []struct {
		name string
		argv []string
	}{{"demo", []string{vyretop(b), "demo"}}, {"bare", []string{bare(b), frame, "0"}}} {
		b.Run(program.name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				for range starts {
					p := start(b, nil, program.argv[0], program.argv[1:]...)
					times = append(times, p.written("1 over").Sub(p.started))
					p.stop()
				}
			}
			report(b, times, "first")
		})
	}
}

// BenchmarkKeyToScreen is the time from a key to the bytes that show what it did, on a live target.
func BenchmarkKeyToScreen(b *testing.B) {
	const presses = 150
	env, _ := newStandIn().serve(b)
	p := start(b, env, vyretop(b), "attach")
	s := p.screen()
	s.until("q quit")
	var times []time.Duration
	for b.Loop() {
		for range presses {
			at := p.press("5")
			times = append(times, s.until("Debug log").Sub(at))
			at = p.press("0")
			times = append(times, s.until("Events").Sub(at))
		}
	}
	report(b, times, "key")
}

// steady is how long a share of the processor is measured, after warm.
const (
	steady = 20 * time.Second
	warm   = 3 * time.Second
)

// BenchmarkProcessor is the share of a core that a dashboard of a live target uses at 15 frames a second, in
// percent, and that of the least program that shows the same frames as often, at the same time; then the share
// of the dashboard while nothing changes but the clock.
func BenchmarkProcessor(b *testing.B) {
	for b.Loop() {
		target := newStandIn()
		env, dir := target.serve(b)
		frames := record(b, dir, env, 10*tui.DefaultFPS)
		p, least := start(b, env, vyretop(b), "attach"), start(b, nil, bare(b), frames, strconv.Itoa(tui.DefaultFPS))
		<-time.After(warm)
		u := during(steady, p, least)
		b.ReportMetric(u[0].percent, "%core-live")
		b.ReportMetric(u[1].percent, "%core-bare")
		b.ReportMetric(u[0].percent/u[1].percent, "times-bare")
		b.ReportMetric(u[0].bytes, "B/s-live")
		b.ReportMetric(u[1].bytes, "B/s-bare")
		least.stop()

		target.rest()
		<-time.After(warm)
		u = during(steady, p)
		b.ReportMetric(u[0].percent, "%core-parked")
		b.ReportMetric(u[0].bytes, "B/s-parked")
		p.stop()
	}
}

// BenchmarkProcessorHeld is the share of a core of a recording that is held, in percent, and the bytes that it
// writes.
func BenchmarkProcessorHeld(b *testing.B) {
	for b.Loop() {
		p := start(b, nil, vyretop(b), "demo")
		s := p.screen()
		s.until("overview")
		p.press(" ")
		s.until("held")
		<-time.After(warm)
		u := during(steady, p)
		b.ReportMetric(u[0].percent, "%core-held")
		b.ReportMetric(u[0].bytes, "B/s-held")
		p.stop()
	}
}

// record writes frames of the dashboard as it shows a target to a file for the bare program.
func record(b *testing.B, dir string, env []string, frames int) string {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := remote.Dial(ctx, "stand-in", remote.DialOptions{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	if _, err := c.First(ctx); err != nil {
		b.Fatal(err)
	}
	x, err := tui.NewHeadless(ctx, tui.Options{Source: c, Environ: append(env, "TERM=xterm-256color", "LANG=C.UTF-8")}, width, height)
	if err != nil {
		b.Fatal(err)
	}
	var all bytes.Buffer
	tick := time.NewTicker(time.Second / tui.DefaultFPS)
	defer tick.Stop()
	for i := range frames {
		if i > 0 {
			all.WriteByte(0)
		}
		<-tick.C
		x.Refresh(time.Second / tui.DefaultFPS)
		all.WriteString(x.Frame())
	}
	file := filepath.Join(b.TempDir(), "frames")
	if err := os.WriteFile(file, all.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	return file
}

// BenchmarkResident is the memory of a dashboard of a target at rest, of one of the recording that is part of the
// program, and of the least program that shows a frame, in MB of 10^6 bytes: in all, the pages of the program's
// own file, which all who run it share, and what it has written. Program and data are nearly all there is.
func BenchmarkResident(b *testing.B) {
	const settled = 8 * time.Second
	frame := filepath.Join(b.TempDir(), "frame")
	if err := os.WriteFile(frame, []byte("overview"), 0o600); err != nil {
		b.Fatal(err)
	}
	target := newStandIn()
	target.rest()
	env, _ := target.serve(b)
	for _, size := range []struct{ w, h uint16 }{{80, 24}, {width, height}} {
		for _, program := range []struct {
			name string
			argv []string
		}{{"attach", []string{vyretop(b), "attach"}}, {"demo", []string{vyretop(b), "demo"}}, {"bare", []string{bare(b), frame, "0"}}} {
			b.Run(fmt.Sprintf("%s-%dx%d", program.name, size.w, size.h), func(b *testing.B) {
				for b.Loop() {
					p := startOn(b, size.w, size.h, env, program.argv[0], program.argv[1:]...)
					p.written("overview")
					<-time.After(settled)
					b.ReportMetric(p.resident("VmRSS"), "MB-resident")
					b.ReportMetric(p.resident("RssFile"), "MB-program")
					b.ReportMetric(p.resident("RssAnon"), "MB-data")
					p.stop()
				}
			})
		}
	}
}
