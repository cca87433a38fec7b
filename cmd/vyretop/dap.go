package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/debugger/attach"
	"vyretop/engine/debugger/dap"
	"vyretop/engine/device"
	"vyretop/fixtures"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/remote"
)

func newDAP(a *app, _ []string) *cobra.Command {
	var listen string
	var remote bool
	c := &cobra.Command{
		Use:   "dap",
		Short: "Serve the source debugger to an editor by the Debug Adapter Protocol",
		Long: "Serve the source debugger to an editor, on standard input and output or on a TCP port, by the Debug Adapter Protocol.\n\n" +
			"A launch request takes program: a FILE.comp, a capture, a run or a recording, or the folder of a workload, which starts and ends with the session. It also takes backend (for a folder), in, size, grid, workgroup, task, stopOnEntry and stopOnEnd, which mean what the flags of vyretop debug mean. " +
			"An attach request sets breakpoints in a live run. They hold its tasks, and each held task opens in turn. Attach also takes task, control and onDetach (resume or leave: what to do with held tasks). " +
			"docs/editors.md has configurations for VS Code, Neovim and Zed.",
		Example: "vyretop dap\nvyretop dap --listen 127.0.0.1:4711",
		Args:    arguments(0, 0, ""),
	}
	s := c.Flags()
	s.StringVar(&listen, "listen", "", "serve one client at a time on HOST:PORT (port 0: a free port, which is printed)")
	s.BoolVar(&remote, "allow-remote", false, "with --listen: accept clients of other machines; they can read every file that you can")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if listen == "" {
			if remote {
				return usage("--allow-remote needs --listen", "add --listen HOST:PORT")
			}
			return editors{a}.serve(c.Context(), a.stdin, drawing(a.stdout))
		}
		return editors{a}.listen(c.Context(), listen, remote)
	}
	return c
}

// editors serves the source debugger to editors.
type editors struct{ app *app }

// serve serves one client. A signal is an orderly end.
func (e editors) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	err := dap.Serve(ctx, in, out, e.programs())
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// listen serves the clients that connect to a port, one after the other, until a signal.
func (e editors) listen(ctx context.Context, address string, remote bool) error {
	return dap.Listen(ctx, address, remote, e.programs(), e.app.stdout, e.app.stderr)
}

// open opens what an editor launches, as debug opens its arguments.
func (e editors) open(ctx context.Context, l *dap.Launch) (*dap.Program, error) {
	f, task := &dispatchFlags{}, &taskFlags{}
	set := pflag.NewFlagSet("launch", pflag.ContinueOnError)
	f.shapeOnly()
	f.registerShape(set)
	task.register(set)
	if err := setFlags(set, l); err != nil {
		return nil, err
	}
	others := ""
	if l.Task == "" && isTarget(l.Program) {
		id, rest, err := e.pick(ctx, l.Program, &task.look)
		if err != nil {
			return nil, err
		}
		if err := set.Set("task", id); err != nil {
			return nil, err
		}
		others = rest
	}
	d, err := openDebugged(ctx, e.app, l.Program, set, f, task)
	if err != nil {
		return nil, err
	}
	d.about += others
	return &dap.Program{Session: d.Session, OnDisk: d.onDisk, Text: d.text.Read, About: d.about, Outcome: d.outcome, Check: d.check}, nil
}

// programs open what clients debug.
func (e editors) programs() dap.Programs {
	return dap.Programs{Open: e.open, Attach: e.attach, Start: e.start}
}

// attach attaches to a live run; no run for a program of another kind.
func (e editors) attach(ctx context.Context, l *dap.Launch) (attach.Run, error) {
	if !isTarget(l.Program) || fixtures.IsRecording(l.Program) {
		return nil, nil
	}
	if info, err := os.Stat(l.Program); err == nil && !info.IsDir() {
		return nil, nil
	}
	return attachRun(ctx, e.app, l.Program, 0, "vyretop dap", wish(false, l.Control, remote.ControlAuto))
}

// start runs the workload of a folder; no run for a program of another kind, and for a folder that names a live run.
func (e editors) start(ctx context.Context, l *dap.Launch) (attach.Run, error) {
	if !isWorkloadFolder(l.Program) || l.Task != "" {
		return nil, nil
	}
	run, err := startRun(ctx, e.app, l.Program, cmp.Or(l.Backend, device.Auto), "vyretop dap", 0)
	if err != nil {
		return nil, err
	}
	return run, nil
}

// setFlags gives flags the values of a launch.
func setFlags(set *pflag.FlagSet, l *dap.Launch) error {
	values := []struct {
		flag string
		list []string
	}{
		{"in", l.In}, {"size", l.Size}, {"grid", one(l.Grid.Joined())}, {"workgroup", one(l.Workgroup.Joined())}, {"task", one(string(l.Task))},
	}
	for _, v := range values {
		for _, x := range v.list {
			if err := set.Set(v.flag, x); err != nil {
				return usage(strings.TrimSpace(err.Error()), "see docs/editors.md")
			}
		}
	}
	return nil
}

// one is a list of a value, empty without it.
func one(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// isTarget reports whether a program is a live run or a recording, by its name.
func isTarget(program string) bool {
	return filepath.Ext(program) == ".mcap" || !isKernelFile(program) && !capture.IsCapture(program)
}

// pick chooses the task of a target that an editor debugs when it names none: the first one that a breakpoint holds, else the
// first one that has faulted. others says which else there are.
func (e editors) pick(ctx context.Context, target string, look *lookFlags) (id, others string, err error) {
	s, err := e.app.openSubject(ctx, target, look, true)
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	now, err := s.Now(ctx)
	if err != nil {
		return "", "", err
	}
	names := now.StoppedNames()
	if len(names) == 0 {
		fix := "set task to the ID of one, or a breakpoint with vyretop do, and attach again"
		if fixtures.IsRecording(target) {
			fix = "set task to the ID of one, such as 1: vyretop tasks and vyretop log list them"
		}
		return "", "", usage(fmt.Sprintf("no task of %s is held or has faulted", target), fix)
	}
	if rest := names[1:]; len(rest) > 0 {
		others = "\nnote: other tasks are held or have faulted; set task to debug one of them: " + strings.Join(rest, ", ")
	}
	return names[0], others, nil
}
