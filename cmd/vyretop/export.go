package main

import (
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vyretop/engine/plainfile"
	"vyretop/fixtures"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
	"vyretop/megakernel/safe"
)

const exportLong = `export converts a target:

    ndjson  log, events and the metrics of every sample, in the order of their times; at the end the words of the
            workload's buffers with their names and types, 65,536 of each and 262,144 in all, and how many are left out
    csv     the metrics of every sample; see vyretop help metrics
    trace   a timeline of workers, activations, commands and queue depth, for ui.perfetto.dev and
            chrome://tracing; the times of activations between two samples are estimates
    perfetto  the same as a trace of Perfetto's own, with arrows from tasks to those they spawn and from requeues to what
            comes next, for ui.perfetto.dev and its trace processor
    otlp    spans of tasks and activations for OpenTelemetry: a TracesData object in each line, as collectors read
    mcap    log, events and metrics as JSON with schemas, for Foxglove and other readers of MCAP; docs/foxglove-layout.json is a layout
    parquet one table for notebooks, chosen with --table: samples, log, activations, events, or tasks, which are those in the ring
    raw     one snapshot: control buffer, ring and the newest 262,144 records of the debug log, which vyretop and the published peer read
    gotest  a Go test of the module vyretop: a recording that can be executed again, without a position, as one that does so on
            the reference backend and compares how it ends; else one snapshot, which is loaded there
    buffer  the words of one buffer, little-endian, chosen with --buffer: a buffer of the workload, control,
            ring or workers

All but the last three follow a live run until it ends, Ctrl-C, or --for.`

// newExport makes the command that writes a target in another form.
func newExport(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	form, table, out, buffer, atMost := "ndjson", inspect.Tables[0], "", "", time.Duration(0)
	c := &cobra.Command{
		Use: "export [TARGET]", Short: "Export a target as NDJSON, CSV, Parquet, a trace, spans, raw buffers, a Go test or one buffer",
		Long:    exportLong + lookUsage,
		Example: "vyretop export run.mcap --form trace -o trace.json\nvyretop export scan --form csv --for 10s\nvyretop export run.mcap@1.5s --form gotest -o moment_test.go\nvyretop export run.mcap --form buffer --buffer image -o image.bin",
		Args:    arguments(0, 1, "TARGET"),
	}
	f.registerTarget(c.Flags())
	c.Flags().Var(&choice{&form, inspect.Forms}, "form", "ndjson, csv, trace, perfetto, otlp, mcap, parquet, raw, gotest or buffer")
	c.Flags().Var(&choice{&table, inspect.Tables}, "table", "table to write, with --form parquet: "+strings.Join(inspect.Tables, ", "))
	c.Flags().StringVar(&buffer, "buffer", "", "buffer to write, with --form buffer")
	c.Flags().StringVarP(&out, "out", "o", "", "output file (default: stdout)")
	c.Flags().DurationVar(&atMost, "for", 0, "stop after this much time of a live run")
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		f.atGiven = c.Flags().Changed("at")
		if (form == inspect.FormBuffer) != (buffer != "") {
			return usage("--form buffer and --buffer NAME belong together", "give both, or neither")
		}
		if form != inspect.FormParquet && c.Flags().Changed("table") {
			return usage("--table has no effect", "use it with --form parquet")
		}
		if _, ok := terminal(a.stdout); ok && out == "" && inspect.Binary(form) {
			return usage("--form "+form+" is not text, and a terminal would take it for commands", "name a file with -o FILE, or pipe it to a program")
		}
		s, err := a.openSubject(c.Context(), append(args, "")[0], f, form == inspect.FormBuffer)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.Close()) }()
		if s.Kind() != inspect.Live {
			atMost = 0
		}
		ctx := c.Context()
		write := func(w io.Writer) error { return inspect.Export(ctx, s, atMost, form, w) }
		if r, ok := s.(wholeRecording); ok && form == inspect.FormGoTest && r.Whole() && replay.Possible(r.Recording()) {
			write = func(w io.Writer) error { return exportRun(w, args[0], r.Recording()) }
		}
		if form == inspect.FormParquet {
			write = func(w io.Writer) error { return inspect.ExportTable(ctx, s, atMost, table, w) }
		}
		if form == inspect.FormBuffer {
			if write, err = inspect.OpenBuffer(ctx, s, buffer); err != nil { // before a file is created
				return err
			}
		}
		if out == "" {
			return write(output(a.stdout, form))
		}
		if s.Kind() != inspect.Live { // what was there stays where it fails
			return putExport(out, append(args, "")[0], func(w io.Writer) error { return write(output(w, form)) })
		}
		file, err := plainfile.OpenNew(out, 0o666)
		if err != nil {
			return plainfile.Failure("write", out, err, plainfile.Fix(err))
		}
		return errors.Join(write(output(file, form)), file.Close())
	}
	return c
}

// putExport writes a file, which must not be what is exported: that would be lost.
func putExport(out, from string, write func(io.Writer) error) error {
	source, _, _ := strings.Cut(from, "@")
	if a, err := os.Stat(out); err == nil {
		if b, err := os.Stat(source); err == nil && os.SameFile(a, b) {
			return usage(out+" is what is exported", "name another file")
		}
	}
	var failed error
	err := plainfile.Put(out, 0o644, func(w io.Writer) error {
		failed = write(w)
		return failed
	})
	if err != nil && failed == nil {
		return plainfile.Failure("write", out, err, plainfile.Fix(err))
	}
	return err
}

// output is where a form is written to: forms that are text are escaped, others are not text.
func output(w io.Writer, form string) io.Writer {
	if inspect.Binary(form) {
		return drawing(w)
	}
	return safe.NewWriter(w)
}

// wholeRecording is a recording, of which a position may have been chosen.
type wholeRecording interface {
	Recording() *fixtures.Recording
	Whole() bool
}

// exportRun writes a recording as a test that executes the run again.
func exportRun(w io.Writer, name string, rec *fixtures.Recording) error {
	file, err := plainfile.Read(name, replay.MaxGoTest)
	if err != nil {
		return plainfile.Failure("export", name, err, plainfile.Fix(err))
	}
	return replay.WriteGoTest(w, name, rec, file)
}
