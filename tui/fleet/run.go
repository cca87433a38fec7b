package fleet

import (
	"context"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"vyretop/engine/fault"
	"vyretop/megakernel/targets"
	"vyretop/tui/theme"
)

// Run shows the screen until the user leaves, or ctx ends: then opened is nil. Or the user opens a target: place is where the screen was.
// Errors are ErrTerminal and those of filters.
func Run(ctx context.Context, o Options) (opened *targets.Target, place *Place, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m, err := newModel(ctx, &o)
	if err != nil {
		return nil, nil, err
	}
	profile := colorprofile.ASCII
	if o.Look.Mode == theme.Color {
		profile = max(colorprofile.Env(o.Environ), colorprofile.ANSI)
	}
	m.o.Color = profile >= colorprofile.ANSI256
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithEnvironment(o.Environ), tea.WithColorProfile(profile), tea.WithoutSignalHandler(), tea.WithFPS(o.FPS), tea.WithInput(o.Input), tea.WithOutput(o.Output))
	_, err = p.Run()
	if err != nil && ctx.Err() == nil {
		return nil, nil, &fault.Error{Kind: ErrTerminal, Cause: err, Fix: "run it in an interactive terminal, or use --json or --linear"}
	}
	return m.opened, &m.place, nil
}
