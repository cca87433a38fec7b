package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const soundKernel = `#version 450
layout(local_size_x = 1) in;
struct Item { uint tag; vec2 at; };
layout(std430, binding = 0) buffer Items { Item items[]; };
uint first(uint n) {
    return n + 1u;
}
// Doubles a number.
uint twice(uint n) {
    Item one = items[n];
    return one.tag * 2u;
}
void main() {
    items[0].tag = twice(first(3u));
}
`

// TestTheLastSoundTextServes: with a brace open, the functions behind it are lost to the parser, and with a condition that is
// open nothing behind it is left; hover, completion and definition answer as before.
func TestTheLastSoundTextServes(t *testing.T) {
	for name, c := range map[string]struct{ old, broken string }{
		"open brace":     {"    return n + 1u;\n", "    if (n > 2u) {\n    return n + 1u;\n"},
		"open condition": {"uint first(uint n) {\n", "#if 1\n#if 0\nuint first(uint n) {\n"},
		"broken struct":  {"struct Item { uint tag; vec2 at; };", "struct Item { uint tag; vec2 at "},
	} {
		t.Run(name, func(t *testing.T) {
			c2 := connect(t, t.TempDir(), folder{})
			c2.begin()
			if p := c2.open("a.comp", soundKernel); len(p.Diagnostics) != 0 {
				t.Fatalf("%+v", p.Diagnostics)
			}
			broken := strings.Replace(soundKernel, c.old, c.broken, 1)
			c2.change("a.comp", 2, broken)
			if p := c2.published(); len(p.Diagnostics) == 0 {
				t.Fatal("the text has no errors")
			}
			for _, q := range []struct{ method, at, word, want string }{
				{"hover", "return one.tag", "tag", "Offset 0 in Item"},
				{"hover", "items[0].tag = twice", "twice", "Doubles a number."},
				{"completion", "return one.tag", "tag", `"label":"at"`},
				{"completion", "return one.tag", "one", `"label":"twice"`},
				{"definition", "= twice(first", "twice", fmt.Sprintf(`"line":%d,`, strings.Count(broken[:strings.Index(broken, "uint twice")], "\n"))},
			} {
				if got := c2.asked("a.comp", q.method, placeOf(broken, q.at, q.word)); !strings.Contains(got, q.want) {
					t.Errorf("%s of %s is %.300s, want %s", q.method, q.word, got, q.want)
				}
			}
		})
	}
}

// change gives a text another content.
func (c *client) change(name string, version int, text string) {
	c.t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		c.t.Fatal(err)
	}
	c.send("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":"file://$DIR/%s","version":%d},"contentChanges":[{"text":%s}]}`, name, version, quoted), false)
}

// asked is the answer of a request about a place of a text.
func (c *client) asked(name, method string, p position) string {
	c.t.Helper()
	return string(c.ask("textDocument/"+method, fmt.Sprintf(`{"textDocument":{"uri":"file://$DIR/%s"},"position":{"line":%d,"character":%d}}`, name, p.Line, p.Character)).Result)
}

// placeOf is where a word begins behind the beginning of other text.
func placeOf(text, at, word string) position {
	i := strings.Index(text, at)
	i += strings.Index(text[i:], word)
	return position{strings.Count(text[:i], "\n"), i - strings.LastIndex(text[:i], "\n") - 1}
}

func TestLinesMoveWithTheText(t *testing.T) {
	version := func(text string) *document {
		d := &document{}
		d.setText(text)
		return d
	}
	a, b := version("a\nb\nc\nd"), version("a\nx\ny\nc\nd")
	for _, c := range []struct {
		line, want int
		same       bool
	}{{1, 1, true}, {2, 2, false}, {3, 4, true}, {4, 5, true}} {
		if got, same := moved(a, b, c.line); got != c.want || same != c.same {
			t.Errorf("line %d is %d, %v", c.line, got, same)
		}
	}
	if got, same := moved(b, a, 3); got != 2 || same {
		t.Errorf("a line that is new is about line %d, %v", got, same)
	}
	if got, same := moved(version(""), version("a"), 1); got != 1 || same {
		t.Errorf("an empty text: %d, %v", got, same)
	}
}
