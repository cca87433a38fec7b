package keymap

import (
	"errors"
	"strings"
	"testing"
)

func TestRebind(t *testing.T) {
	base := New(views)
	m, err := base.Rebind(map[string][]string{Pause: {"ctrl+p"}, Help: {"?", "f12"}, Mouse: {}})
	if err != nil {
		t.Fatal(err)
	}
	at := Context{View: Workers, Source: Live}
	if b := m.Find("ctrl+p", at); b == nil || b.ID != Pause {
		t.Errorf("ctrl+p starts %v", b)
	}
	if b := m.Find("p", at); b != nil {
		t.Errorf("p still starts %s", b.ID)
	}
	if b := base.Find("p", at); b == nil || b.ID != Pause {
		t.Error("the default map has changed")
	}
}

func TestKeysThatCannotBeBound(t *testing.T) {
	for name, keys := range map[string]map[string][]string{
		"an action that is not there": {"fly": {"f"}},
		"a key that is not there":     {Pause: {"hyper+p"}},
		"an empty key":                {Pause: {""}},
		"a modifier alone":            {Pause: {"ctrl+"}},
		"no way out":                  {Quit: {}},
		"a conflict":                  {Pause: {"c"}},
	} {
		_, err := New(views).Rebind(keys)
		if !errors.Is(err, ErrKeys) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := New(views).Rebind(map[string][]string{Pause: {"q", "c"}})
	if !errors.Is(err, ErrKeys) || strings.Count(err.Error(), " is both ") != 2 {
		t.Fatalf("error is %v, want both conflicts", err)
	}
	if !strings.Contains(err.Error(), `"q" is both `) {
		t.Errorf("error is %v, want it to name q", err)
	}
}

func TestDefaultKeysAreValid(t *testing.T) {
	for _, b := range New(views).Bindings {
		for _, k := range b.Keys {
			if !validKey(k) {
				t.Errorf("%s has the key %q, which a user could not write", b.ID, k)
			}
		}
	}
}
