package pane

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/tune"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// AlertStyle is the look of a level.
func AlertStyle(l alert.Level) cells.Style {
	switch l {
	case alert.Critical:
		return theme.Danger
	case alert.Warning:
		return theme.Warning
	default:
		return theme.Dim
	}
}

// Change writes how much B's rate differs from A's, with its interval: "+3.1% (-0.2..6.0)".
func Change(c *tune.Comparison) string {
	percent := func(ratio float64) float64 { return (ratio - 1) * 100 }
	return fmt.Sprintf("%+.1f%% (%.1f..%.1f)", percent(c.Ratio), percent(c.Low), percent(c.High))
}

// Overhead writes how much less a target does while it is observed, which is B of a comparison, with its interval:
// "3.1% (-0.2..6.0)".
func Overhead(c *tune.Comparison) string {
	percent := func(ratio float64) float64 { return (1 - ratio) * 100 }
	return fmt.Sprintf("%.1f%% (%.1f..%.1f)", percent(c.Ratio), percent(c.High), percent(c.Low))
}

// Replay is the state of a recording's player.
type Replay struct {
	At, End time.Duration
	Speed   float64
	Playing bool
	Brief   bool // there is little room
}

// badges are the words at the right edge: they say when the screen is not the live target, or when
// the target does not run freely.
func badges(f *Frame, st *Status) []segment {
	var out []segment
	add := func(text string, style cells.Style) {
		out = append(out, segment{text: " " + text + " ", style: style})
	}
	if st.ReadOnly {
		add("READ-ONLY", theme.Dim)
	}
	if st.Records {
		add("REC", theme.Danger)
	}
	for _, a := range st.Alerts {
		add(strings.ToUpper(a.Name), AlertStyle(a.Level)|cells.Reverse)
	}
	if f.Outcome.Failed() {
		add("WRONG RESULT", theme.BadgeWarn)
	}
	if f.Violations > 0 {
		add(units.Count(uint64(f.Violations))+" VIOLATED", theme.BadgeWarn)
	}
	if text := breaksText(st); text != "" {
		style := theme.Badge
		if st.Hits > 0 {
			style = theme.BadgeWarn
		}
		add(text, style)
	}
	if f.Snap != nil {
		if n := f.PausedWorkers(); n > 0 && n == f.Snap.Workers {
			add("PAUSED", theme.Badge)
		} else if n > 0 {
			add(strconv.Itoa(n)+" PAUSED", theme.Badge)
		}
		if !f.Snap.Consistent {
			add("TORN +"+units.Count(uint64(f.Snap.TornBy)), theme.Warning)
		}
	}
	if st.Lost {
		add("LOST "+units.Age(st.LostFor), theme.BadgeWarn)
	} else if st.Stale {
		add("STALE "+units.Age(st.Age), theme.BadgeWarn)
	}
	if st.Frozen {
		add("FROZEN +"+units.Age(st.Behind), theme.Badge)
	}
	if st.Past {
		add("-"+units.Age(st.Behind), theme.Badge)
	}
	if r := st.Replay; r != nil {
		add(r.text(), theme.Badge)
	}
	return out
}

// breaksText says how many breakpoints there are, how many of them are not in force, and which hits the user has not looked at:
// "BREAK 2 HIT 41", "BREAK 2, 1 PENDING".
func breaksText(st *Status) string {
	text := ""
	if st.Breaks > 0 || st.Hits > 0 {
		text = "BREAK " + strconv.Itoa(st.Breaks)
	}
	if st.Pending > 0 && st.Pending == st.Breaks {
		text += " PENDING"
	} else if st.Pending > 0 {
		text += ", " + strconv.Itoa(st.Pending) + " PENDING"
	}
	if st.Hits > 0 {
		text += " HIT " + units.Count(st.Hits)
	}
	return text
}

// text says where a replay is: "REPLAY 00:12.5/01:00.0 x2 playing".
func (r *Replay) text() string {
	if r.Brief {
		return "REPLAY " + units.Clock(r.At)
	}
	state := "held"
	if r.Playing {
		state = "x" + strconv.FormatFloat(r.Speed, 'g', 3, 64)
	}
	return "REPLAY " + units.Clock(r.At) + "/" + units.Clock(r.End) + " " + state
}
