package cost

import (
	"bytes"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
)

// What BenchmarkPublishing and BenchmarkRecording compare.
var (
	pairs   = flag.Int("pairs", 20, "pairs of runs that are compared")
	program = flag.String("program", "", "vyretop that runs (default: one without OpenGL, which is built)")
	work    = flag.String("workload", "collatz --count 100000", "workload that it runs, with its flags")
)

// BenchmarkPublishing is the processor time of a run at a hub with a screen that asks for a state a second, as a ratio of that of the
// same run without a hub.
func BenchmarkPublishing(b *testing.B) {
	hub, err := broker.Start(broker.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(hub.Close)
	w, err := fleet.WatchAll(fleet.Address{URL: hub.URL()}, time.Second)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(w.Close)
	compare(b, func() []string { return []string{"--hub", hub.URL()} })
}

// BenchmarkRecording is the processor time of a run with --record as a ratio of that of the same run without.
func BenchmarkRecording(b *testing.B) {
	compare(b, func() []string { return []string{"--record", filepath.Join(b.TempDir(), "run.mcap")} })
}

// compare reports the ratio of the processor times of runs with flags and without. The two of a pair run at the same time, so that both
// meet the same machine. The ratio is the geometric mean of the pairs, with the bounds of its 95 % interval.
func compare(b *testing.B, flags func() []string) {
	if *program == "" {
		*program = vyretop(b)
	}
	for b.Loop() {
		var ratios []float64
		var with, without time.Duration
		for i := range *pairs {
			runs := [2]*measured{}
			for k := range runs { // the first one of a pair changes
				if (i+k)%2 == 0 {
					runs[0] = startMeasured(b, flags()...)
				} else {
					runs[1] = startMeasured(b)
				}
			}
			x, y := runs[0].wait(b), runs[1].wait(b)
			ratios, with, without = append(ratios, math.Log(x.Seconds()/y.Seconds())), with+x, without+y
		}
		mean, bound := interval(ratios)
		n := time.Duration(*pairs)
		b.ReportMetric((with / n).Seconds(), "s-with")
		b.ReportMetric((without / n).Seconds(), "s-without")
		b.ReportMetric(math.Exp(mean), "times")
		b.ReportMetric(math.Exp(mean-bound), "times-least")
		b.ReportMetric(math.Exp(mean+bound), "times-most")
	}
}

// interval is the mean of values and how far from it the bounds of its 95 % interval are.
func interval(values []float64) (mean, bound float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, 1.96 * math.Sqrt(squares/max(n-1, 1)/n)
}

// measured is a run whose processor time is measured.
type measured struct {
	cmd *exec.Cmd
	out bytes.Buffer
}

func startMeasured(b *testing.B, flags ...string) *measured {
	b.Helper()
	home := b.TempDir()
	m := &measured{cmd: exec.Command(*program, append(append([]string{"run"}, strings.Fields(*work)...), append(flags, "--headless", "--no-tuned")...)...)}
	m.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_RUNTIME_DIR=" + home}
	m.cmd.Stdout, m.cmd.Stderr = &m.out, &m.out
	if err := m.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	return m
}

// wait waits for the end of the run and returns its processor time.
func (m *measured) wait(b *testing.B) time.Duration {
	b.Helper()
	if err := m.cmd.Wait(); err != nil {
		b.Fatalf("%v\n%s", err, &m.out)
	}
	return m.cmd.ProcessState.UserTime() + m.cmd.ProcessState.SystemTime()
}
