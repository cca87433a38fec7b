package prompt

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEditing(t *testing.T) {
	for _, tc := range []struct{ keys, want string }{
		{"a b c", "abc|"},
		{"a b left c", "acb|"},
		{"a b c home delete", "bc|"},
		{"a b backspace backspace backspace", "|"},
		{"a space b ctrl+w c", "a c|"},
		{"a b ctrl+u c", "c|"},
		{"a b left ctrl+k", "a|"},
		{"a ctrl+a b ctrl+e c", "bac|"},
		{"up", "second|"},
		{"x up up up", "first|"},
		{"x up up down down", "x|"},
		{"up backspace down up", "second|"},
	} {
		l := New([]string{"first", "second"})
		for _, k := range strings.Fields(tc.keys) {
			if k == "space" {
				k = " "
			}
			if !l.Key(k) {
				l.Insert(k)
			}
		}
		if got := l.Text() + "|"; got != tc.want {
			t.Errorf("%s: %q, want %q", tc.keys, got, tc.want)
		}
	}
}

func TestComplete(t *testing.T) {
	words := []string{"retune", "resume", "requeue", "quit", "workers="}
	for _, tc := range []struct{ in, want string }{
		{"q", "quit "}, {"r", "re"}, {"ret", "retune "}, {"zz", "zz"}, {"retune w", "retune workers="}, {"", ""}, {"quit ", "quit "},
	} {
		l := New(nil)
		l.Set(tc.in)
		l.Complete(words)
		if got := l.Text(); got != tc.want {
			t.Errorf("completed %q to %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestPasteIsOneLineAndBounded(t *testing.T) {
	l := New(nil)
	l.Insert("a\nb\tc" + strings.Repeat("x", 5000))
	if !strings.HasPrefix(l.Text(), "a b c") || utf8.RuneCountInString(l.Text()) != maxPromptRunes {
		t.Errorf("pasted %d runes, %q…", utf8.RuneCountInString(l.Text()), l.Text()[:8])
	}
}

// No sequence of keys may move the cursor out of the text.
func TestCursorStaysInside(t *testing.T) {
	keys := []string{"a", "é", " ", "left", "right", "home", "end", "backspace", "delete", "ctrl+u", "ctrl+k", "ctrl+w", "up", "down", "tab"}
	rapid.Check(t, func(t *rapid.T) {
		l := New([]string{"one", "two words"})
		for _, k := range rapid.SliceOf(rapid.SampledFrom(keys)).Draw(t, "keys") {
			switch {
			case k == "tab":
				l.Complete([]string{"one", "only"})
			case !l.Key(k):
				l.Insert(k)
			}
			if n := utf8.RuneCountInString(l.Text()); l.Cursor() < 0 || l.Cursor() > n {
				t.Fatalf("cursor %d in a text of %d", l.Cursor(), n)
			}
		}
	})
}
