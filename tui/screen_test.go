package tui

import (
	"testing"
)

func TestPrint(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	t.Logf("\n%s", d.screen())
	for _, k := range []string{"2", "3", "4", "5", "6", "7", "?"} {
		d.keys(k)
		t.Logf("\n%s", d.screen())
	}
	d = newDriver(t, 160, 46, Options{Source: f, Sink: f})
	t.Logf("\n%s", d.screen())
}
