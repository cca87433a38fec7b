package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"vyretop/engine/fault"
)

// Program is how this program is run again. Starts, and rates of workloads, are measured in processes of their own, as users
// have them: a driver keeps what it has compiled for as long as a process lives.
type Program struct {
	File string   // of the program
	Args []string // that choose the device of Config.Backend
	Env  []string
}

// ErrRun is matched by the error about a run of a workload that failed.
const ErrRun fault.Kind = "a run of a workload failed"

// ran is what is read of the document of a run.
type ran struct {
	Workers       int     `json:"workers"`
	WorkgroupSize int     `json:"workgroup_size"`
	FirstTaskMs   float64 `json:"first_task_ms"`
	ElapsedMs     float64 `json:"elapsed_ms"`
	Verified      *bool   `json:"verified"`
	Rate          *struct {
		PerS float64 `json:"per_s"`
	} `json:"rate"`
	Result struct {
		TraversedEdgesPerS float64 `json:"traversed_edges_per_s"` // of bfs
	} `json:"result"`
}

// processes measures what whole processes do.
type processes struct {
	program *Program // nil: what needs it is not measured
	scale   *scale
	starts  *starts // nil before they are measured
	folder  string  // of the texts; "" before they are written
}

// measuring is a measurement of processes.
func measuring(m func(*processes, context.Context, time.Duration, *tally) error) func(*suite, context.Context, time.Duration, *tally) error {
	return func(r *suite, ctx context.Context, share time.Duration, t *tally) error {
		return m(&r.processes, ctx, share, t)
	}
}

// childTime is how long a process may take. A driver may compile for a minute on a busy host.
const childTime = 10 * time.Minute

// child runs this program with a changed environment, and returns what it prints.
func (p *Program) child(ctx context.Context, env []string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, childTime)
	defer cancel()
	c := exec.CommandContext(ctx, p.File, slices.Concat(args, p.Args)...)
	c.Env = slices.Concat(p.Env, env)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // so that it leaves no socket behind
	c.WaitDelay = 10 * time.Second
	var told bytes.Buffer
	c.Stderr = &told
	out, err := c.Output()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(told.String()), "\n")
		return nil, &fault.Error{
			Kind: ErrRun, Subject: "vyretop " + strings.Join(c.Args[1:], " "), Cause: errors.Join(err, ctx.Err()),
			Detail: fmt.Sprintf("it ended with %q", lines[len(lines)-1]), Fix: "run it alone to see all that it says",
		}
	}
	return out, nil
}

// run runs a workload to its end.
func (p *Program) run(ctx context.Context, env []string, args ...string) (*ran, error) {
	out, err := p.child(ctx, env, append(append([]string{"run"}, args...), "--headless", "--json", "--no-control")...)
	if err != nil {
		return nil, err
	}
	var r ran
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, &fault.Error{Kind: ErrRun, Subject: strings.Join(args, " "), Detail: "its document cannot be read", Cause: err, Fix: "measure with the program that runs the workloads"}
	}
	if r.Verified == nil || !*r.Verified {
		return nil, &fault.Error{Kind: ErrRun, Subject: strings.Join(args, " "), Detail: "its result is not verified", Fix: "run vyretop run " + strings.Join(args, " ")}
	}
	return &r, nil
}
