package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/check"
	"vyretop/engine/debugger"
	"vyretop/engine/debugger/repl"
	"vyretop/engine/device"
	"vyretop/engine/dispatch"
	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/fixtures"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/remote"
	"vyretop/tui/theme"
)

func newDebug(a *app, _ []string) *cobra.Command {
	f := &dispatchFlags{}
	task := &taskFlags{}
	var script string
	var compare, control bool
	var onDetach string
	var on deviceFlags
	c := &cobra.Command{
		Use:   "debug FILE.comp|CAPTURE|TARGET",
		Short: "Debug a compute shader, or the activation of a task, by source line, forward and back",
		Long: "Step through a compute shader, or through the next activation of a task, on the reference interpreter, forward and back.\n\n" +
			"FILE.comp is a compute shader: give buffers, grid and workgroup size as for dispatch. CAPTURE is a file that vyretop capture wrote. " +
			"With --task, TARGET is a live run or a recording: the task is captured and opened at the first line of its handler, and the run continues. " +
			"Without --task, TARGET is a live run to attach to, or the folder of a workload to start with all workers paused; quit ends a run that debug started. In an attached run, break LINE and watch EXPR hold tasks inside their handlers, continue waits for the next held task and opens it at the line, and quit removes the breakpoints. " +
			"A recording that has the beginning of its run is executed again, on one lane, up to an activation of the task; who wrote PLACE then also finds writes by earlier activations of any task. " +
			"Type help for the commands.\n\n" +
			"With --compare, nothing is stepped. The task of a live run is held before its next activation, the interpreter and the device both run that activation, " +
			"and the words that differ are listed with the lines that wrote them and the likely cause. The exit status is 1 if any word differs. The device has run the activation by then.",
		Example: "vyretop debug scale.comp --in 0=samples.bin --grid 4\nvyretop debug scale.comp --in 0=samples.bin --exec commands.txt --json\nvyretop debug scan --task 17\nvyretop debug scan\nvyretop debug ./my-workload\nvyretop debug run.mcap --task 17 --activation 2\nvyretop debug render --task 5 --compare",
		Args:    arguments(1, 1, "FILE.comp"),
	}
	s := c.Flags()
	f.shapeOnly()
	f.registerShape(s)
	task.register(s)
	s.StringVar(&script, "exec", "", "run the commands of a file (-: standard input), print each before its output, and stop at the first error, which names the line")
	s.BoolVar(&f.json, "json", false, "print one JSON object per line")
	s.BoolVar(&compare, "compare", false, "with --task: have the device run the activation too, and compare")
	s.BoolVar(&control, "control", false, "with --compare, or attached to a live run: take control even if another client holds it")
	s.StringVar(&onDetach, "on-detach", "", "attached to a live run: what to do with the held task on quit, resume or leave (default: ask in a terminal, else resume)")
	on.registerBackend(s, "of a workload that does not run: ", "that runs it")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := on.check(); err != nil {
			return err
		}
		name, live, err := liveRunNamed(c.Context(), a, args[0], c.Flags(), task.look.wait)
		starts := errors.Is(err, remote.ErrNoTarget) && isWorkloadFolder(args[0]) && !compare && task.look.wait == 0
		if live = live || starts; err != nil && !starts {
			return err
		}
		switch {
		case on.backend != device.Auto && !starts:
			return usage("--backend needs the folder of a workload that does not run", "leave it out")
		case compare || live:
		case control:
			return usage("--control needs --compare or a live run", "leave it out: a session steps a copy of the activation, not the run")
		case onDetach != "":
			return usage("--on-detach needs a live run", "leave it out: nothing is held")
		}
		if live && !compare {
			o := runSession{name: name, starts: starts, backend: on.backend, bytes: task.limit << 20, control: wish(false, control, remote.ControlAuto), script: script, json: f.json, onDetach: onDetach}
			return o.debug(c.Context(), a)
		}
		if compare {
			return compareTask(c.Context(), a, args[0], c.Flags(), task, wish(false, control, remote.ControlAuto), f.json)
		}
		d, err := openDebugged(c.Context(), a, args[0], c.Flags(), f, task)
		if err != nil {
			return err
		}
		return debugSession(c.Context(), a, d, script, f.json)
	}
	return c
}

// debugged is what a debugger session is of.
type debugged struct {
	*debugger.Session
	text    repl.Sources
	onDisk  bool                                                                            // the source files are files
	about   string                                                                          // printed first; "" for nothing
	outcome func(debugger.Stop) string                                                      // printed at a stop; nil for nothing
	earlier func(place string, binding uint32, words []int) (string, map[string]any, error) // as repl.REPL.Earlier
	check   *check.Target                                                                   // the dispatch for the checkers, which change its buffers; nil of a task
}

// openDebugged opens a compute shader, a capture, or a task of a target.
func openDebugged(ctx context.Context, a *app, name string, set *pflag.FlagSet, f *dispatchFlags, task *taskFlags) (*debugged, error) {
	isTask := set.Changed("task")
	if isTask && !isTarget(name) && !capture.IsCapture(name) {
		return nil, usage("--task is of a run or a recording, and "+name+" is a compute shader", "leave it out")
	}
	if !isTask && fixtures.IsRecording(name) {
		return nil, usage(name+" is a recording: a task of it can be debugged", "add --task ID; vyretop tasks "+name+" lists the tasks")
	}
	if !isTask && !capture.IsCapture(name) {
		if err := checkKernelName(name); err != nil {
			return nil, err
		}
		r, err := f.request(set)
		if err != nil {
			return nil, err
		}
		return debugKernel(ctx, a, name, r)
	}
	if given := shapeGiven(set); given != "" {
		return nil, usage(given+" is of a compute shader, and "+name+" is not one", "leave it out")
	}
	task.look.atGiven = set.Changed("at")
	captured, err := task.take(ctx, a, name, isTask)
	if err != nil {
		return nil, err
	}
	return debugTask(ctx, captured)
}

// debugKernel opens a compute shader.
func debugKernel(ctx context.Context, a *app, file string, req *dispatch.Request) (*debugged, error) {
	p, err := interpreted(a, "debug", file, req)
	if err != nil {
		return nil, err
	}
	buffers, launch, err := req.Memory(ctx, p)
	if err != nil {
		return nil, err
	}
	session, err := debugger.Open(debugger.Target{Program: p, Buffers: buffers, Grid: launch.Grid, Workgroup: launch.Workgroup})
	return &debugged{Session: session, text: repl.NewSources(dispatch.FileText), onDisk: true,
		check: &check.Target{Program: p, Buffers: buffers, Grid: launch.Grid, Workgroup: launch.Workgroup}}, err
}

// debugSession runs the command language over a session.
func debugSession(ctx context.Context, a *app, d *debugged, script string, json bool) error {
	r := &repl.REPL{Session: d.Session, Out: a.stdout, JSON: json, Line: d.text.Line, Lines: d.text.Count, Suggest: fault.Suggest, Outcome: d.outcome, Earlier: d.earlier}
	if d.about != "" && !json {
		fmt.Fprintln(a.stdout, d.about)
	}
	first := func() error {
		if script == "" {
			return r.Do("list")
		}
		return nil
	}
	return converse(ctx, a, r, d.text, script, first, nil)
}

// converse carries out commands of a script or of a person; first comes before them, and asked is told of the terminal, nil
// where there is none.
func converse(ctx context.Context, a *app, r *repl.REPL, text repl.Sources, script string, first func() error, asked func(*repl.Terminal)) error {
	r.WithContext(ctx)
	var t *repl.Terminal
	if script == "" {
		t = debugTerminal(a, r)
	}
	if asked != nil {
		asked(t)
	}
	if t != nil {
		if look, err := theme.Detect(a.env, ""); err == nil && look.Mode == theme.Color {
			r.Line = text.Colored
		}
	}
	in, err := debugCommands(a, script)
	if err != nil {
		return err
	}
	if err := first(); err != nil {
		return err
	}
	if t != nil {
		return t.Run(ctx)
	}
	if script == "-" {
		script = "stdin"
	}
	return r.Run(ctx, in, script)
}

// debugTerminal is the terminal in which a person types commands, or nil.
func debugTerminal(a *app, r *repl.REPL) *repl.Terminal {
	in, typed := terminal(a.stdin)
	out, shown := terminal(a.stdout)
	if !typed || !shown || r.JSON {
		return nil
	}
	r.Out = repl.Colors{Text: a.stdout, Terminal: out}
	return &repl.Terminal{REPL: r, In: in, Out: out, Prompt: repl.Prompt, Interrupt: a.interrupts.first}
}

// maxScriptBytes bounds a file of debugger commands.
const maxScriptBytes = 1 << 20

// debugCommands opens what the debugger's commands come from.
func debugCommands(a *app, script string) (io.Reader, error) {
	if script == "" || script == "-" {
		return a.stdin, nil
	}
	text, err := plainfile.Read(script, maxScriptBytes)
	if err != nil {
		return nil, plainfile.Failure("read the commands", script, err, "name a readable text file")
	}
	return bytes.NewReader(text), nil
}
