package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/engine/reference"
	"vyretop/fixtures"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
	"vyretop/megakernel/run"
)

const bisectLong = `bisect executes the same inputs twice and finds where the results begin to differ: the task, its activation and epoch, the word, both
values, and the lines that wrote them. A and B are each

    a recording        the handlers that it was recorded with
    a workload, DIR    a shipped workload or a folder with a workload.toml
    FILE.glsl          the recorded handlers, with the file of that name replaced by this one
    a program          another version of vyretop; then both are, and each executes the first tasks of the recording by itself:
                       halving finds the fewest that end differently

The inputs are those of --recording, or of A or B if one is a recording. Without one A, a workload, is run on the reference interpreter.
Handlers run there too, one activation after the other. The exit status is 1 if the runs end differently.`

// bisectFlags are the flags of bisect.
type bisectFlags struct {
	recording string
	json      bool
}

// newBisect makes the command that finds where two versions come to different results.
func newBisect(a *app, _ []string) *cobra.Command {
	f := &bisectFlags{}
	c := &cobra.Command{
		Use: "bisect A B", Short: "Find the first input after which two versions of handlers, or of vyretop, differ",
		Long:    bisectLong,
		Example: "vyretop bisect run.mcap ./my-workload\nvyretop bisect ./before ./after\nvyretop bisect run.mcap fixed/add.glsl\nvyretop bisect ./vyretop-1 ./vyretop-2 --recording run.mcap",
		Args:    arguments(2, 2, "A B"),
	}
	c.Flags().StringVar(&f.recording, "recording", "", "recording whose inputs are executed (default: A or B)")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON document")
	c.RunE = func(c *cobra.Command, args []string) error { return f.bisect(c.Context(), a, args[0], args[1]) }
	return c
}

func (f *bisectFlags) bisect(ctx context.Context, a *app, first, second string) (err error) {
	folder, err := os.MkdirTemp("", "vyretop-bisect-")
	if err != nil {
		return plainfile.Failure("create", "a folder for recordings", err, plainfile.Fix(err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	name, file, err := f.inputs(ctx, a, folder, first, second)
	if err != nil {
		return err
	}
	rec, err := inspect.OpenRecording(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	out, err := bisected(ctx, a, folder, name, rec, first, second)
	if err != nil {
		return err
	}
	if !out.Equal {
		a.status = exitFailed
	}
	if f.json {
		return writeJSON(a.stdout, out)
	}
	return out.Write(a.stdout)
}

func bisected(ctx context.Context, a *app, folder, name string, rec *fixtures.Recording, first, second string) (*replay.Bisection, error) {
	defer a.note("bisecting " + name)()
	switch n := countPrograms(first, second); n {
	case 2:
		v := replay.Versions{A: first, B: second, Folder: folder, Verify: verifyBy}
		return v.Bisect(ctx, name, rec)
	case 1:
		return nil, usage("one of "+first+" and "+second+" is a program", "compare a program with a program, and handlers with handlers")
	}
	var sides [2]replay.Handlers
	for i, of := range []string{first, second} {
		var err error
		if sides[i], err = handlersOf(ctx, of); err != nil {
			return nil, err
		}
	}
	return replay.Bisect(ctx, name, rec, sides[0], sides[1])
}

// inputs names the recording whose inputs are executed, and its file.
func (f *bisectFlags) inputs(ctx context.Context, a *app, folder, first, second string) (name, file string, err error) {
	for _, name := range []string{f.recording, first, second} {
		if name != "" && (name == f.recording || fixtures.IsRecording(name)) {
			return name, name, nil
		}
	}
	if countPrograms(first) > 0 || isKernelFile(first) {
		return "", "", usage("there are no inputs", "give a recording with --recording FILE; vyretop run WORKLOAD --record FILE makes one")
	}
	file = filepath.Join(folder, "inputs.mcap")
	defer a.note("running " + first + " on the reference interpreter")()
	return "a run of " + first, file, recordOnReference(ctx, first, file)
}

// recordOnReference runs a workload with its default flags.
func recordOnReference(ctx context.Context, name, file string) error {
	d, err := run.OpenWorkload(name)
	if err != nil {
		return err
	}
	w, err := d.New(nil)
	if err != nil {
		return err
	}
	b, err := reference.Open(reference.Options{})
	if err != nil {
		return err
	}
	r, err := run.Start(ctx, run.Config{Workload: w, Backend: b, Record: file})
	if err != nil {
		return errors.Join(err, b.Close())
	}
	if err = r.Work(ctx); err == nil {
		_, err = r.Finish(ctx, false)
	}
	return errors.Join(err, r.Close(), b.Close())
}

// countPrograms counts the names of files that can be executed.
func countPrograms(names ...string) (n int) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && filepath.Ext(name) != ".glsl" && !fixtures.IsRecording(name) {
			n++
		}
	}
	return n
}

// handlersOf reads one side.
func handlersOf(ctx context.Context, name string) (h replay.Handlers, err error) {
	h.Name = name
	switch {
	case fixtures.IsRecording(name):
		rec, err := inspect.OpenRecording(name)
		if err != nil {
			return h, err
		}
		h.Config, err = replay.RecordedHandlers(name, rec)
		return h, errors.Join(err, rec.Close())
	case isKernelFile(name):
		text, err := plainfile.Read(name, maxHandlerFile)
		if err != nil {
			return h, plainfile.Failure("read", name, err, plainfile.Fix(err))
		}
		h.File, h.Text = name, string(text)
		return h, nil
	}
	d, err := run.OpenWorkload(name)
	if err != nil {
		return h, err
	}
	w, err := d.New(nil)
	if err != nil {
		return h, err
	}
	s, err := w.Setup(ctx)
	if err != nil {
		return h, err
	}
	c := s.Config()
	h.Config = &c
	return h, nil
}

// maxHandlerFile bounds the text of a handler file.
const maxHandlerFile = 4 << 20

// errProgram is matched by errors about a program that does not execute recordings.
const errProgram fault.Kind = "the program does not execute recordings"

// maxSaid bounds what is read of a program.
const maxSaid = 16 << 20

// verifyBy has another version of vyretop execute a recording.
func verifyBy(ctx context.Context, program, file string) (*replay.Document, error) {
	if !strings.ContainsRune(program, filepath.Separator) {
		program = "." + string(filepath.Separator) + program
	}
	c := exec.CommandContext(ctx, program, "replay", file, "--verify", "--backend", "reference", "--json")
	out, said := &bounded{most: maxSaid}, &bounded{most: 1 << 10}
	c.Stdout, c.Stderr = out, said
	err := c.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	d := new(replay.Document)
	if bad := json.Unmarshal(out.Bytes(), d); bad == nil && d.Schema == replay.VerificationSchema {
		return d, nil
	}
	detail := strings.TrimSpace(said.String())
	if detail == "" {
		detail = fmt.Sprint("it prints no document of a verification: ", err)
	}
	return nil, &fault.Error{Kind: errProgram, Op: "execute a recording", Subject: program, Detail: detail, Fix: "give programs that know vyretop replay --verify --json"}
}

// bounded keeps the first bytes that are written to it.
type bounded struct {
	bytes.Buffer

	most int
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(b.most-b.Len(), 0))])
	return len(p), nil
}
