package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/device"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/command"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
	"vyretop/tui"
)

// runFlags are the flags that every workload has.
type runFlags struct {
	deviceFlags
	devices
	viewFlags
	kernelFlags
	heldFlags

	hub           hubFlags
	queue         queueFlags
	workers       int
	workgroupSize int
	seed          uint64
	parallel      int
	label         string
	atMost        time.Duration
	allowControl  bool
	noControl     bool
	told          toldFlags
	log           string
	breaks        []string
	watched       bool                              // handlers are reloaded when their files change
	again         bool                              // the run is to start again, with
	kept          []breakpoint.Status               // these breakpoints, and
	place         tui.Place                         // the dashboard where it was
	reopen        func() (workload.Workload, error) // makes the workload of a run that starts again
	handlers      func() (*workload.Setup, error)   // nil: the workload has no folder
	out           *outputs                          // nil without a workload
}

// toldFlags say where else it is told what a run does.
type toldFlags struct {
	record   string
	segments segmentFlags
	metrics  string // address that they are served at; "" for none
}

func (f *toldFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.record, "record", "", "record the run to this new file, or to a hub while it runs: nats://HOST:PORT/recordings/NAME.mcap")
	f.segments.register(s)
	s.StringVar(&f.metrics, "serve-metrics", "", "serve the metrics to Prometheus at this address, such as "+metricsAddress)
}

// heldFlags say how a run begins and ends that a debugger starts.
type heldFlags struct {
	paused     bool
	whileStdin bool // it ends with its standard input
}

func (f *heldFlags) register(s *pflag.FlagSet) {
	s.BoolVar(&f.paused, "paused", false, "start with all workers paused; resume with C, or vyretop do resume all")
	s.BoolVar(&f.whileStdin, "while-stdin", false, "end when standard input does")
	_ = s.MarkHidden("while-stdin") // fails for unknown flags only
}

// kernelFlags say which kernel a run has.
type kernelFlags struct {
	mode        string
	noTuned     bool
	checkAccess bool
	noInline    bool
	start       string
}

// When a run starts its tasks: --start.
const (
	startCompiled = "compiled"
	startNow      = "now"
)

// maxWorkgroupSize is what OpenGL 4.5 guarantees of lanes in a workgroup.
const maxWorkgroupSize = 1024

func (f *runFlags) register(s *pflag.FlagSet) {
	f.registerBackend(s, "", "that runs the kernel")
	f.devices.register(s)
	s.IntVar(&f.workers, "workers", 0, "number of resident workgroups (default: chosen for the device)")
	s.IntVar(&f.workgroupSize, "workgroup-size", 0, "lanes per worker (default: chosen for the device)")
	s.StringVar(&f.mode, "mode", string(run.Auto), "specialize the kernel for hot opcodes: "+strings.Join(run.Modes, ", "))
	s.BoolVar(&f.checkAccess, "check-access", false, "report out-of-range accesses of handlers, with task, line and index, on devices too (the reference backend always does)")
	s.BoolVar(&f.noInline, "no-inline", false, "have the driver compile large handlers as separate functions: faster to compile, slower to run (NVIDIA)")
	s.StringVar(&f.start, "start", startCompiled, "when tasks start: compiled, or now, on the interpreter until the device has compiled the kernel")
	s.BoolVar(&f.noTuned, "no-tuned", false, "ignore the tuned launch shape")
	s.Uint64Var(&f.seed, "seed", 1, "seed of the reference backend's scheduler")
	s.DurationVar(&f.atMost, "for", 0, "stop after this time, even if work is left")
	s.BoolVar(&f.headless, "headless", false, "print a summary at the end instead of a dashboard")
	s.BoolVar(&f.json, "json", false, "print one JSON document at the end instead of a dashboard")
	s.IntVar(&f.parallel, "parallel", 0, "goroutines of the reference backend; the order varies (0: one, in the order of --seed)")
	s.StringVar(&f.label, "label", "", "label of the run in recordings, errors and GL debuggers")
	f.told.register(s)
	s.StringVar(&f.log, "log", "all", "debug log filter: all, off, kinds such as done,fault or -yield, every=N or every=auto, op=N,N (every=1 logs each activation and slows short ones down many times)")
	f.heldFlags.register(s)
	s.StringArrayVar(&f.breaks, "break", nil, "breakpoint to set before the first activation; syntax of vyretop do bp (repeatable)")
	f.viewFlags.register(s)
	s.StringVar(&f.exec.file, "exec", "", execUsage+"; commands before the first wait run before the first activation")
	s.BoolVar(&f.watched, "watch", false, "reload the handlers whenever a file in the workload's folder changes; queues, tasks and breakpoints stay")
	s.BoolVar(&f.allowControl, "allow-control", false, "let every attached client control the run")
	s.BoolVar(&f.noControl, "no-control", false, "let no other process control the run")
	s.BoolVar(&f.readOnly, "readonly", false, "disable the dashboard's actions")
	f.hub.register(s, "announce the run at this hub, for vyretop fleet")
	f.queue.register(s)
}

// check finds values that no device and no dashboard can make sense of.
func (f *runFlags) check(set *pflag.FlagSet) error {
	if err := f.hub.check(); err != nil {
		return err
	}
	if err := f.chooseDevices(); err != nil {
		return err
	}
	for _, n := range []struct {
		flag     string
		v, limit int
	}{{"workers", f.workers, megakernel.MaxWorkers}, {"workgroup-size", f.workgroupSize, maxWorkgroupSize}} {
		if set.Changed(n.flag) && (n.v < 1 || n.v > n.limit) {
			return usage(fmt.Sprintf("invalid --%s %d: out of range", n.flag, n.v), fmt.Sprintf("use 1 to %d, or leave it out", n.limit))
		}
	}
	if !slices.Contains(run.Modes, f.mode) {
		return usage(fmt.Sprintf("unknown --mode %q", f.mode), fault.Suggest(f.mode, run.Modes, "use "+strings.Join(run.Modes, ", ")))
	}
	if starts := []string{startCompiled, startNow}; !slices.Contains(starts, f.start) {
		return usage(fmt.Sprintf("unknown --start %q", f.start), fault.Suggest(f.start, starts, "use "+strings.Join(starts, " or ")))
	}
	if _, err := f.logSettings(); err != nil {
		return usage("invalid --log "+strconv.Quote(f.log)+": "+err.Detail, err.Fix)
	}
	if _, err := f.breakpoints(); err != nil {
		return err
	}
	if set.Changed("for") && f.atMost <= 0 {
		return usage(fmt.Sprintf("invalid --for %v: must be above 0", f.atMost), "use a duration such as 10s")
	}
	if err := f.told.segments.check(f.told.record != ""); err != nil {
		return err
	}
	if err := checkHubRecording("--record", f.told.record, &f.told.segments); err != nil {
		return err
	}
	return f.viewFlags.check()
}

// logSettings reads --log.
func (f *runFlags) logSettings() ([]megakernel.Setting, *fault.Error) {
	list, err := megakernel.ParseLog(strings.Fields(f.log))
	var wrong *fault.Error
	errors.As(err, &wrong)
	return list, wrong
}

// breakpoints reads --break.
func (f *runFlags) breakpoints() (out []command.Order, err error) {
	for _, text := range f.breaks {
		o, err := command.Parse("bp " + text)
		if err == nil && o.Break.Do != command.BreakSet {
			err = usage(fmt.Sprintf("invalid --break %q: must be a condition", text), "write, for example, --break 'op=16 and tenant!=2'")
		}
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// newRun makes the run command. The workload that args name adds its own flags; when none can be
// found the command says so when it is executed.
func newRun(a *app, args []string) *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:     "run WORKLOAD|DIR",
		Short:   "Run a workload in the dashboard, or headless",
		Long:    "Run a workload in the dashboard, or headless if stdout is not a terminal. WORKLOAD is a built-in one (" + strings.Join(run.Workloads(), ", ") + "), DIR a folder with a " + workload.ManifestName + ". Each workload has its own flags: vyretop run WORKLOAD --help. If the device is lost, the run reopens it and starts over from its inputs, up to three times.",
		Example: "vyretop run scan --path /usr/share/doc\nvyretop run scan --headless --json --out matches.tsv\nvyretop run ./my-workload --backend reference --seed 7",
		Args:    arguments(1, 1, "WORKLOAD|DIR"),
	}
	f.register(c.Flags())
	name, definition, err := a.findWorkload("run", c.Flags(), args, 0)
	if definition != nil {
		c.Use = "run " + definition.Name()
		f.out = registerOutputs(c.Flags(), definition)
		c.Example = examplesOf(name, definition)
		addWorkloadFlags(c, definition)
		c.Args = workloadArguments(definition)
		f.handlers = run.HandlersOf(name)
		f.reopen = func() (workload.Workload, error) {
			d, err := run.OpenWorkload(name) // its files may be others now
			if err != nil {
				return nil, err
			}
			return d.New(f.queue.values(workloadValues(c.Flags(), definition)))
		}
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err != nil {
			return err
		}
		if err := f.check(c.Flags()); err != nil {
			return err
		}
		leave, err := f.queue.open(c.Context(), &f.hub, definition)
		if err != nil {
			return err
		}
		defer leave()
		return f.execute(c.Context(), a, definition, f.queue.values(workloadValues(c.Flags(), definition)))
	}
	c.FParseErrWhitelist.UnknownFlags = err != nil // say what is wrong with the workload first
	return c
}

// workloadArguments accepts the workload alone, and says of what else is given which flag it may belong to.
func workloadArguments(d workload.Definition) cobra.PositionalArgs {
	only := arguments(1, 1, "WORKLOAD|DIR")
	return func(c *cobra.Command, args []string) error {
		list := d.Flags()
		if len(args) < 2 || len(list) == 0 {
			return only(c, args)
		}
		flags := make([]string, len(list))
		for i, f := range list {
			flags[i] = strings.TrimSpace("--" + f.Name + " " + f.Value)
		}
		return usage(fmt.Sprintf("unexpected argument %q", args[1]), fmt.Sprintf("%s takes flags: %s", c.CommandPath()+" "+args[0], strings.Join(flags, ", ")))
	}
}

// findWorkload looks for the workload that the command line of a command names, before its flags are known. at is the number of
// arguments in front of it. name is as it was typed. It returns nothing for the line of another command, or one without the argument.
func (a *app) findWorkload(command string, common *pflag.FlagSet, args []string, at int) (name string, d workload.Definition, err error) {
	if len(args) == 0 || args[0] != command {
		return "", nil, nil
	}
	lenient := pflag.NewFlagSet(command, pflag.ContinueOnError)
	lenient.ParseErrorsAllowlist.UnknownFlags = true
	lenient.Usage = func() {}
	common.VisitAll(func(f *pflag.Flag) {
		copied := *f
		copied.Value = ignored{f.Value}
		lenient.AddFlag(&copied)
	})
	if err := lenient.Parse(args[1:]); err != nil && !errors.Is(err, pflag.ErrHelp) {
		return "", nil, nil // the real parse reports it
	}
	if lenient.NArg() <= at {
		return "", nil, nil
	}
	name = lenient.Arg(at)
	d, err = run.OpenWorkload(name)
	return name, d, err
}

// ignored is the value of a flag in a parse that only looks for arguments.
type ignored struct{ pflag.Value }

// Set implements pflag.Value.
func (ignored) Set(string) error { return nil }

// addWorkloadFlags registers a workload's own flags. One that a common flag already has the name of
// cannot be given.
func addWorkloadFlags(c *cobra.Command, d workload.Definition) {
	for _, w := range d.Flags() {
		if c.Flags().Lookup(w.Name) == nil {
			c.Flags().String(w.Name, w.Default, w.Help)
		}
	}
	c.Long = d.Title()
}

// workloadValues collects the workload's flags that were given.
func workloadValues(set *pflag.FlagSet, d workload.Definition) map[string]string {
	values := map[string]string{}
	for _, w := range d.Flags() {
		if f := set.Lookup(w.Name); f != nil && f.Changed {
			values[w.Name] = f.Value.String()
		}
	}
	return values
}

// execute opens the device and runs a workload in the dashboard or headless.
func (f *runFlags) execute(ctx context.Context, a *app, d workload.Definition, values map[string]string) (err error) {
	if file := run.Accompanied(a.env); file != "" {
		f.hub.accompany(ctx, a, file)
		return nil
	}
	if f.supervised(a) {
		return nil
	}
	if f.whileStdin {
		ctx = endsWith(ctx, a.stdin)
	}
	if err := f.readExec(a); err != nil {
		return err
	}
	w, err := d.New(values) // before the device takes its time
	if err != nil {
		return err
	}
	if err := run.CheckShared(d.Name(), w, len(f.list)); err != nil {
		return err
	}
	backend, err := f.openDevices(ctx, a, device.Choice{Seed: f.seed, Workers: f.workers, Parallel: f.parallel})
	if err != nil {
		return err
	}
	defer func() {
		if !errors.Is(err, run.ErrAbandoned) && !a.compiling {
			err = errors.Join(err, f.closeDevices(backend))
		}
	}()
	lanes := cmp.Or(f.workgroupSize, resident.DefaultWorkgroupSize(backend.Profile()))
	return f.runOn(ctx, a, d.Name(), func() (workload.Workload, error) { return d.New(values) }, backend, f.useTuned(a, backend.Identity(), d.Name(), lanes))
}
