package stage

import (
	"slices"
	"strings"
	"unicode"
)

// word is an identifier, a number or one character of punctuation in a text.
type word struct {
	text     string
	from, to int // byte offsets
}

// scan splits GLSL text into words; comments and preprocessor lines are left out.
func scan(text string) []word {
	var out []word
	for i := 0; i < len(text); {
		rest := text[i:]
		switch n := skipped(rest); {
		case n > 0:
			i += n
		default:
			n = max(1, wordLength(rest))
			out = append(out, word{rest[:n], i, i + n})
			i += n
		}
	}
	return out
}

// skipped is the length of the blanks, the comment or the preprocessor line at the start of s, or 0.
func skipped(s string) int {
	switch {
	case strings.HasPrefix(s, "//"), s[0] == '#':
		return lineLength(s)
	case strings.HasPrefix(s, "/*"):
		if end := strings.Index(s, "*/"); end >= 0 {
			return end + 2
		}
		return len(s)
	case s[0] <= ' ':
		return 1
	}
	return 0
}

// lineLength is the length of the line at the start of s, with lines that a backslash continues.
func lineLength(s string) int {
	for i := range len(s) {
		if s[i] == '\n' && s[i-1] != '\\' {
			return i
		}
	}
	return len(s)
}

func wordLength(s string) int {
	if n := strings.IndexFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }); n >= 0 {
		return n
	}
	return len(s)
}

// closing returns the index of the bracket that closes the one at words[i], or -1.
func closing(words []word, i int) int {
	depth := 0
	for k := i; k < len(words); k++ {
		switch words[k].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
}

// sequence reports whether the words at i are the given ones.
func sequence(words []word, i int, want ...string) bool {
	if i+len(want) > len(words) {
		return false
	}
	return slices.EqualFunc(words[i:i+len(want)], want, func(w word, s string) bool { return w.text == s })
}

// mainAt finds the definition of main: the words "void", "main" and the braces around its body.
func mainAt(words []word) (void, name, open, end int, ok bool) {
	for i := range words {
		if !sequence(words, i, "void", "main", "(") {
			continue
		}
		brace := closing(words, i+2) + 1
		if brace > 0 && sequence(words, brace, "{") {
			end := closing(words, brace)
			return i, i + 1, brace, end, end > 0
		}
	}
	return 0, 0, 0, 0, false
}

// edit replaces the bytes from up to to.
type edit struct {
	from, to int
	text     string
}

// apply carries out edits, which do not overlap; several at one place keep their order.
func apply(text string, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	done := 0
	for _, e := range edits {
		b.WriteString(text[done:e.from])
		b.WriteString(e.text)
		done = e.to
	}
	b.WriteString(text[done:])
	return b.String()
}

// newlines keeps of a text only its line ends, so that what follows stays on its line.
func newlines(text string) string { return strings.Repeat("\n", strings.Count(text, "\n")) }
