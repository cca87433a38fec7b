package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/plainfile"
	"vyretop/megakernel"
	"vyretop/megakernel/command"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/run"
	"vyretop/tui/progress"
)

// doFlags are the flags of do.
type doFlags struct {
	liveFlags
	timeout time.Duration
	timed   bool // timeout was given, and is for every command
	control bool
	json    bool
	exec    string
}

// liveFlags choose a live run.
type liveFlags struct {
	target string
	wait   time.Duration
}

func (f *liveFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.target, "target", "", "name of the live run (default: the only one)")
	s.DurationVar(&f.wait, "wait", 0, "how long to wait for the run to start")
}

// newDo makes the command that steers a live run.
func newDo(a *app, _ []string) *cobra.Command {
	f := &doFlags{}
	c := &cobra.Command{
		Use:   "do COMMAND…",
		Short: "Steer a live run: pause, resume, step, requeue, edit, set, break, drain, stop",
		Long: "do runs a command on a live run and waits for the answer. The commands are those of the dashboard's \":\" prompt:\n\n" +
			command.Usages("    ") +
			"\nOne client at a time has control of a run; --control takes it even if another client has it. The exit status is 1 if the run refused.",
		Example: "vyretop do pause worker 3\nvyretop do set workers=4 tenant-quota.3=500 --target scan --json\nvyretop do 'requeue task 1005 high'\nvyretop do --exec steps.txt",
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		f.timed = c.Flags().Changed("timeout")
		return f.run(c.Context(), a, args)
	}
	s := c.Flags()
	f.liveFlags.register(s)
	s.DurationVar(&f.timeout, "timeout", command.AnswerTime, "time limit for an answer, compiling included (default for bp, break, watch and settings: 1m plus compiling; for wait, drain and apply: none)")
	s.BoolVar(&f.control, "control", false, "take control even if another client holds it")
	s.BoolVar(&f.json, "json", false, "print a JSON object for each command")
	s.StringVar(&f.exec, "exec", "", execUsage)
	c.ValidArgsFunction = completeOrder
	return c
}

const execUsage = "run the commands in a file, one per line (-: stdin); see vyretop help scripts"

// completeOrder completes the words of a command.
func completeOrder(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return command.Names(), cobra.ShellCompDirectiveNoFileComp
	}
	if v := command.Find(args[0]); v != nil {
		return v.Words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// wordsBehindFlags returns the arguments of do with its flags first and "--" before what is left, so that words of the
// command may begin with a dash: "log -yield", "edit rays.x -1". Other command lines are returned as they are.
func wordsBehindFlags(root *cobra.Command, args []string) []string {
	dashed := func(arg string) bool { return len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && arg != "-h" }
	if len(args) == 0 || args[0] != "do" || !slices.ContainsFunc(args, dashed) {
		return args
	}
	c, rest, err := root.Find(args)
	if err != nil {
		return args
	}
	flags, words := []string{args[0]}, []string{"--"}
	for i := 0; i < len(rest); i++ {
		arg := rest[i]
		switch {
		case arg == "--":
			return slices.Concat(flags, words, rest[i+1:])
		case !strings.HasPrefix(arg, "--") && arg != "-h":
			words = append(words, arg)
			continue
		}
		flags = append(flags, arg)
		f := c.Flags().Lookup(strings.TrimPrefix(arg, "--"))
		if f != nil && f.NoOptDefVal == "" && i+1 < len(rest) {
			i++
			flags = append(flags, rest[i])
		}
	}
	return append(flags, words...)
}

// run connects to the run and carries out what was asked for.
func (f *doFlags) run(ctx context.Context, a *app, args []string) (err error) {
	orders, err := f.orders(a, args)
	if err != nil {
		return err
	}
	dial := remote.DialOptions{Client: "vyretop do", Control: wish(!f.control && command.Watching(orders), f.control, remote.ControlAuto), NoLog: true}
	name, err := reach(ctx, a, &dial, f.target, f.wait, remote.Administer)
	if err != nil {
		return err
	}
	client, err := remote.Dial(ctx, name, dial)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	if _, err := client.First(ctx); err != nil { // what an edit goes by
		return err
	}
	for {
		now, then, again := command.UpToRerun(orders)
		if err := f.perform(ctx, a, name, client, now); err != nil || !again {
			return err
		}
		next, err := f.startedAgain(ctx, a, client, dial)
		if err != nil {
			return err
		}
		_ = client.Close() // of the run that has ended
		if client, orders = next, then; len(orders) == 0 {
			return nil
		}
	}
}

// startedAgain waits for the run that takes the place of one that a rerun has ended, and connects to it. --timeout bounds it.
func (f *doFlags) startedAgain(ctx context.Context, a *app, ended *remote.Client, dial remote.DialOptions) (*remote.Client, error) {
	if f.timed {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	defer a.noteSince("waiting for the run to start again", time.Now(), 0)()
	return run.DialAgain(ctx, ended, dial, run.StartingDir(a.env))
}

// perform carries out orders on a run.
func (f *doFlags) perform(ctx context.Context, a *app, name string, client *remote.Client, orders []command.Order) error {
	defer noteCompiling(a.stderr, client)()
	p := &command.Performer{Target: client, Said: func(o *command.Order, r *command.Result) error {
		if f.json {
			return json.NewEncoder(a.stdout).Encode(command.NewDocument(name, o, r))
		}
		if w, _, ok := notices(a.stderr); ok { // the note of a compilation
			progress.Erase(w)
		}
		_, err := fmt.Fprintln(a.stdout, r)
		return err
	}}
	if f.timed {
		p.Timeout = f.timeout
	}
	return p.Perform(ctx, orders)
}

// noteCompiling says on a terminal that a run compiles a kernel, which what was asked of it may wait for, until the
// function that it returns is called.
func noteCompiling(w io.Writer, t command.Target) (done func()) {
	w, width, ok := notices(w)
	if !ok {
		return func() {}
	}
	return progress.While(w, width, func() string { return compilingNote(t.Snapshot()) })
}

// compilingNote says that the target of a snapshot compiles a kernel; "" where it does not.
func compilingNote(s *megakernel.Snapshot) string {
	if s == nil || s.Compiling == (megakernel.Compiling{}) {
		return ""
	}
	return fmt.Sprintf("the run is compiling a kernel variant, %v", s.Compiling.Elapsed.Round(100*time.Millisecond))
}

// orders reads what is to be done.
func (f *doFlags) orders(a *app, args []string) ([]command.Order, error) {
	switch {
	case f.timeout <= 0 || f.wait < 0:
		return nil, usage("invalid --timeout: must be above 0", "use a duration such as 10s")
	case f.exec != "" && len(args) > 0:
		return nil, usage("--exec and a command exclude each other", "give one of them")
	case f.exec != "":
		return readScript(a, f.exec, command.ParseScript)
	}
	o, err := command.Parse(strings.Join(args, " "))
	return []command.Order{o}, err
}

// script is what --exec names: lines for the dashboard, else orders.
type script struct {
	file   string
	lines  []command.Line
	orders []command.Order
}

// readExec reads the script of --exec, if there is one.
func (f *viewFlags) readExec(a *app) (err error) {
	switch {
	case f.exec.file == "":
	case f.interactive(a):
		f.exec.lines, err = readScript(a, f.exec.file, command.ReadScript)
	default:
		f.exec.orders, err = readScript(a, f.exec.file, command.ParseScript)
	}
	return err
}

// perform carries out the orders of --exec while beside runs, whose context it ends when one fails. What becomes of them is
// printed on stderr.
// It opens g, unless that is nil, when it comes to wait for something.
func (f *viewFlags) perform(ctx context.Context, a *app, t command.Target, g *gate, beside func(context.Context) error) error {
	if len(f.exec.orders) == 0 {
		return beside(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		p := &command.Performer{Target: t, Waits: opens(g), Said: func(_ *command.Order, r *command.Result) error {
			_, err := fmt.Fprintln(a.stderr, "vyretop:", r)
			return err
		}}
		err := p.Perform(ctx, f.exec.orders)
		if ctx.Err() != nil {
			err = nil // it was over before the script
		}
		if err != nil {
			cancel()
		}
		failed <- err
	}()
	err := beside(ctx)
	cancel()
	return errors.Join(<-failed, err)
}

// opens is what opens a gate; nil opens nothing.
func opens(g *gate) func() {
	if g == nil {
		return nil
	}
	return g.open
}

// readScript reads a script; - is stdin.
func readScript[T any](a *app, file string, read func(name string, r io.Reader) ([]T, error)) ([]T, error) {
	if file == "-" {
		return read("stdin", a.stdin)
	}
	f, err := plainfile.Open(file)
	if err != nil {
		return nil, plainfile.Failure("read", file, err, "name a file of commands, one in a line, or - for stdin")
	}
	defer f.Close()
	lines, err := read(file, f)
	if err != nil && !errors.Is(err, command.ErrLine) {
		err = plainfile.Failure("read", file, err, "name a file of commands, one in a line, or - for stdin")
	}
	return lines, err
}
