package bench

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"vyretop/engine"
)

// scale is how much work the rates of workloads are measured with: what takes a software device, or a GPU, about a second.
type scale struct {
	texts, textSize     int // of scan and grep: files, and bytes in each
	bfs, render, infers []string
}

var (
	softwareScale = scale{
		texts: 64, textSize: 1 << 20,
		bfs: strings.Fields("--generate kronecker:17"), render: nil, infers: nil,
	}
	gpuScale = scale{
		texts: 256, textSize: 4 << 20,
		bfs: strings.Fields("--generate kronecker:20 --searches 64"), render: strings.Fields("--width 1920 --height 1080 --samples 64"),
		infers: strings.Fields("--sequences 64 --batch 4 --tokens 200"),
	}
)

func scaleOf(p engine.DeviceProfile) *scale {
	if p.SoftwareDevice.Or(true) {
		return &softwareScale
	}
	return &gpuScale
}

// patterns are what scan looks for.
const patterns = "TODO\nFIXME\nundefined\nsegmentation fault\n"

// data is the folder of the texts and the patterns, made when it is first needed.
func (x *processes) data() (string, error) {
	if x.folder != "" {
		return x.folder, nil
	}
	dir, err := os.MkdirTemp("", "vyretop-bench-")
	if err != nil {
		return "", err
	}
	x.folder = dir
	s := x.scale
	return dir, errors.Join(writeTexts(filepath.Join(dir, "texts"), s.texts, s.textSize), os.WriteFile(filepath.Join(dir, "patterns"), []byte(patterns), 0o600))
}

// command is the run of a workload whose rate is measured.
func (x *processes) command(name string) ([]string, error) {
	s := x.scale
	switch name {
	case "bfs":
		return append([]string{name}, s.bfs...), nil
	case "render":
		return append([]string{name}, s.render...), nil
	case "infer":
		return append([]string{name}, s.infers...), nil
	}
	dir, err := x.data()
	args := []string{name, "--path", filepath.Join(dir, "texts")}
	if name == "scan" {
		args = append(args, "--patterns", filepath.Join(dir, "patterns"))
	}
	return args, err
}

// rateOf runs a workload until its share is over, and once at least.
func rateOf(name string) func(*processes, context.Context, time.Duration, *tally) error {
	return func(x *processes, ctx context.Context, share time.Duration, t *tally) error {
		args, err := x.command(name)
		if err != nil {
			return err
		}
		for began := time.Now(); ; {
			got, err := x.program.run(ctx, nil, args...)
			if err != nil {
				return err
			}
			perS := got.Result.TraversedEdgesPerS
			if name != "bfs" && got.Rate != nil {
				perS = got.Rate.PerS
			}
			t.shape = shape{got.Workers, got.WorkgroupSize}
			took := time.Duration(got.ElapsedMs * float64(time.Millisecond))
			t.parts = append(t.parts, part{n: uint64(perS * took.Seconds()), took: took})
			if time.Since(began) >= share {
				return nil
			}
		}
	}
}

// ripgrep is the program that scan and grep are compared with, where it is installed.
const ripgrep = "rg"

// ripgrepRate has ripgrep search the same texts for the same, with all processors.
func ripgrepRate(flags ...string) func(*processes, context.Context, time.Duration, *tally) error {
	return func(x *processes, ctx context.Context, share time.Duration, t *tally) error {
		dir, err := x.data()
		if err != nil {
			return err
		}
		s := x.scale
		for lasts := lasting(ctx, share); lasts.on(uint64(len(t.parts))); {
			began := time.Now()
			c := exec.CommandContext(ctx, ripgrep, append(flags, "--no-config", "--count-matches", "texts")...)
			c.Dir = dir
			if err := c.Run(); err != nil {
				return err
			}
			t.parts = append(t.parts, part{n: uint64(s.texts * s.textSize), took: time.Since(began)})
		}
		return nil
	}
}

// hasRipgrep reports whether there is something to compare with.
func hasRipgrep() bool {
	_, err := exec.LookPath(ripgrep)
	return err == nil
}

// close removes what was written.
func (x *processes) close() error {
	if x.folder == "" {
		return nil
	}
	return os.RemoveAll(x.folder)
}
