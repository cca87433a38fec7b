package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

func (m *model) typedSeek(args []string) (tea.Cmd, error) {
	if len(args) != 1 {
		return nil, misuse("seek", "say where to")
	}
	text, back := strings.CutPrefix(args[0], "-")
	at, ok := parseClock(strings.TrimSuffix(text, "s"))
	if !ok {
		return nil, misuse("seek", fmt.Sprintf("%q is no time", args[0]))
	}
	if back {
		at = max(m.span().At-at, 0)
	}
	m.seekMoment(at)
	return nil, nil
}

// typedLive shows a live target as it is.
func (m *model) typedLive([]string) (tea.Cmd, error) {
	m.seekEnd()
	return nil, nil
}

// parseClock reads [[hours:]minutes:]seconds, with a fraction if wanted.
func parseClock(s string) (time.Duration, bool) {
	parts := strings.Split(s, ":")
	if len(parts) > 3 {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(parts[len(parts)-1], 64)
	if err != nil || !(seconds >= 0 && seconds < 1e6) {
		return 0, false
	}
	total, unit := seconds, 60.0
	for i := len(parts) - 2; i >= 0; i-- {
		n, err := strconv.ParseUint(parts[i], 10, 16)
		if err != nil {
			return 0, false
		}
		total += float64(n) * unit
		unit *= 60
	}
	return time.Duration(total * float64(time.Second)), true
}

func (m *model) typedSpeed(args []string) (tea.Cmd, error) {
	if len(args) != 1 {
		return nil, misuse("speed", "say how fast")
	}
	v, err := strconv.ParseFloat(strings.TrimPrefix(args[0], "x"), 64)
	if err != nil || !(v >= minSpeed && v <= maxSpeed) {
		return nil, misuse("speed", fmt.Sprintf("%q is no speed from 1/64 to 256", args[0]))
	}
	m.transport.SetSpeed(v)
	return nil, nil
}
