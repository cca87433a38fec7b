package conformance

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestParseReadsTheDirectives(t *testing.T) {
	c, err := Parse("k.comp", "//: grid 3 0x2 1\n//: buffer 4 = 1 0xFF\n//: buffer 4 size 5\n//: buffer 1 random 3 seed 9\n#version 450\n// no directive\n")
	if err != nil {
		t.Fatal(err)
	}
	if c.Grid != [3]uint32{3, 2, 1} || len(c.Buffers) != 2 {
		t.Fatalf("%+v", c)
	}
	if b := c.Buffers[1]; b.Binding != 4 || !slices.Equal(b.Words, []uint32{1, 255, 0, 0, 0}) {
		t.Errorf("%+v", b)
	}
	if b := c.Buffers[0]; b.Binding != 1 || len(b.Words) != 3 || b.Words[0] == b.Words[1] {
		t.Errorf("%+v", b)
	}
}

func TestParseRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, line := range []string{"grid 1 2", "grid a b c", "buffer", "buffer x = 1", "buffer 0 =", "buffer 0 = 4294967296",
		"buffer 0 size -1", "buffer 0 size 99999999", "buffer 0 random 4", "buffer 0 random 99999999 seed 1", "nonsense", ""} {
		_, err := Parse("k.comp", "#version 450\n//: "+line+"\n")
		if !errors.Is(err, ErrFormat) || !strings.HasPrefix(err.Error(), "k.comp:2: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestFormatIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &Case{Name: "k", Text: "#version 450\nvoid main() {}\n"}
		for i := range c.Grid {
			c.Grid[i] = rapid.Uint32().Draw(t, "grid")
		}
		for _, binding := range rapid.SliceOfNDistinct(rapid.Uint32Range(0, 9), 0, 3, rapid.ID).Draw(t, "bindings") {
			words := rapid.SliceOfN(rapid.Uint32Range(0, 3), 1, 9).Draw(t, "words")
			c.buffer(binding).Words = words
		}
		text := Format(c)
		back, err := Parse("k", text)
		if err != nil {
			t.Fatal(err)
		}
		c.Text = text
		if diff := cmp.Diff(c, back, cmpopts.IgnoreFields(Case{}, "Config")); diff != "" {
			t.Fatal(diff)
		}
	})
}
