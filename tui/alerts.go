package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/alert"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// alerts is which conditions are watched, and what they ask for.
type alerts struct {
	shell   *model
	watch   *alert.Watch
	ringing bool // the bell is to be rung
}

// observeAlerts notes which alerts were raised, became worse or ended.
func (al *alerts) observeAlerts(s *megakernel.Snapshot) {
	for _, c := range al.watch.Observe(s) {
		al.shell.feed.events.add(pane.Event{HostEvent: megakernel.HostEvent{At: s.Taken, Kind: pane.EventAlert, Text: c.String()}})
		al.ringing = al.ringing || slices.Contains(c.Do, alert.DoBell)
		if slices.Contains(c.Do, alert.DoSnapshot) {
			al.shell.files.saving = c.String()
		}
	}
}

// bell rings the terminal's bell once for all alerts that asked for it.
func (al *alerts) bell() tea.Cmd {
	if !al.ringing {
		return nil
	}
	al.ringing = false
	return tea.Raw("\a")
}

// alertList shows the alerts that were raised, and acknowledges them.
type alertList struct{ selected int }

func (x *alertList) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	list := m.alerts.watch.List()
	switch key := msg.String(); key {
	case "enter":
		if x.selected < len(list) {
			m.alerts.watch.Acknowledge(list[x.selected].Name)
		}
	case "a":
		m.alerts.watch.Acknowledge("")
		m.modal = nil
	default:
		cmd, _ := m.listKey(key, &x.selected, len(list))
		return cmd
	}
	return nil
}

func (x *alertList) paste(*model, string) tea.Cmd { return nil }

// Columns of the list of alerts.
const (
	alertLevel = 2
	alertSince = 12
	alertName  = 22
	alertText  = 42
)

func (x *alertList) draw(m *model, screen, footer cells.Area) {
	list := m.alerts.watch.List()
	inner := m.box(screen, middle(screen.Rect, helpWidth, max(len(list), 1)+3), "Alerts", theme.Dim)
	if len(list) == 0 {
		inner.Text(1, 0, "No alert was raised. Rules are in the configuration: vyretop --default-config", theme.Dim)
	}
	for i, a := range list {
		line := inner.Line(i)
		line.Text(alertLevel, 0, a.Level.String(), pane.AlertStyle(a.Level))
		line.Fit(alertSince, 0, units.DurationWidth+3, []byte(units.Clock(a.Since)), true, m.look.Glyphs.Ellipsis, theme.Dim)
		line.Fit(alertName, 0, alertText-alertName-1, []byte(a.Name), false, m.look.Glyphs.Ellipsis, theme.Plain)
		line.Fit(alertText, 0, line.W-alertText-1, []byte(a.Reason()), false, m.look.Glyphs.Ellipsis, theme.Dim)
		if a.Acknowledged {
			line.Set(0, 0, m.look.Glyphs.Mark, theme.Dim)
		}
		if i == x.selected {
			line.Highlight()
		}
	}
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, "Enter acknowledges   a acknowledges all   Esc closes", theme.Dim)
}
