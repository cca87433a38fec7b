package keymap

import (
	"strings"
	"testing"
)

func TestDefaultMapHasNoConflicts(t *testing.T) {
	for _, c := range Conflicts(Default()) {
		t.Errorf("key %q starts both %s and %s", c.Key, c.First, c.Second)
	}
}

func TestConflictsAreFound(t *testing.T) {
	a := Binding{ID: "a", Keys: []string{"x", "y"}, Views: In(Log, Tasks), Source: Any}
	for name, tc := range map[string]struct {
		b    Binding
		want int
	}{
		"same place":   {Binding{ID: "b", Keys: []string{"y"}, Views: In(Tasks), Source: Live}, 1},
		"other view":   {Binding{ID: "b", Keys: []string{"y"}, Views: In(Workers), Source: Live}, 0},
		"other key":    {Binding{ID: "b", Keys: []string{"z"}, Views: In(Tasks), Source: Live}, 0},
		"two at once":  {Binding{ID: "b", Keys: []string{"x", "y"}, Views: AllViews, Source: Replay}, 2},
		"other source": {Binding{ID: "b", Keys: []string{"x"}, Views: AllViews, Source: 0}, 0},
	} {
		if got := len(Conflicts([]Binding{a, tc.b})); got != tc.want {
			t.Errorf("%s: %d conflicts, want %d", name, got, tc.want)
		}
	}
}

func TestEveryActionIsDocumentedAndReachable(t *testing.T) {
	ids := map[string]bool{}
	for _, b := range Default() {
		if ids[b.ID] {
			t.Errorf("id %s is used twice", b.ID)
		}
		ids[b.ID] = true
		if b.Help == "" || b.Section == "" || b.Views == 0 || b.Source == 0 {
			t.Errorf("%s lacks help, section, views or source", b.ID)
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
	m := Default()
	for _, tc := range []struct {
		key  string
		ctx  Context
		want string
	}{
		{"p", Context{View: Workers, Source: Now}, Pause},
		{"p", Context{View: Workers, Source: Now, ReadOnly: true}, ""},
		{"p", Context{View: Workers, Source: Replay}, ""},
		{"p", Context{View: Memory, Source: Now}, ""},
		{"space", Context{View: Tasks, Source: Now}, Mark},
		{"space", Context{View: Tasks, Source: Replay}, PlayPause},
		{"end", Context{View: Log, Source: Now}, Bottom + "-end"},
		{"end", Context{View: Log, Source: Replay}, SeekEnd},
		{"7", Context{View: Log, Source: Now}, "view-launch"},
		{"0", Context{View: Log, Source: Now}, "view-events"},
		{"alt+q", Context{View: Log, Source: Now}, ""},
	} {
		got := ""
		if b := Find(m, tc.key, tc.ctx); b != nil {
			got = b.ID
		}
		if got != tc.want {
			t.Errorf("key %q in %+v starts %q, want %q", tc.key, tc.ctx, got, tc.want)
		}
	}
}

func TestReadOnlyHidesWrites(t *testing.T) {
	for _, b := range Active(Default(), Context{View: Tasks, Source: Now, ReadOnly: true}) {
		if b.Writes {
			t.Errorf("%s is offered although read-only", b.ID)
		}
	}
}
