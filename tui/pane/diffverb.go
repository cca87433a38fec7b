package pane

import (
	"fmt"
	"strconv"
	"strings"

	"vyretop/engine/units"
	"vyretop/tui/keymap"
)

// typedDiff chooses what is compared: "diff 1s 2.5s", or of one time, with the screen.
func (p *diffPane) typedDiff(args []string) error {
	filtered := len(args) > 0 && strings.HasPrefix(args[0], "/")
	switch {
	case len(args) > 2 && !filtered:
		return usage("name two times, markers or screens")
	case len(args) == 0:
		p.Show(keymap.Diff)
		return nil
	case filtered:
		p.Show(keymap.Diff)
		return p.table.KeepFilter(strings.Join(args, " ")[1:])
	}
	sides := [2]chosenSide{{}, {kind: shownSide}}
	for i, text := range args {
		var err error
		if sides[i], err = p.typedSide(text); err != nil {
			return err
		}
	}
	p.Show(keymap.Diff)
	p.compare(sides[0], sides[1])
	return nil
}

// typedSide reads a time, the number of a marker behind "m", or a name.
func (p *diffPane) typedSide(text string) (chosenSide, error) {
	if kind, ok := sideNames[text]; ok {
		if kind == baseSide && p.Position.Base() == nil {
			return chosenSide{}, usage("no base screen: Ctrl-O opens a recording over this one")
		}
		return chosenSide{kind: kind}, nil
	}
	if number, ok := strings.CutPrefix(text, "m"); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(p.Position.Marks()) {
			return chosenSide{}, usage(p.noMarker(text))
		}
		return chosenSide{timedSide, p.Position.Marks()[n-1], "marker " + number}, nil
	}
	clock, back := strings.CutPrefix(text, "-")
	at, ok := units.ParsePosition(clock)
	if !ok {
		return chosenSide{}, usage(fmt.Sprintf("%q is not a time", text))
	}
	if back {
		at = max(p.Position.At()-at, 0)
	}
	if p.Position.Sample(at) == nil {
		return chosenSide{}, usage("no snapshot at " + string(units.AppendClock(nil, at)) + ": it is before the first one that is kept")
	}
	return chosenSide{kind: timedSide, at: at}, nil
}

// noMarker says that a marker is not set, and which are.
func (p *diffPane) noMarker(name string) string {
	switch n := len(p.Position.Marks()); n {
	case 0:
		return fmt.Sprintf("marker %q is not set: none is, %s sets one", name, p.KeyOf(keymap.SetMark))
	case 1:
		return fmt.Sprintf("marker %q is not set, only m1", name)
	default:
		return fmt.Sprintf("marker %q is not set, they are m1 to m%d", name, n)
	}
}
