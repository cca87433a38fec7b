package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/repl"
	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/replay"
)

// taskFlags choose a task to capture.
type taskFlags struct {
	task  string
	limit int // MiB of buffers

	activation int // of a recorded task, from 1; 0: the one at the position, or the last
	within     time.Duration
	look       lookFlags
}

func (f *taskFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.task, "task", "", "ID of the task whose next activation to debug")
	f.registerCapture(s)
}

func (f *taskFlags) registerCapture(s *pflag.FlagSet) {
	s.IntVar(&f.limit, "limit", capture.DefaultBytes>>20, "maximum MiB of buffers to capture")
	s.IntVar(&f.activation, "activation", 0, "recordings: number of the activation to execute again (default: the one at --at, else the last)")
	s.DurationVar(&f.within, "within", replay.DefaultWithin, "recordings: time limit for executing the run again; past it, the task opens with its recorded words and the buffers of the start")
	s.DurationVar(&f.look.wait, "wait", 0, "how long to wait for the run to start")
	positionVar(s, &f.look.at, "at", "position in the recording (default: end)")
}

// newCapture makes the command that keeps a task with what its next activation reads.
func newCapture(a *app, _ []string) *cobra.Command {
	f := &taskFlags{}
	var target string
	c := &cobra.Command{
		Use:   "capture TASK FILE",
		Short: "Capture a task with all that its next activation reads",
		Long: "Write a task, the buffers that its handler can read, and the kernel to a file, which vyretop debug opens anywhere, without a GPU. The run continues. " +
			"A held, paused or waiting task is captured as its next activation will find it. The output says how many words other tasks changed during the capture.",
		Example: "vyretop capture 17 task17.capture\nvyretop capture 17 task17.capture --target scan\nvyretop debug task17.capture",
		Args:    arguments(2, 2, "TASK FILE"),
	}
	s := c.Flags()
	s.StringVar(&target, "target", "", "live run or recording (default: the only live run)")
	f.registerCapture(s)
	c.RunE = func(c *cobra.Command, args []string) error {
		f.task, f.look.atGiven = args[0], c.Flags().Changed("at")
		return writeCapture(c.Context(), a, f, target, args[1])
	}
	return c
}

func writeCapture(ctx context.Context, a *app, f *taskFlags, target, file string) error {
	c, err := f.take(ctx, a, target, true)
	if err != nil {
		return err
	}
	if err := plainfile.Replace(file, plainfile.Private, c.Write); err != nil {
		return plainfile.Failure("write the capture", file, err, "choose a file that can be written")
	}
	fmt.Fprintf(a.stdout, "%s\n%s: %s. Open it with vyretop debug %s\n", c.About(), file, units.Plural(len(c.Buffers), "buffer"), file)
	return nil
}

// take captures a task of a target, or reads a capture.
func (f *taskFlags) take(ctx context.Context, a *app, name string, isTask bool) (c replay.Taken, err error) {
	if !isTask {
		c.Capture, err = capture.Open(name)
		return c, err
	}
	return f.takeTask(ctx, a, name)
}

func (f *taskFlags) takeTask(ctx context.Context, a *app, name string) (c replay.Taken, err error) {
	id, err := megakernel.ParseTaskName(f.task)
	if err != nil {
		return c, err
	}
	if f.activation < 0 {
		return c, usage(fmt.Sprintf("invalid --activation %d: must not be negative", f.activation), "give its number, from 1 on")
	}
	if f.within <= 0 {
		return c, usage(fmt.Sprintf("invalid --within %v: must be above 0", f.within), "give a duration such as 1m")
	}
	if f.limit < 1 || f.limit > capture.MaxBytes>>20 {
		return c, usage(fmt.Sprintf("invalid --limit %d: must be 1 to %d", f.limit, capture.MaxBytes>>20), "give the number of MiB")
	}
	s, err := a.openSubject(ctx, name, &f.look, true)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return replay.Take(ctx, s, name, replay.Wanted{Task: id, Number: f.activation, Bytes: f.limit << 20, Within: f.within}, f.look.atGiven)
}

// shapeGiven is the first flag of a compute shader that was given.
func shapeGiven(s *pflag.FlagSet) (name string) {
	for _, flag := range []string{"in", "size", "grid", "workgroup"} {
		if s.Changed(flag) {
			return "--" + flag
		}
	}
	return ""
}

// debugTask opens a capture at the first line of the task's handler.
func debugTask(ctx context.Context, c replay.Taken) (*debugged, error) {
	x, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	text := repl.NewSources(func(name string) string {
		text, _ := c.Text.File(name)
		return text
	})
	d := &debugged{Session: x.Session, text: text, about: c.About(), outcome: x.OutcomeText}
	d.earlier = func(place string, binding uint32, words []int) (string, map[string]any, error) {
		if c.History == nil {
			return "", nil, &fault.Error{Kind: debugger.ErrRequest, Detail: place + " was not written in this activation, and what earlier ones wrote is not known",
				Fix: "record the run with --record, and ask in vyretop debug RECORDING --task ID; or hold the task that writes it with vyretop do watch"}
		}
		return c.History.Earlier(ctx, place, binding, words)
	}
	return d, nil
}

// checkKernelName refuses a file that its name calls a recording or a capture, and that begins like neither: it is damaged, and no kernel.
func checkKernelName(name string) error {
	if _, err := os.Stat(name); err != nil || filepath.Ext(name) != ".mcap" || fixtures.IsRecording(name) || capture.IsCapture(name) {
		return nil
	}
	return usage(name+" begins neither like a recording nor like a capture", "record the run or capture the task again")
}
