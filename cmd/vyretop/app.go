package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"charm.land/fang/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/run"
	"vyretop/megakernel/safe"
	"vyretop/tui/config"
)

// app is the process as the commands see it.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer // for text: see drawing for what is not
	env            []string
	began          time.Time // of the program
	background     bool      // the shell began the process in the background of its terminal: there is no dashboard
	running        bool      // a command was reached, so an error is not about usage
	status         int       // of a command that succeeded in saying that something is wrong
	compiling      bool      // the driver compiles, which cannot be interrupted: the process ends without closing the backend
	config         *config.Config
	flags          *pflag.FlagSet // of the command, with the configuration applied
	atEnd          []func()       // what is left to say when the command has returned
	args           []string       // the command line
	interrupts     interrupts
	cut            cutOutput
	detached       *run.DetachedLog  // of a run that has left the terminal; nil for others
	fetched        map[string]string // copies of recordings of hubs by their files, with the addresses that users know
}

// run parses and executes a command line.
func (a *app) run(args []string) int {
	a.interrupts.forwarded = run.Supervised(a.env)
	ctx, stop := a.interrupts.context(context.Background())
	defer stop()
	a.args = args
	if file, ok := terminal(a.stdout); ok {
		a.background = !inForeground(file)
	}
	root := a.newRoot(args)
	root.SetArgs(wordsBehindFlags(root, args))
	root.SetIn(a.stdin)
	root.SetOut(drawing(a.stdout))
	if file, ok := terminal(a.stdout); ok {
		root.SetOut(fittedHelp{file})
	}
	root.SetErr(drawing(a.stderr))
	err := fang.Execute(ctx, root, fang.WithVersion(version), fang.WithErrorHandler(func(w io.Writer, _ fang.Styles, err error) {
		if !a.cut.by(err) {
			printError(ctx, w, a.remedied(err))
		}
	}))
	for _, f := range a.atEnd {
		f()
	}
	if a.cut.by(err) {
		a.cut.end(drawing(a.stdout))
	}
	switch {
	case err == nil:
		return a.status
	case !a.running:
		return exitUsage
	default:
		return exitStatus(err)
	}
}

// remedied adds what to do to errors of the command library, and to those of files.
func (a *app) remedied(err error) error {
	var path *fs.PathError
	switch {
	case !a.running && !errors.Is(err, errUsage):
		return usage(err.Error(), "vyretop --help lists the commands")
	case errors.As(err, &path) && !errors.Is(err, plainfile.ErrFile) && !strings.Contains(err.Error(), "Fix: "):
		return plainfile.Failure(path.Op, path.Path, err, plainfile.Fix(err))
	}
	return err
}

// printError writes an error for people; every error of this program says itself what to do.
func printError(ctx context.Context, w io.Writer, err error) {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintln(w, "vyretop: interrupted by a signal; the work was not finished")
		return
	}
	fmt.Fprintf(safe.NewWriter(w), "vyretop: %s\n", strings.TrimRight(err.Error(), "\n"))
}

// newRoot builds the tree of commands. It sees the arguments because the flags of `run` depend on
// the workload that they name.
func (a *app) newRoot(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "vyretop",
		Short: "Run, watch, steer and debug GPU megakernels from a terminal",
		Long:  "vyretop runs persistent GPU megakernels on an OpenGL compute engine, and shows, steers and debugs them from a terminal while they run.",
		Args:  subcommand,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			a.running = true
			if err := checkDurations(c.Flags()); err != nil {
				return err
			}
			return a.configure(c)
		},
	}
	defaultConfig := false
	root.Flags().BoolVar(&defaultConfig, "default-config", false, "print a configuration file with every setting")
	root.RunE = func(*cobra.Command, []string) error {
		if defaultConfig {
			_, err := io.WriteString(a.stdout, config.Default())
			return err
		}
		return a.welcome(a.stdout)
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(mistyped(err), flagFix(c, err))
	})
	a.addCommands(root, args)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		a.complete(root) // cobra keeps what completes flags for as long as the process lives, and all commands with it
	}
	root.SetHelpCommand(a.newHelp(root))
	root.SetCompletionCommandGroupID(groupSelf)
	root.InitDefaultCompletionCmd(args...)
	if c, _, err := root.Find([]string{"completion"}); err == nil && c != root {
		c.Args = subcommand // of a shell that it does not know it would show the help, and succeed
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	return root
}

// checkDurations refuses durations below 0, which no flag has a use for.
func checkDurations(s *pflag.FlagSet) (err error) {
	s.Visit(func(f *pflag.Flag) {
		if d, e := s.GetDuration(f.Name); e == nil && d < 0 && err == nil {
			err = usage(fmt.Sprintf("invalid --%s %v: must not be negative", f.Name, d), "use a duration such as 10s")
		}
	})
	return err
}

// configure reads the user's configuration for a command that has anything to configure.
func (a *app) configure(c *cobra.Command) (err error) {
	if c.Flags().Lookup("theme") == nil && c.Flags().Lookup("backend") == nil && c.Flags().Lookup("hub-key") == nil {
		return nil
	}
	if a.config, err = config.Load(config.Path(a.env)); err != nil {
		return err
	}
	a.flags = c.Flags()
	return a.config.Apply(a.flags, a.env)
}

// The groups of commands in the help.
const (
	groupRun  = "run"
	groupLook = "look"
	groupTest = "test"
	groupSelf = "self"
)

// commands lists the commands in the order of the help. Help, completion and docs/commands.md follow from it.
var commands = []struct {
	group string
	add   []func(a *app, args []string) *cobra.Command
}{
	{groupRun, []func(*app, []string) *cobra.Command{newRun, newSubmit, newQueue, newTune, newWarm, newDemo, newReplay, newRecommend, newDispatch, newDebug, newDAP, newLSP, newCapture}},
	{groupLook, []func(*app, []string) *cobra.Command{
		newAttach, newFleet, newHub, newList, newSnapshot, newStream, newWorkers, newTasks, newBreakpoints, newLog, newWords, newEvents,
		newStall, newPostmortem, newRecover, newDo, newAB, newDiff, newBisect, newWhatIf, newExport, newServeMetrics, newRecord,
	}},
	{groupTest, []func(*app, []string) *cobra.Command{newDoctor, newCheck, newProfile, newConform, newBench}},
	{groupSelf, []func(*app, []string) *cobra.Command{newInfo, newVersion}},
}

// addCommands adds the commands to root. args is the command line, on which the flags of commands for a workload depend.
func (a *app) addCommands(root *cobra.Command, args []string) {
	root.AddGroup(
		&cobra.Group{ID: groupRun, Title: "run and replay"},
		&cobra.Group{ID: groupLook, Title: "inspect a run, a recording or raw buffers"},
		&cobra.Group{ID: groupTest, Title: "check and measure"},
		&cobra.Group{ID: groupSelf, Title: "vyretop itself"},
	)
	for _, g := range commands {
		for _, add := range g.add {
			c := add(a, args)
			c.GroupID = g.group
			root.AddCommand(c)
		}
	}
}

// subcommand refuses an argument where a command was expected.
func subcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(fmt.Sprintf("unknown command %q", args[0]), fault.Suggest(args[0], commandNames(c), c.CommandPath()+" --help lists the commands"))
}

// arguments accepts between low and high arguments, which what names.
func arguments(low, high int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < low:
			return usage("missing argument: "+what, "write "+c.UseLine())
		case len(args) > high:
			return usage(fmt.Sprintf("unexpected argument %q", args[high]), "write "+c.UseLine())
		}
		return nil
	}
}

// terminal returns the file behind a stream if it is a terminal.
func terminal(stream any) (*os.File, bool) {
	if w, ok := stream.(io.Writer); ok {
		stream = drawing(w)
	}
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(f.Fd())
}

// notices is the terminal behind a stream, for what is drawn on one line and erased again. While the process is in the background
// nothing is drawn: it would stand in what the user types.
func notices(stream any) (w io.Writer, width func() int, ok bool) {
	file, ok := terminal(stream)
	return foreground{file}, func() int { return columns(file) }, ok
}

// foreground is a terminal that is written to while the process is in the foreground.
type foreground struct{ file *os.File }

// Write implements io.Writer.
func (f foreground) Write(p []byte) (int, error) {
	if !inForeground(f.file) {
		return len(p), nil
	}
	return f.file.Write(p)
}

// drawing is the stream below one for text: for what has escape sequences of our own, and for what is not text.
func drawing(stream io.Writer) io.Writer {
	if w, ok := stream.(*safe.Writer); ok {
		return w.Unwrap()
	}
	return stream
}

// columns is the width of the terminal behind a file, 80 where it cannot be read.
func columns(f *os.File) int {
	if w, _, err := term.GetSize(f.Fd()); err == nil && w > 0 {
		return w
	}
	return 80
}
