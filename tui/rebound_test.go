package tui

import (
	"strings"
	"testing"

	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

func rebound(t *testing.T, keys map[string][]string) *keymap.Map {
	t.Helper()
	out, err := pane.Keys().Rebind(keys)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The keys that open chips and breakpoints close them too, whatever they are, and the former ones do not.
func TestKeysThatOpenAlsoClose(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 24, Options{Source: f, Sink: f, Keys: rebound(t, map[string][]string{
		keymap.Chips: {"X"}, keymap.Breaks: {"Q"}, keymap.Filter: {"ctrl+p"}, keymap.Unfilter: {"Y"},
	})})
	d.keys("3")
	for _, open := range []struct{ key, was string }{{"X", "F"}, {"Q", "B"}} {
		d.keys(open.key)
		modal := d.m.modal
		if modal == nil {
			t.Fatalf("%s opens nothing", open.key)
		}
		if d.keys(open.was); d.m.modal != modal {
			t.Errorf("%s closes what %s has opened", open.was, open.key)
		}
		if d.keys(open.key); d.m.modal != nil {
			t.Errorf("%s does not close what it opened", open.key)
		}
	}
	d.keys("X", "Y")
	if text := d.m.table().FilterText; text != "" {
		t.Errorf("the filter is %q after D among the chips", text)
	}
	d.keys("ctrl+p")
	if _, ok := d.m.modal.(*input); !ok {
		t.Errorf("Ctrl-P among the chips opens %T", d.m.modal)
	}
}

// Actions without a key are left out of the footer, long keys have room in it.
func TestFooterOfReboundKeys(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f, Keys: rebound(t, map[string][]string{
		keymap.Chips: {}, keymap.Help: {}, keymap.Pause: {}, keymap.Quit: {"ctrl+q"},
	})})
	d.keys("3")
	screen := strings.Split(d.screen(), "\n")
	footer := screen[23]
	if !strings.Contains(footer, "help  Ctrl-Q quit  test") || strings.Contains(footer, "pause") || strings.Contains(footer, "kinds") {
		t.Errorf("footer %q", footer)
	}
}
