package keymap

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"vyretop/engine/fault"
)

// ErrKeys is matched by errors about keys that a user has bound.
const ErrKeys fault.Kind = "keys cannot be bound"

// Rebind gives actions other keys, by id; an action without keys can still be run from the help. Errors
// are ErrKeys.
func (m *Map) Rebind(keys map[string][]string) (*Map, error) {
	out := &Map{Views: m.Views, Bindings: slices.Clone(m.Bindings)}
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		b := out.ByID(id)
		if b == nil {
			return nil, &fault.Error{Kind: ErrKeys, Op: "key", Subject: id, Detail: "unknown action", Fix: "use an id that vyretop help keys lists"}
		}
		for _, k := range keys[id] {
			if !validKey(k) {
				return nil, &fault.Error{Kind: ErrKeys, Op: "key", Subject: id, Detail: fmt.Sprintf("%q is not a key", k), Fix: "write one such as p, P, ?, ctrl+l, shift+tab, f5, enter, space, pgdown"}
			}
		}
		b.Keys = keys[id]
	}
	if conflicts := out.Conflicts(); len(conflicts) > 0 {
		list := make([]string, 0, len(conflicts))
		for _, c := range conflicts {
			list = append(list, fmt.Sprintf("%q is both %s and %s", c.Key, c.First, c.Second))
		}
		return nil, &fault.Error{Kind: ErrKeys, Subject: "keys", Detail: strings.Join(list, "; "), Fix: "give one of each another key, or none with []"}
	}
	if b := out.ByID(Quit); b == nil || len(b.Keys) == 0 {
		return nil, &fault.Error{Kind: ErrKeys, Op: "key", Subject: Quit, Detail: "no key would leave", Fix: "keep at least one"}
	}
	return out, nil
}

// namedKeys are the keys with names, as the terminal library has them.
var namedKeys = []string{
	"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "enter", "esc", "tab", "space", "backspace", "delete", "insert",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
}

// validKey reports whether a terminal can send a key of that name.
func validKey(key string) bool {
	for cut := true; cut; {
		cut = false
		for _, modifier := range []string{"ctrl+", "alt+", "shift+"} {
			if rest, ok := strings.CutPrefix(key, modifier); ok && rest != "" {
				key, cut = rest, true
			}
		}
	}
	runes := []rune(key)
	return len(runes) == 1 && runes[0] > ' ' || slices.Contains(namedKeys, key)
}
