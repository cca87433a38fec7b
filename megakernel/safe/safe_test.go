package safe

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestTextEscapesWhatTerminalsObey(t *testing.T) {
	for text, want := range map[string]string{
		"plain é 漢 ▇ 🙂":             "plain é 漢 ▇ 🙂",
		"\x1b]0;title\a":            `\u001b]0;title\u0007`,
		"\x1b[2J":                   `\u001b[2J`,
		"one\ntwo\tthree\r":         `one\u000atwo\u0009three\u000d`,
		"\x7f\u0085\u009b31m":       `\u007f\u0085\u009b31m`,
		"\u202egnp.exe\u202c\u200b": `\u202egnp.exe\u202c\u200b`,
		"\u2028\u2066\u061c\ufeff":  `\u2028\u2066\u061c\ufeff`,
		"bad \xff\x9b utf-8":        `bad \xff\x9b utf-8`,
		"\U000e0041":                `\udb40\udc41`,
		"\ufffd is a character":     "\ufffd is a character",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestWriterIsText: however a text is cut into writes, it is escaped as a whole, and nothing harmful is left of it.
func TestWriterIsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.SampledFrom([]byte("a\x1b\n\t\x7f\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81\xff")), 0, 60).Draw(t, "text"))
		var out strings.Builder
		w := NewWriter(&out)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if wrote, err := w.Write([]byte(rest[:n])); wrote != n || err != nil {
				t.Fatal(wrote, err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if want := string(appendSafe(nil, text, lineEnds)); out.String() != want {
			t.Fatalf("%q became %q, want %q", text, out.String(), want)
		}
		for _, r := range out.String() {
			if r != '\n' && r != '\t' && (Harmful(r) || r == utf8.RuneError) {
				t.Fatalf("%q still has %q", out.String(), r)
			}
		}
	})
}

// TestWriterKeepsJSON: what a document says is the same behind the writer.
func TestWriterKeepsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text") + "\x7f\u009b\u202e\U000e0041"
		document, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		w := NewWriter(&out)
		if _, err := w.Write(document); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := json.Unmarshal([]byte(out.String()), &got); err != nil || got != want {
			t.Fatalf("%q became %q: %v", want, got, err)
		}
	})
}

func TestWriterReportsErrors(t *testing.T) {
	w := NewWriter(iotest.TruncateWriter(failing{}, 0))
	if n, err := NewWriter(failing{}).Write([]byte("\x1b")); n != 0 || err == nil {
		t.Error(n, err)
	}
	if NewWriter(w) != w {
		t.Error("a Writer is wrapped twice")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, iotest.ErrTimeout }
