package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// A click on any line of a row that is wrapped selects that row.
func TestClickOnAWrappedRow(t *testing.T) {
	f := newFake()
	f.format = strings.Repeat("a message that is long ", 6) + "%u %u"
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.m.showTab(keymap.Log)
	d.keys("w", "g")
	main := d.m.layout().Main
	top := main.Y + pane.HeadOf(d.m.shown(), main)
	lines := strings.Split(d.screen(), "\n")
	tall := 0
	for y := top; y < top+10 && !strings.Contains(lines[y], "yield"); y++ {
		tall++
	}
	if tall < 2 {
		t.Fatalf("the first record is not wrapped:\n%s", d.screen())
	}
	for y, want := range map[int]uint64{top: 0, top + tall - 1: 0, top + tall: 1} {
		d.clock = d.clock.Add(time.Second) // no double click
		d.send(tea.MouseClickMsg{X: 40, Y: y, Button: tea.MouseLeft})
		if got := d.m.table().Selected; got != want {
			t.Errorf("a click on line %d selects record %d, want %d", y, got, want)
		}
	}
}
