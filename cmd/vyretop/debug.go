package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/highlight"
	"vyretop/engine/debugger/repl"
	"vyretop/engine/dispatch"
	"vyretop/plainfile"
	"vyretop/tui/theme"
)

func newDebug(a *app) *cobra.Command {
	f := &dispatchFlags{}
	var script string
	c := &cobra.Command{
		Use:   "debug FILE.comp",
		Short: "Debug a compute shader by source line, forward and back",
		Long: "Step through a compute shader on the reference interpreter, forward and back. Buffers, grid and workgroup size are given as for dispatch. " +
			"Type help for the commands.",
		Example: "vyretop debug scale.comp --in 0=samples.bin --grid 4\nvyretop debug scale.comp --in 0=samples.bin --exec commands.txt --json",
		Args:    arguments(1, 1, "FILE.comp"),
	}
	s := c.Flags()
	f.shapeOnly()
	f.registerShape(s)
	s.StringVar(&script, "exec", "", "run the commands of a file (-: standard input), and stop at the first error")
	s.BoolVar(&f.json, "json", false, "print one JSON object a line")
	c.RunE = func(c *cobra.Command, args []string) error {
		r, err := f.request(c.Flags())
		if err != nil {
			return err
		}
		return debugKernel(c.Context(), a, args[0], r, script, f.json)
	}
	return c
}

// debugKernel runs the debugger over one kernel.
func debugKernel(ctx context.Context, a *app, file string, req *dispatch.Request, script string, json bool) error {
	p, err := a.dispatched(file, req)
	if err != nil {
		return err
	}
	if p.Tree == nil {
		return &fileError{"debug", file, errors.New("the kernel is outside the kernel language"), "run vyretop check on it"}
	}
	buffers, launch, err := req.Memory(ctx, p)
	if err != nil {
		return err
	}
	session, err := debugger.Open(debugger.Target{Program: p, Buffers: buffers, Grid: launch.Grid, Workgroup: launch.Workgroup})
	if err != nil {
		return err
	}
	session.WithContext(ctx)
	r := &repl.REPL{Session: session, Out: a.stdout, JSON: json, Line: sources{}.plain}
	if out, ok := a.stdout.(*os.File); ok && term.IsTerminal(out.Fd()) && !json && script == "" {
		r.Prompt = "(vyretop) "
		if t, err := theme.Detect(a.env, ""); err == nil && t.Mode == theme.Colour {
			r.Line = sources{}.colored
		}
	}
	in, err := debugCommands(a, script)
	if err != nil {
		return err
	}
	if script == "" {
		if err := r.Do("list"); err != nil {
			return err
		}
	}
	return r.Run(in, script != "")
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
		return nil, &fileError{"read the commands", script, err, "name a readable text file"}
	}
	return bytes.NewReader(text), nil
}

// sources give lines of files, each read once.
type sources map[string]sourceFile

type sourceFile struct {
	plain   []string
	colored [][]highlight.Token
}

func (s sources) file(name string) sourceFile {
	f, ok := s[name]
	if !ok {
		text, err := plainfile.Read(name, maxKernelBytes)
		if err != nil {
			text = nil
		}
		all := strings.ReplaceAll(string(text), "\r\n", "\n")
		f = sourceFile{strings.Split(all, "\n"), highlight.Lines(all)}
		s[name] = f
	}
	return f
}

func (s sources) plain(name string, line int) string {
	if list := s.file(name).plain; line <= len(list) {
		return list[line-1]
	}
	return ""
}

func (s sources) colored(name string, line int) string {
	if list := s.file(name).colored; line <= len(list) {
		return highlight.ANSI(list[line-1])
	}
	return ""
}
