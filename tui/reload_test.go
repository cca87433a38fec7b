package tui

import (
	"errors"
	"strings"
	"testing"

	"vyretop/tui/pane"
)

// Ctrl-R takes in a configuration that has changed; one that cannot be read leaves all as it was.
func TestConfigurationIsReadAgain(t *testing.T) {
	f := newFake()
	keys, err := pane.Keys().Rebind(map[string][]string{"freeze": {"ctrl+g"}})
	if err != nil {
		t.Fatal(err)
	}
	now, broken := Configured{Path: "some.toml", Keys: keys, Theme: "mono", FPS: 4}, error(nil)
	d := newDriver(t, 120, 24, Options{Source: f, Sink: f, Reload: func() (Configured, error) { return now, broken }})
	colored := d.m.View().Content
	d.keys("ctrl+g")
	if d.m.frozen != nil {
		t.Fatal("the key means something before it is configured")
	}

	broken = errors.New("some.toml: line 3. Fix: correct it")
	d.keys("ctrl+r")
	if !strings.Contains(d.m.View().Content, "line 3") {
		t.Error("an unreadable configuration is not reported")
	}
	d.keys("ctrl+g")
	if d.m.frozen != nil || d.m.feed.fps != DefaultFPS {
		t.Error("a configuration that cannot be read changes something")
	}

	broken = nil
	d.keys("ctrl+r")
	if !strings.Contains(d.m.View().Content, "some.toml") {
		t.Error("a new configuration is not reported")
	}
	d.keys("ctrl+g")
	if d.m.frozen == nil || d.m.feed.fps != 4 {
		t.Error("a new configuration is not in force")
	}
	if is := d.m.View().Content; strings.Contains(colored, "\x1b[0;3") && strings.Contains(is, "\x1b[0;3") {
		t.Error("the looks have not changed")
	}
}
