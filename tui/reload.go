package tui

import "vyretop/tui/theme"

// lookAgain looks at the target now, and at the configuration.
func (m *model) lookAgain() {
	m.refresh()
	if m.reload == nil {
		return
	}
	c, err := m.reload()
	if err == nil && c.Theme != "" {
		err = m.themes.use(c.Theme)
	}
	if err != nil {
		m.fail(err)
		return
	}
	m.chrome.keys = c.Keys
	if c.Alerts != nil {
		m.alerts.watch = c.Alerts
	}
	if c.FPS > 0 {
		m.feed.fps = c.FPS
		m.feed.interval = m.feed.minInterval()
	}
	m.say(theme.Plain, "configuration read again: "+c.Path)
}
