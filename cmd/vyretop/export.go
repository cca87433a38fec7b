package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/plainfile"
	"vyretop/fixtures"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
	"vyretop/megakernel/safe"
	"vyretop/tui/progress"
)

const exportLong = `export converts a target:

    ndjson  log, events and the metrics of every sample, ordered by time; then the words of the workload's buffers
            with names and types, at most 65,536 of each buffer and 262,144 in total, and how many were left out
    csv     the metrics of every sample; see vyretop help metrics
    trace   a timeline of workers, activations, commands and queue depth, for ui.perfetto.dev and
            chrome://tracing; the times of activations between two samples are estimates
    perfetto  the same in Perfetto's own format, with arrows from tasks to those they spawn and from requeues to what
            comes next, for ui.perfetto.dev and its trace processor
    otlp    spans of tasks and activations for OpenTelemetry: one TracesData object per line, as collectors read;
            -o spans.jsonl.gz writes a twentieth of the bytes
    mcap    log, events and metrics as JSON with schemas, for Foxglove and other readers of MCAP; docs/foxglove-layout.json is a layout
    parquet one table for notebooks, chosen with --table: samples, log, activations, events, or tasks, which are those in the ring
    raw     one snapshot: control buffer, ring and the newest 262,144 records of the debug log, which vyretop and the published peer read
    gotest  a Go test for the module vyretop. For a whole recording that can be executed again, the test does so on the
            reference backend and compares how it ends; for anything else it loads one snapshot
    buffer  the words of one buffer, little-endian, chosen with --buffer: a buffer of the workload, control,
            ring or workers

All but the last three follow a live run until it ends, until Ctrl-C, or for --for. They export a whole recording, or what
--from, --to and --filter select. The file appears once it is complete; Ctrl-C during the export of a recording leaves no file.`

// exportFlags are the flags of export.
type exportFlags struct {
	lookFlags
	inspect.Exporting
	buffer, out string
	to          time.Duration
	limit       int64 // MiB
	collector   string
}

// newExport makes the command that writes a target in another form.
func newExport(a *app, _ []string) *cobra.Command {
	f := &exportFlags{Exporting: inspect.Exporting{Form: inspect.Forms[0], Table: inspect.Tables[0]}}
	c := &cobra.Command{
		Use: "export [TARGET]", Short: "Export a target as NDJSON, CSV, Parquet, a trace, spans, raw buffers, a Go test or one buffer",
		Long:    exportLong + lookUsage,
		Example: "vyretop export run.mcap --form perfetto -o run.pftrace\nvyretop export run.mcap --form otlp --from 10s --to 20s --filter 'kind=fault' -o spans.jsonl.gz\nvyretop export scan --form csv --for 10s\nvyretop export run.mcap@1.5s --form gotest -o moment_test.go\nvyretop export run.mcap --form buffer --buffer image -o image.bin",
		Args:    arguments(0, 1, "TARGET"),
	}
	f.register(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if err := f.check(a, c.Flags()); err != nil {
			return err
		}
		s, err := a.openSubject(c.Context(), append(args, "")[0], &f.lookFlags, f.Form == inspect.FormBuffer)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.Close()) }()
		if s.Kind() != inspect.Live {
			f.AtMost = 0
		} else if f.From > 0 || f.atGiven {
			return usage("a live run has no --from, --to or --at", "use --for, or export a recording")
		}
		write, err := f.writer(c.Context(), s, append(args, "")[0])
		if err != nil { // before a file is created
			return err
		}
		if f.out == "" {
			return f.measured(a, s, drawing(a.stdout), write)
		}
		return putExport(f.out, append(args, "")[0], func(w io.Writer) error { return f.measured(a, s, w, write) })
	}
	return c
}

func (f *exportFlags) register(s *pflag.FlagSet) {
	f.registerTarget(s)
	s.Var(&choice{&f.Form, inspect.Forms}, "form", "ndjson, csv, trace, perfetto, otlp, mcap, parquet, raw, gotest or buffer")
	s.Var(&choice{&f.Table, inspect.Tables}, "table", "table to write, with --form parquet: "+strings.Join(inspect.Tables, ", "))
	s.StringVar(&f.buffer, "buffer", "", "buffer to write, with --form buffer")
	s.StringVarP(&f.out, "out", "o", "", "output file (default: stdout); compressed if the name ends in .gz")
	s.DurationVar(&f.AtMost, "for", 0, "stop after this much time of a live run")
	positionVar(s, &f.From, "from", "start position in the recording (default: its beginning)")
	positionVar(s, &f.to, "to", "end position in the recording, as --at")
	s.StringVar(&f.filter, "filter", "", "export only records of the log that match this filter, such as task=17 and kind=fault; see vyretop help filters")
	s.StringVar(&f.collector, "otlp", "", "with --form otlp: send the spans to this collector, such as http://127.0.0.1:4318, instead of writing a file")
	s.Int64Var(&f.limit, "limit-mib", 0, "fail if the export exceeds this many MiB (0: no limit)")
}

// check refuses flags that do not fit together, and reads the filter.
func (f *exportFlags) check(a *app, s *pflag.FlagSet) (err error) {
	f.atGiven = s.Changed("at")
	if s.Changed("to") {
		if f.atGiven {
			return usage("--at and --to mean the same", "give one of them")
		}
		f.at, f.atGiven = f.to, true
	}
	switch _, terminal := terminal(a.stdout); {
	case (f.Form == inspect.FormBuffer) != (f.buffer != ""):
		return usage("--form buffer and --buffer NAME belong together", "give both, or neither")
	case f.collector != "" && (f.Form != inspect.FormOTLP || f.out != ""):
		return usage("--otlp has no effect", "use it with --form otlp, and without -o")
	case f.Form != inspect.FormParquet && s.Changed("table"):
		return usage("--table has no effect", "use it with --form parquet")
	case f.From < 0 || f.to < 0 || f.From > 0 && f.atGiven && f.at < f.From:
		return usage("--from is after --to", "name two positions since launch, the earlier one first")
	case f.From > 0 && !inspect.Selective(f.Form):
		return usage("--from has no effect: --form "+f.Form+" is one position", "use --at alone")
	case f.filter != "" && !inspect.Filtered(f.Form, f.Table):
		return usage("--filter has no effect: the export has no records of the log", "leave it out, or use another --form")
	case f.limit < 0 || f.limit > 1<<40:
		return usage(fmt.Sprintf("invalid --limit-mib %d: out of range", f.limit), "use a number of MiB from 1 up, or 0 for no limit")
	case terminal && f.out == "" && inspect.Binary(f.Form):
		return usage("--form "+f.Form+" is not text, and a terminal would take it for commands", "name a file with -o FILE, or pipe it to a program")
	}
	if f.collector != "" {
		if f.Collector, err = inspect.NewCollector(f.collector); err != nil {
			return err
		}
	}
	if f.filter != "" {
		f.Keep, err = inspect.LogTable.Filter(f.filter)
	}
	return err
}

// writer is what writes the form of a subject.
func (f *exportFlags) writer(ctx context.Context, s inspect.Subject, name string) (func(io.Writer) error, error) {
	if f.filter != "" {
		target := s.Header().Target
		if _, err := inspect.LogTable.FilterOf(&target, f.filter); err != nil {
			return nil, err
		}
	}
	if f.Form == inspect.FormBuffer {
		return inspect.OpenBuffer(ctx, s, f.buffer)
	}
	if r, ok := s.(wholeRecording); ok && f.Form == inspect.FormGoTest && r.Whole() && replay.Possible(r.Recording()) {
		return func(w io.Writer) error { return exportRun(w, name, r.Recording()) }, nil
	}
	return func(w io.Writer) error { return f.Write(ctx, s, w) }, nil
}

// large is the size from which on an export that no progress line shows is told about.
const large = 256 << 20

// measured writes an export. On a terminal it shows how far it is; elsewhere it says when the file is large.
func (f *exportFlags) measured(a *app, s inspect.Subject, w io.Writer, write func(io.Writer) error) (err error) {
	f.Meter = inspect.NewMeter(w, s, f.From, f.limit<<20)
	w = f.Meter
	if strings.HasSuffix(f.out, ".gz") {
		zip := gzip.NewWriter(w)
		defer func() { err = errors.Join(err, zip.Close()) }()
		w = zip
	}
	w = output(w, f.Form)
	out, width, terminal := notices(a.stderr)
	if terminal {
		defer progress.While(out, width, f.Meter.String)()
		return write(w)
	}
	f.Meter.OnLarge(large, func() {
		fmt.Fprintf(a.stderr, "vyretop: the export is large: %s; --from, --to and --filter select less\n", f.Meter)
	})
	return write(w)
}

// putExport writes a file, which must not be what is exported: that would be lost.
func putExport(out, from string, write func(io.Writer) error) error {
	source, _, _ := strings.Cut(from, "@")
	if a, err := os.Stat(out); err == nil {
		if b, err := os.Stat(source); err == nil && os.SameFile(a, b) {
			return usage(out+" is the file being exported", "name another file")
		}
	}
	var failed error
	err := plainfile.Put(out, plainfile.Private, func(w io.Writer) error {
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
