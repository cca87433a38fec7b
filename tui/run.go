package tui

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

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
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	m.ctx, m.surface = ctx, newSurface(cmp.Or[io.Writer](o.Output, os.Stdout), m.profile())

	d := &screenStack{options: o, base: m}
	defer func() { _ = d.drop() }() // the program ends: no user would see why a file could not be closed
	p := tea.NewProgram(d, programOptions(&o, m)...)
	stop := quitOn(ctx, p)
	defer stop()
	showFirst(m)
	defer m.surface.leave()
	group.Go(func() { m.surface.run(ctx, p.Send) })
	group.Go(func() { watchSize(ctx, m.surface, p.Send) })
	if _, err = p.Run(); err != nil {
		return &fault.Error{Kind: ErrTerminal, Detail: "the dashboard lost its terminal", Cause: err, Fix: "run it in an interactive terminal, or use --headless"}
	}
	return nil
}

// quitSignals ask the process to end.
var quitSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// modeRate is how often in a second the terminal library looks whether there is something to write: a mode of the
// terminal that changes, a text for the clipboard, a question to the terminal. Frames do not wait for it.
const modeRate = 10

// programOptions sets up the terminal library. Its signal handler stays off: in version 2.0.9 it waits forever to
// hand over a signal when something else has ended the program already. It is not told how large the terminal is, or
// it would keep cells of its own for all of it.
func programOptions(o *Options, m *model) []tea.ProgramOption {
	opts := []tea.ProgramOption{
		tea.WithEnvironment(m.files.environ), tea.WithColorProfile(m.profile()), tea.WithoutSignalHandler(),
		tea.WithOutput(m.surface), tea.WithFPS(modeRate), tea.WithFilter(withoutSize),
	}
	if o.Input != nil {
		opts = append(opts, tea.WithInput(o.Input))
	}
	return opts
}

// withoutSize drops what the library believes to be the size of the terminal.
func withoutSize(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.WindowSizeMsg); ok {
		return nil
	}
	return msg
}

// resized says how large the terminal is now.
type resized struct{ w, h int }

func (msg resized) route(m *model) tea.Cmd {
	m.width, m.height = msg.w, msg.h
	return nil
}

// watchSize tells how large the terminal is when that may have changed: also while the dashboard was suspended.
func watchSize(ctx context.Context, s *surface, send func(tea.Msg)) {
	changes, stop := sizeChanges()
	defer stop()
	for {
		if w, h, ok := s.size(); ok {
			send(resized{w, h})
		}
		select {
		case <-ctx.Done():
			return
		case <-changes:
		}
	}
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

// profile tells the terminal library not to strip what themes use, but to make of more than 16 colours what the
// terminal has.
func (m *model) profile() colorprofile.Profile {
	if th, err := m.themes.fresh(); err != nil || th.Mode != theme.Colour {
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
