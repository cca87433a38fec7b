package tui

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel/filter"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// typedSeek goes to a time, or to the next record of the log that matches: "~" and a regular expression, or "/" and a
// filter; behind "-" back from here.
func (ps *position) typedSeek(args []string) (tea.Cmd, error) {
	text, back := strings.CutPrefix(strings.Join(args, " "), "-")
	if strings.HasPrefix(text, "~") || strings.HasPrefix(text, "/") {
		return ps.typedSeekRecord(text, back)
	}
	if len(args) != 1 {
		return nil, misuse("seek", "say where to")
	}
	at, ok := units.ParsePosition(text)
	if !ok {
		return nil, misuse("seek", fmt.Sprintf("invalid time %q", args[0]))
	}
	if back {
		at = max(ps.span().At-at, 0)
	}
	ps.seekTime(at)
	return nil, nil
}

func (ps *position) typedSeekRecord(text string, back bool) (tea.Cmd, error) {
	sought := text[1:]
	if text[0] == '~' {
		sought = "text~" + filter.QuoteRegexp(sought)
	}
	e, err := filter.Parse(sought, pane.LogFields())
	if err != nil {
		return nil, err
	}
	t := ps.shell.pane(keymap.Log).Table() // n and N continue from here
	t.Sought, t.SoughtText = e, sought
	return ps.seekRecord(recordQuery{text: text, expr: e, back: back, from: ps.recordAt()}), nil
}

// typedSample continues by samples: "sample -10".
func (ps *position) typedSample(args []string) (tea.Cmd, error) {
	if len(args) == 1 {
		if n, err := strconv.Atoi(args[0]); err == nil {
			return seekSample(n)(ps.shell), nil
		}
	}
	return nil, misuse("sample", "say how many samples on, or back")
}

// typedLive shows a live target as it is.
func (ps *position) typedLive([]string) (tea.Cmd, error) {
	ps.seekEnd()
	return nil, nil
}

func (ps *position) typedSpeed(args []string) (tea.Cmd, error) {
	if len(args) != 1 {
		return nil, misuse("speed", "say how fast")
	}
	v, err := strconv.ParseFloat(strings.TrimPrefix(args[0], "x"), 64)
	if err != nil || !(v >= minSpeed && v <= maxSpeed) {
		return nil, misuse("speed", fmt.Sprintf("%q is not a speed from 1/64 to 256", args[0]))
	}
	ps.transport.SetSpeed(v)
	return nil, nil
}
