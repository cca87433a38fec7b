package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/gl"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
)

// Config says what to run.
type Config struct {
	Backend engine.Backend // stays the caller's to close
	Version string         // of this program
	For     time.Duration  // the whole run's time, compilations not counted; 0: DefaultFor
	Only    []string       // names of the metrics to measure; empty: all
	Program *Program       // this program; nil: metrics of whole processes are left out
	// Progress, if not nil, is told before each turn of a metric how many are done.
	Progress func(done, total int, next string)
}

// DefaultFor is the time in which all metrics can be measured on a software device.
const DefaultFor = 60 * time.Second

// ErrMetric is matched by the error about a metric that does not exist.
const ErrMetric fault.Kind = "unknown metric"

// Names lists the metrics in the order in which they are measured.
func Names() []string {
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.name
	}
	return names
}

// Describe lists the metrics with a line on each, for a help text.
func Describe() string {
	var g grid
	for _, s := range specs {
		g.add("  "+s.name, s.what)
	}
	var b strings.Builder
	_ = g.write(&b) // a Builder does not fail
	return b.String()
}

// Check finds names of metrics that do not exist.
func Check(names []string) error {
	for _, n := range names {
		if !slices.Contains(Names(), n) {
			return &fault.Error{Kind: ErrMetric, Detail: fmt.Sprintf("unknown metric %q", n), Fix: "use some of " + strings.Join(Names(), ", ")}
		}
	}
	return nil
}

// Run measures. A metric that cannot be measured says so in the report; the error is about the run
// as a whole: ctx has ended, or the device was lost. With such an error the report has what was measured before it, or is nil.
func Run(ctx context.Context, c Config) (_ *Report, err error) {
	if err := Check(c.Only); err != nil {
		return nil, err
	}
	if c.For == 0 {
		c.For = DefaultFor
	}
	began := time.Now()
	r := newRun(c.Backend)
	r.processes.program = c.Program
	defer func() { err = errors.Join(err, r.processes.close()) }()
	report := r.header(c.Version)
	report.ForS, report.Only = c.For.Seconds(), c.Only
	if m, ok := c.Backend.(memoryMeasurer); ok && len(c.Only) == 0 {
		report.Memory = m.MeasureMemory(ctx)
	}
	chosen, err := choose(&c)
	if err != nil {
		return nil, err
	}
	report.Rounds = rounds(c.For)
	tallies := make([]tally, len(chosen))
	unit := float64(c.For) / float64(report.Rounds) / shares(chosen)
	for n := range report.Rounds * len(chosen) {
		i := n % len(chosen)
		if c.Progress != nil {
			c.Progress(n, report.Rounds*len(chosen), chosen[i].name)
		}
		if err := r.turn(ctx, chosen[i], time.Duration(unit*chosen[i].share), &tallies[i]); err != nil {
			report.Interrupted = true
			report.Rounds = n / len(chosen)
			if report.Rounds == 0 {
				chosen, tallies = chosen[:n], tallies[:n]
			}
			for i := range tallies {
				tallies[i].err = whole(tallies[i].err, err)
			}
			report.finish(chosen, tallies, began)
			return report, err
		}
	}
	report.finish(chosen, tallies, began)
	return report, nil
}

// whole is the error of a metric of a run that was interrupted by an error: its last turn was, not what it measured before.
func whole(of, interrupted error) error {
	if errors.Is(of, interrupted) {
		return nil
	}
	return of
}

// finish adds what was found.
func (r *Report) finish(chosen []spec, tallies []tally, began time.Time) {
	for i := range chosen {
		r.Metrics = append(r.Metrics, chosen[i].metric(&tallies[i]))
	}
	r.compare()
	r.limit()
	r.ElapsedMs = float64(time.Since(began).Milliseconds())
}

// A machine's speed changes while others use it, so what is compared must not be measured far apart:
// every metric has a turn in each round.
const (
	mostRounds = 4
	leastRound = 10 * time.Second
)

func rounds(whole time.Duration) int { return max(1, min(mostRounds, int(whole/leastRound))) }

// memoryMeasurer is what package gl offers.
type memoryMeasurer interface {
	MeasureMemory(ctx context.Context) []gl.Memory
}

// choose is what there is to measure. What cannot be measured here is left out, unless it was asked for.
func choose(c *Config) (out []spec, err error) {
	for _, s := range specs {
		asked := slices.Contains(c.Only, s.name)
		missing := s.missing(c)
		switch {
		case asked && missing != "":
			return nil, &fault.Error{Kind: ErrMetric, Subject: s.name, Detail: "it cannot be measured here: " + missing, Fix: "leave it out of --only"}
		case asked || len(c.Only) == 0 && missing == "":
			out = append(out, s)
		}
	}
	return out, nil
}

// missing is what a metric needs and is not there; "" when nothing is.
func (s *spec) missing(c *Config) string {
	switch {
	case s.needs&ownProgram != 0 && c.Program == nil:
		return "the file of this program is not known"
	case s.needs&ripgrepProgram != 0 && !hasRipgrep():
		return "ripgrep (" + ripgrep + ") is not installed"
	default:
		return ""
	}
}

func shares(list []spec) (sum float64) {
	for _, s := range list {
		sum += s.share
	}
	return sum
}

// turn gives a metric its share of a round. Only what ends the whole run is an error; a metric that
// failed has no more turns.
func (r *suite) turn(ctx context.Context, s spec, share time.Duration, t *tally) error {
	if t.err != nil {
		return nil
	}
	t.err = s.measure(r, ctx, share, t)
	if errors.Is(t.err, engine.ErrDeviceLost) {
		return t.err
	}
	return ctx.Err()
}

// header describes the device and the machine.
func (r *suite) header(version string) *Report {
	p := r.backend.Profile()
	id := p.Identity
	report := &Report{
		Schema: Schema, Version: version,
		Backend: id.Name, Device: id.Device, Renderer: id.Renderer, Driver: id.Driver,
		Placement: p.BufferPlacement, Workers: r.shape.workers, WorkgroupSize: r.shape.lanes,
		CPUs: runtime.NumCPU(), Software: p.SoftwareDevice.Or(true), Load: loadAverage(),
	}
	wanted := 1.0 // the goroutine that measures
	if report.Software {
		wanted += float64(min(r.shape.workers, int(p.HostThreads.Or(1))))
	}
	report.Oversubscribed = wanted+report.Load.Or(0) > float64(report.CPUs)
	return report
}

// loadAverage reads the one-minute average where the system tells it.
func loadAverage() engine.Optional[float64] {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return engine.Optional[float64]{}
	}
	first, _, _ := strings.Cut(string(text), " ")
	v, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return engine.Optional[float64]{}
	}
	return engine.Known(v)
}

// newRun works out the shape that suits the device.
func newRun(b engine.Backend) *suite {
	p := b.Profile()
	return &suite{
		backend: b, assembled: map[form]*kernel.Kernel{},
		shape:     shape{resident.DefaultWorkers(p), resident.DefaultWorkgroupSize(p)},
		processes: processes{scale: scaleOf(p)},
	}
}
