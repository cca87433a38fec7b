package pane

import (
	"slices"
	"strings"
	"testing"

	"vyretop/tui/keymap"
)

func TestDefaultMapHasNoConflicts(t *testing.T) {
	for _, c := range Keys().Conflicts() {
		t.Errorf("key %q starts both %s and %s", c.Key, c.First, c.Second)
	}
}

func TestEveryActionIsDocumentedAndReachable(t *testing.T) {
	ids := map[string]bool{}
	for _, b := range Keys().Bindings {
		if ids[b.ID] {
			t.Errorf("id %s is used twice", b.ID)
		}
		ids[b.ID] = true
		if b.Help == "" || b.Section == "" || b.Source == 0 {
			t.Errorf("%s lacks help, section or source", b.ID)
		}
		if len(b.Help) > 54 {
			t.Errorf("the help of %s does not fit into 80 columns: %q", b.ID, b.Help)
		}
		plain := false
		for _, k := range b.Keys {
			special := strings.HasPrefix(k, "alt+") || strings.HasPrefix(k, "shift+") || (len(k) > 1 && k[0] == 'f' && k[1] < 'a')
			plain = plain || !special || k == "shift+tab"
		}
		if !plain {
			t.Errorf("%s can only be reached by keys that terminals grab: %v", b.ID, b.Keys)
		}
	}
}

func TestFindKnowsTheSituation(t *testing.T) {
	m := Keys()
	for _, tc := range []struct {
		key  string
		ctx  keymap.Context
		want string
	}{
		{"p", keymap.Context{View: keymap.Workers, Source: keymap.Now}, keymap.Pause},
		{"p", keymap.Context{View: keymap.Workers, Source: keymap.Now, ReadOnly: true}, ""},
		{"p", keymap.Context{View: keymap.Workers, Source: keymap.Replay}, ""},
		{"p", keymap.Context{View: keymap.Memory, Source: keymap.Now}, ""},
		{"space", keymap.Context{View: keymap.Tasks, Source: keymap.Now}, keymap.Mark},
		{"space", keymap.Context{View: keymap.Tasks, Source: keymap.Replay}, keymap.PlayPause},
		{"end", keymap.Context{View: keymap.Log, Source: keymap.Now}, keymap.Bottom + "-end"},
		{"end", keymap.Context{View: keymap.Log, Source: keymap.Replay}, keymap.SeekEnd},
		{"7", keymap.Context{View: keymap.Log, Source: keymap.Now}, "view-launch"},
		{"0", keymap.Context{View: keymap.Log, Source: keymap.Now}, "view-events"},
		{"alt+q", keymap.Context{View: keymap.Log, Source: keymap.Now}, ""},
	} {
		got := ""
		if b := m.Find(tc.key, tc.ctx); b != nil {
			got = b.ID
		}
		if got != tc.want {
			t.Errorf("key %q in %+v starts %q, want %q", tc.key, tc.ctx, got, tc.want)
		}
	}
}

func TestReadOnlyHidesWrites(t *testing.T) {
	for _, b := range Keys().Active(keymap.Context{View: keymap.Tasks, Source: keymap.Now, ReadOnly: true}) {
		if b.Writes {
			t.Errorf("%s is offered although read-only", b.ID)
		}
	}
}

// A view is registered once, with a name and a digit of its own.
func TestViewsAreTheirOwn(t *testing.T) {
	var names, digits []string
	for _, k := range Kinds {
		if slices.Contains(names, string(k.View)) || slices.Contains(digits, k.Digit) || k.View == "" || len(k.Digit) != 1 {
			t.Errorf("view %q has the digit %q", k.View, k.Digit)
		}
		names, digits = append(names, string(k.View)), append(digits, k.Digit)
	}
}

// TestKeysOfTheDebuggerHaveTheirSection: the help listed them among those of tables.
func TestKeysOfTheDebuggerHaveTheirSection(t *testing.T) {
	for _, b := range Keys().Bindings {
		ours := slices.Contains([]string{lineOver, lineInto, lineOut}, b.ID)
		if ours && b.Section != keymap.DebugSection {
			t.Errorf("%s is in section %s", b.ID, b.Section)
		}
	}
	if !slices.ContainsFunc(Keys().Bindings, func(b keymap.Binding) bool { return b.Section == keymap.DebugSection }) {
		t.Error("the section of the debugger is empty")
	}
}
