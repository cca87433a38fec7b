package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/debugger/repl"
	"vyretop/engine/dispatch"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/plainfile"
	"vyretop/engine/profile"
	"vyretop/engine/reference"
	"vyretop/megakernel/taskcheck"
	"vyretop/megakernel/workload"
)

// profileFlags are the flags of profile.
type profileFlags struct {
	dispatchFlags
	lines  int
	source bool
	pprof  string
	atMost time.Duration
	device bool
	seed   uint64
}

func newProfile(a *app, args []string) *cobra.Command {
	f := &profileFlags{}
	c := &cobra.Command{
		Use:   "profile WORKLOAD|DIR|FILE.comp|RUN",
		Short: "Count what each source line executes, or time the activations of a run",
		Long: "Run a workload or a compute shader on the reference interpreter and count what each line of its source executes: steps of a workgroup, " +
			"the average number of active lanes, and the words accessed in buffers. The counts are not times: " +
			"they show where the work is, and where lanes wait for others.\n\n" +
			"--source prints the source with the counts beside it, --pprof writes a profile for go tool pprof (flame graphs, call graphs, comparisons). " +
			"--device times activations on the device instead, by opcode, of a live run (--for, by default 5 s) or a recording: mean, p50, p90, p99 and a histogram. " +
			"The times come from records of the debug log, so the log must be on; the closer the snapshots, the more exact the times.\n\n" +
			"For a shader, buffers, grid and workgroup size are given as for dispatch; a workload takes its own flags.",
		Example: "vyretop profile collatz --count 1000\nvyretop profile ./my-workload --for 1m --source\nvyretop profile scan --device --for 10s\nvyretop profile scale.comp --in 0=samples.bin --grid 4 --pprof scale.pb.gz",
		Args:    arguments(1, 1, "WORKLOAD|DIR|FILE.comp|RUN"),
	}
	f.register(c.Flags())
	_, definition, missing := a.findWorkload("profile", c.Flags(), args, 0)
	if definition != nil {
		long := c.Long
		addWorkloadFlags(c, definition)
		c.Long = long
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if f.device {
			if err := f.checkDevice(c.Flags(), args[0]); err != nil {
				return err
			}
			return profileDevice(c.Context(), a, f, args[0])
		}
		if err := f.check(c.Flags(), args[0]); err != nil {
			return err
		}
		switch {
		case isKernelFile(args[0]):
			return profileKernel(c.Context(), a, f, c.Flags(), args[0])
		case missing != nil:
			return missing
		}
		return profileTasks(c.Context(), a, f, definition, c.Flags(), args[0])
	}
	return c
}

func (f *profileFlags) register(s *pflag.FlagSet) {
	f.shapeOnly()
	s.BoolVar(&f.json, "json", false, "print one JSON document")
	s.IntVar(&f.lines, "lines", 20, "number of lines to list, most steps first")
	s.BoolVar(&f.source, "source", false, "print the source with the counts beside it")
	s.StringVar(&f.pprof, "pprof", "", "write a profile for go tool pprof to this file")
	s.DurationVar(&f.atMost, "for", interpretedFor, "stop after this time and print the counts so far (0: no limit)")
	s.Uint64Var(&f.seed, "seed", 0, "order in which the workers run")
	s.BoolVar(&f.device, "device", false, "time the activations of a live run or a recording, by opcode")
	f.registerShape(s)
}

func (f *profileFlags) check(s *pflag.FlagSet, name string) error {
	wrong, fix := onlyForKernel, "leave it out, or give a FILE.comp"
	if isKernelFile(name) {
		wrong, fix = onlyForWorkload, "leave it out, or give a workload"
	}
	for _, flag := range wrong {
		if s.Changed(flag) {
			return usage("--"+flag+" does not apply to "+name, fix)
		}
	}
	switch {
	case f.atMost < 0:
		return usage(fmt.Sprintf("invalid --for %v: must not be negative", f.atMost), "use a duration such as 10s")
	case f.lines < 0:
		return usage(fmt.Sprintf("invalid --lines %d: must not be negative", f.lines), "use the number of lines to list")
	case f.json && (f.source || s.Changed("lines")):
		return usage("--json has all lines", "leave out --source and --lines")
	}
	return nil
}

// profileKernel counts what a compute shader executes.
func profileKernel(ctx context.Context, a *app, f *profileFlags, s *pflag.FlagSet, file string) error {
	r, err := f.request(s)
	if err != nil {
		return err
	}
	p, err := interpreted(a, "profile", file, r)
	if err != nil {
		return err
	}
	counted := profile.New(profile.Roles{Inner: func(file string) bool { return file == glsl.ImageFile }})
	b, err := reference.Open(reference.Options{Seed: f.seed, Watcher: counted})
	if err != nil {
		return err
	}
	limited, cancel := limit(ctx, f.atMost)
	defer cancel()
	done := a.note("profiling " + file + " (Ctrl-C ends with what was counted)")
	_, err = dispatch.Run(limited, b, p, r)
	err = errors.Join(err, b.Close())
	done()
	d := profile.NewDocument(file, counted.Profile())
	if limited.Err() != nil {
		d.Incomplete, err = "the dispatch did not come to its end, so not everything was counted", ctx.Err()
		if err == nil {
			d.Incomplete += beyond(f.atMost)
		}
	}
	if err != nil && d.Incomplete == "" {
		return err
	}
	return errors.Join(err, f.print(a, d, counted.Profile(), repl.NewSources(dispatch.FileText)))
}

// profileTasks counts what the handlers of a workload execute.
func profileTasks(ctx context.Context, a *app, f *profileFlags, d workload.Definition, s *pflag.FlagSet, name string) error {
	done := a.note("profiling " + name + " (Ctrl-C ends with what was counted)")
	r, err := taskcheck.Profile(ctx, taskcheck.Config{Definition: d, Values: workloadValues(s, d), Seed: f.seed, For: f.atMost})
	done()
	if err != nil && !r.Started {
		return err
	}
	doc := profile.NewDocument(name, r.Profile)
	if !r.Ended {
		doc.Incomplete = "the run did not come to its end, so not everything was counted"
		if ctx.Err() == nil && err == nil {
			doc.Incomplete += beyond(f.atMost)
		}
	}
	if r.Ended && !r.Verified {
		a.status = exitFailed
		fmt.Fprintf(a.stderr, "vyretop: %s: verification failed: %s\n", name, r.Detail)
	}
	return errors.Join(err, f.print(a, doc, r.Profile, repl.NewSources(textOf(r.Sources))))
}

// textOf gives the text of one of some files.
func textOf(files []*source.File) func(name string) string {
	return func(name string) string {
		for _, file := range files {
			if file.Name == name {
				return file.Text
			}
		}
		return ""
	}
}

// print prints a profile and writes it to the files that were asked for.
func (f *profileFlags) print(a *app, d profile.Document, p *profile.Profile, text repl.Sources) error {
	if f.pprof != "" {
		if err := plainfile.Replace(f.pprof, plainfile.OutputMode, p.WritePprof); err != nil {
			return plainfile.Failure("write the profile", f.pprof, err, "choose a file that can be written")
		}
	}
	switch {
	case f.json:
		return writeJSON(a.stdout, d)
	case f.source:
		return profile.WriteSource(a.stdout, d, text.Line)
	}
	return profile.WriteText(a.stdout, d, f.lines, text.Line)
}
