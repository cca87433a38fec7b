package filter

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What a chip does to a filter is readable, leaves the other parts as they were typed, and comes back when it is done twice
// where there is nothing to lose.
func TestToggleOfValues(t *testing.T) {
	const state, op = 1, 2
	paused, done, fast := Value{"paused", 4}, Value{"done", 3}, Value{"count (fast)", 17}
	for _, tc := range []struct {
		filter string
		column int
		value  Value
		want   string
	}{
		{"", state, paused, "!state=paused"},
		{"!state=paused", state, paused, ""},
		{"state!=paused  age>3", state, paused, "age>3"},
		{"scan and age>3", state, done, "scan age>3 !state=done"},
		{"state=paused", state, paused, ""},
		{"state=paused", state, done, "(state=paused or state=done)"},
		{"(state=paused or state=done)", state, done, "state=paused"},
		{"(state=paused or state=DONE or state=idle)", state, done, "(state=paused or state=idle)"},
		{"!(state=paused or state=done)", state, done, "!state=paused"},
		{"state!=paused and state!=4", state, paused, ""},
		{"!(!state=paused)", state, done, "(state=paused or state=done)"},
		{"age>3 or age<2", state, done, "(age>3 or age<2) !state=done"},
		{"(age>3 or age<2)", state, done, "(age>3 or age<2) !state=done"},
		{"(age>3) or (age<2)", state, done, "((age>3) or (age<2)) !state=done"},
		{"state~^p", state, done, "(state~^p or state=done)"},
		{"state=paused or age>3", state, done, "(state=paused or age>3) !state=done"},
		{"", op, fast, `!op="count (fast)"`},
		{`op="count (fast)"`, op, fast, ""},
		{"op=17", op, fast, ""},
		{"", op, Value{`a"b`, 9}, "!op=9"},
	} {
		c, err := Split(tc.filter, fields)
		if err != nil {
			t.Fatalf("%q: %v", tc.filter, err)
		}
		got := c.Toggle(tc.column, tc.value)
		if got != tc.want {
			t.Errorf("%q becomes %q, want %q", tc.filter, got, tc.want)
		}
		if _, err := Parse(got, fields); err != nil {
			t.Errorf("%q becomes %q: %v", tc.filter, got, err)
		}
	}
}

func TestOnlyOneValue(t *testing.T) {
	for _, tc := range []struct{ filter, only, all string }{
		{"", "state=paused", ""},
		{"!state=done scan", "scan state=paused", "scan"},
		{"state==paused age>3", "age>3", "age>3"},
		{"scan or age>3", "(scan or age>3) state=paused", "scan or age>3"},
	} {
		c, err := Split(tc.filter, fields)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Only(1, Value{"paused", 4}); got != tc.only {
			t.Errorf("only that of %q is %q, want %q", tc.filter, got, tc.only)
		}
		if got := c.All(1); got != tc.all {
			t.Errorf("all of %q is %q, want %q", tc.filter, got, tc.all)
		}
	}
}

// Whatever the filter says, a toggle changes whether its value is hidden, unless that value was the only one shown, and
// nothing about the other columns; the parts of a filter mean together what it means.
func TestTogglesChangeOneValue(t *testing.T) {
	states := []string{"running", "paused", "idle", "done"}
	term := rapid.SampledFrom([]string{"state=paused", "!state=done", "state!=idle", "state~^p", "age>3", "scan", "(state=idle or state=done)",
		"!(state=running or state=idle)", "state=paused or age>3", "!(state=paused age>3)", `op="scan"`})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(term, 0, 4).Draw(t, "terms"), rapid.SampledFrom([]string{" ", " and ", " or "}).Draw(t, "between"))
		c, err := Split(text, fields)
		if err != nil {
			t.Fatal(err)
		}
		whole, _ := Parse(text, fields)
		again, err := Parse(c.String(), fields)
		if err != nil {
			t.Fatalf("%q is written %q: %v", text, c, err)
		}
		for _, r := range rows {
			if whole.Match(r) != again.Match(r) {
				t.Fatalf("%q is written %q, which differs on %v", text, c, r)
			}
		}
		name := rapid.SampledFrom(states).Draw(t, "state")
		v := Value{Text: name}
		after, err := Split(c.Toggle(1, v), fields)
		if err != nil {
			t.Fatal(err)
		}
		if after.Hides(1, v) == c.Hides(1, v) && !(c.saysOnly(1, v) || c.Lists(1, v)) {
			t.Errorf("%q becomes %q: %s stays as it was", text, after, name)
		}
		if c.Hides(1, v) && after.Hides(1, v) {
			t.Errorf("%q becomes %q: %s is still hidden", text, after, name)
		}
		for _, other := range states {
			if o := (Value{Text: other}); c.Hides(1, v) && other != name && after.Hides(1, o) != c.Hides(1, o) {
				t.Errorf("%q becomes %q: %s changed too", text, after, other)
			}
		}
	})
}
