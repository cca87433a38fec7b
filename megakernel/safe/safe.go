// Package safe makes text from outside harmless for a terminal. Recordings, live targets, drivers and file names may
// contain anything: escape sequences, control characters, characters that reorder a line, bytes that are no text.
//
// Every program output that is not a drawing goes through here. What is escaped is written as \u and four hexadecimal
// digits, which JSON reads back as the character; a byte that is not text is written as \x and two.
package safe

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Harmful reports whether a character does something to a terminal other than to stand there: control characters,
// and invisible ones that change how others are shown.
func Harmful(r rune) bool {
	switch {
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return true
	case r < 0xad:
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

// Text is a text in one line with everything harmful escaped.
func Text(s string) string {
	if clean(s, "") {
		return s
	}
	return string(appendSafe(make([]byte, 0, len(s)+16), s, ""))
}

// Tail escapes everything harmful in b from an index on, as Text does.
func Tail(b []byte, from int) []byte {
	if clean(b[from:], "") {
		return b
	}
	return appendSafe(b[:from], string(b[from:]), "")
}

// clean reports whether nothing has to be escaped. Most texts are ASCII.
func clean[T string | []byte](s T, allowed string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c >= 0x7f) && strings.IndexByte(allowed, c) < 0 {
			return false
		}
	}
	return true
}

// appendSafe appends a text with everything harmful escaped but the control characters that are allowed.
func appendSafe(b []byte, s, allowed string) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			b = fmt.Appendf(b, `\x%02x`, s[0])
		case r < utf8.RuneSelf && strings.IndexByte(allowed, byte(r)) >= 0, !Harmful(r):
			b = append(b, s[:n]...)
		case r >= 0x10000:
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
		s = s[n:]
	}
	return b
}

// lineEnds are the control characters that a Writer lets through.
const lineEnds = "\n\t"

// Writer writes text with everything harmful escaped but ends of lines and tabs. Its methods may be
// called from any goroutine.
type Writer struct {
	mu   sync.Mutex
	out  io.Writer
	part []byte // the beginning of a character whose rest has not come yet
	buf  []byte
	err  error // the first one of writing
}

// NewWriter makes a Writer; a Writer stays what it is.
func NewWriter(w io.Writer) *Writer {
	if s, ok := w.(*Writer); ok {
		return s
	}
	return &Writer{out: w}
}

// Unwrap is the writer below, for what is a drawing or is not text.
func (w *Writer) Unwrap() io.Writer { return w.out }

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.part) == 0 && clean(p, lineEnds) {
		return w.put(p, len(p))
	}
	text := append(w.part, p...)
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if at := len(text) - back; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				whole = at
			}
			break
		}
	}
	w.buf = appendSafe(w.buf[:0], string(text[:whole]), lineEnds)
	w.part = append([]byte(nil), text[whole:]...)
	return w.put(w.buf, len(p))
}

// put writes what a number of bytes have become, and remembers the first error: many a print is not asked for it.
func (w *Writer) put(p []byte, of int) (int, error) {
	_, err := w.out.Write(p)
	if w.err == nil {
		w.err = err
	}
	if err != nil {
		of = 0
	}
	return of, err
}

// Flush writes what is left of a character that has not come whole, and returns the first error of all that was written.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.part) > 0 {
		w.buf, w.part = appendSafe(w.buf[:0], string(w.part), lineEnds), nil
		_, _ = w.put(w.buf, 0) // it is remembered
	}
	return w.err
}
