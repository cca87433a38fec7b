package bench

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"vyretop/engine"
)

// starts are the times from the start of a process to the first task that was done, by workload.
type starts struct {
	cold, stored map[string]float64 // in milliseconds
	err          error
}

// started are the workloads whose starts are measured; the figure of the metric is that of the first.
var started = []string{"collatz", "scan", "bfs", "infer", "render"}

// ownCaches gives programs and drivers caches in a folder, which are empty at first. A stored program needs the driver's too: Mesa
// stores none without, and what NVIDIA's driver gives out is its assembly, not machine code.
func ownCaches(dir string) ([]string, error) {
	nvidia := dir + "/nvidia"
	return []string{
		"VYRETOP_PROGRAM_CACHE=" + dir + "/programs", "MESA_SHADER_CACHE_DIR=" + dir + "/mesa", "MESA_GLSL_CACHE_DIR=" + dir + "/mesa",
		"__GL_SHADER_DISK_CACHE=1", "__GL_SHADER_DISK_CACHE_PATH=" + nvidia,
	}, os.MkdirAll(nvidia, 0o700)
}

// measureStarts starts each workload with nothing stored, has what it compiles be stored to the end, and starts it again. It does so
// once.
func (x *processes) measureStarts(ctx context.Context) *starts {
	if x.starts != nil {
		return x.starts
	}
	x.starts = &starts{cold: map[string]float64{}, stored: map[string]float64{}}
	for _, name := range started {
		if err := x.measureStart(ctx, name); err != nil {
			x.starts.err = err
			break
		}
	}
	return x.starts
}

func (x *processes) measureStart(ctx context.Context, name string) error {
	return x.inOwnCaches(name, func(env, args []string) error {
		cold, err := x.program.run(ctx, env, args...)
		if err != nil {
			return err
		}
		if _, err := x.program.child(ctx, env, "warm", name); err != nil {
			return err
		}
		stored, err := x.program.run(ctx, env, args...)
		if err != nil {
			return err
		}
		x.starts.cold[name], x.starts.stored[name] = cold.FirstTaskMs, stored.FirstTaskMs
		return nil
	})
}

// inOwnCaches calls measure with an environment in which nothing is stored, and the command of a small run of a workload.
func (x *processes) inOwnCaches(name string, measure func(env, args []string) error) (err error) {
	dir, err := os.MkdirTemp("", "vyretop-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	env, err := ownCaches(dir)
	if err != nil {
		return err
	}
	args, err := x.small(name, dir)
	if err != nil {
		return err
	}
	return measure(env, args)
}

// small is the command of a run that has little to do.
func (x *processes) small(name, dir string) ([]string, error) {
	switch name {
	case "scan":
		in := dir + "/texts"
		return []string{name, "--path", in}, writeTexts(in, 1, 1<<16)
	case "render":
		return strings.Fields("render --width 64 --height 64 --samples 1"), nil
	case "infer":
		return strings.Fields("infer --tokens 4"), nil
	default:
		return []string{name}, nil
	}
}

func (x *processes) coldStart(ctx context.Context, _ time.Duration, t *tally) error {
	s := x.measureStarts(ctx)
	t.counts = s.cold
	return s.err
}

func (x *processes) startNow(ctx context.Context, _ time.Duration, t *tally) error {
	t.counts = map[string]float64{}
	for _, name := range started {
		if err := x.measureNow(ctx, name, t.counts); err != nil {
			return err
		}
	}
	return nil
}

// measureNow starts a workload with nothing stored, and without waiting for that. The interpreter itself has nothing to wait for.
func (x *processes) measureNow(ctx context.Context, name string, ms map[string]float64) error {
	if slices.Contains(x.program.Args, "reference") {
		return nil
	}
	return x.inOwnCaches(name, func(env, args []string) error {
		now, err := x.program.run(ctx, env, append(args, "--start", "now")...)
		if err == nil {
			ms[name] = now.FirstTaskMs
		}
		return err
	})
}

func (x *processes) storedStart(ctx context.Context, _ time.Duration, t *tally) error {
	s := x.measureStarts(ctx)
	t.counts = s.stored
	return s.err
}

// sumStart gives the time of the first workload, and those of the others.
func sumStart(t *tally) Metric {
	ms, ok := t.counts[started[0]]
	if !ok {
		return tooShort()
	}
	m := Metric{Value: engine.Known(round(ms)), N: int64(len(t.counts))}
	for _, name := range started[1:] {
		m.also(name+"_ms", t.counts[name])
	}
	return m
}
