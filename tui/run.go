package tui

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"vyretop/engine/fault"
	"vyretop/tui/theme"
)

// Run shows the dashboard until the user quits, ctx ends, or the process is asked to terminate
// (SIGTERM, SIGHUP, SIGINT); in these cases the error is nil. The terminal is restored in every
// case, a panic included. Errors are ErrTerminal, theme.ErrColor or ErrOptions.
func Run(ctx context.Context, o Options) error {
	m, err := newModel(o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.ctx = ctx

	out := newOutlet(terminalOr(o.Output))
	defer out.flush(leaveTime)
	m.terminal = pixelsOf(&o)
	d := &screenStack{options: o, base: m, out: out}
	defer func() { _ = d.drop() }() // the program ends: no user would see why a file could not be closed
	p := tea.NewProgram(d, append(programOptions(&o, m), tea.WithOutput(out.library()), tea.WithFilter(d.leave))...)
	out.caught = func() { p.Send(caughtUp{}) }
	stop := quitOn(ctx, p)
	defer stop()
	_, err = p.Run()
	if o.Owner != nil && o.Owner.Left != nil {
		o.Owner.Left(m.place())
	}
	if err != nil {
		return &fault.Error{Kind: ErrTerminal, Detail: "the dashboard lost its terminal", Cause: err, Fix: "run it in an interactive terminal, or use --headless"}
	}
	return nil
}

// leaveTime is how long a terminal that takes nothing holds up the end.
const leaveTime = 2 * time.Second

// terminalOr is a writer, or the terminal for nil.
func terminalOr(w io.Writer) io.Writer {
	if w == nil {
		return os.Stdout
	}
	return w
}

// quitSignals ask the process to end.
var quitSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// drawRate is how often in a second the terminal library looks for a frame to draw: a key is on the screen, and the first frame, a
// third sooner than with the library's 60, and the processor has little more to do. Options.FPS bounds how often data make a new frame.
const drawRate = 90

// programOptions sets up the terminal library. Its signal handler stays off: in version 2.0.9 it waits forever to
// hand over a signal when something else has ended the program already.
func programOptions(o *Options, m *model) []tea.ProgramOption {
	opts := []tea.ProgramOption{
		tea.WithEnvironment(m.files.environ), tea.WithColorProfile(m.profile()), tea.WithoutSignalHandler(), tea.WithFPS(drawRate),
	}
	if o.Input != nil {
		opts = append(opts, tea.WithInput(o.Input))
	}
	return opts
}

// theme is what the options and the environment make of it.
func (o *Options) theme() (*theme.Theme, error) {
	th, err := theme.Detect(o.Environ, o.Color)
	if err != nil {
		return nil, err
	}
	if o.Looks != nil {
		th.Apply(o.Looks)
	}
	if o.ASCII {
		th.UseASCII()
	}
	return th, nil
}

// profile tells the terminal library not to strip what themes use, but to make of more than 16 colors what the
// terminal has.
func (m *model) profile() colorprofile.Profile {
	if th, err := m.themes.fresh(); err != nil || th.Mode != theme.Color {
		return colorprofile.ASCII
	}
	return max(colorprofile.Env(m.files.environ), colorprofile.ANSI)
}

// quitOn ends the program when ctx does or a signal asks for it, whichever comes first. The returned
// function stops watching.
func quitOn(ctx context.Context, p *tea.Program) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, quitSignals...)
	done := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
		case <-signals:
		case <-done:
			return
		}
		p.Quit()
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}
