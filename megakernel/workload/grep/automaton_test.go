package grep

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vyretop/megakernel/workload"
)

// run counts lines with the table, as the device does.
func (a *Automaton) run(text []byte) (lines int) {
	row := uint32(0)
	for _, c := range text {
		entry := a.Table[row+uint32(c)]
		row = entry &^ lineFound
		lines += int(entry >> 31)
	}
	if row != 0 {
		lines += int(a.Table[row+'\n'] >> 31)
	}
	return lines
}

var expressions = []string{
	``, `a`, `abc`, `a*`, `^a`, `a$`, `^$`, `^a*$`, `\ba\b`, `\Bb`, `a|bc`, `(ab)+c?`, `[^a]b`, `a.c`, `a..b`, `(?i)AB`, `(?m)^b$`,
	`(?s)a.b`, `\x00`, `\xff`, `é`, `[é]b`, `\w+\s\w+`, `a{2,4}b`, `a\nb`, `x*$^`, `\z`, `\Aa`, `(a|b)*c`, `(?:)`, `[[:upper:]]`, `^(a|\b)c`,
	`[^\x00-\x{10FFFF}]`, `(?i)ſ`,
}

// counted is what the verification counts, to the end.
func counted(a *Automaton, text []byte) int {
	lines, err := countLines(context.Background(), a, text)
	if err != nil {
		panic(err) // the context does not end
	}
	return lines
}

// TestSameLinesAsRegexp: on any text the table finds as many lines as package regexp does, line by line.
func TestSameLinesAsRegexp(t *testing.T) {
	for _, expression := range expressions {
		a, err := Compile(expression)
		if err != nil {
			t.Errorf("%q: %v", expression, err)
			continue
		}
		rapid.Check(t, func(rt *rapid.T) {
			text := rapid.SliceOf(rapid.SampledFrom([]byte("aaabbcAB \n\n_x\x00\xff\xc3\xa9\xc9\r.k"))).Draw(rt, "text")
			if got, want := a.run(text), counted(a, text); got != want {
				rt.Fatalf("%q in %q: %d lines, package regexp finds %d", expression, text, got, want)
			}
		})
	}
}

// TestExpressionsAreBytes: what is beyond ASCII is found as the bytes that it is written with.
func TestExpressionsAreBytes(t *testing.T) {
	for _, tt := range []struct {
		expression, text string
		lines            int
	}{
		{"é", "café\ncafe\n", 1}, {"caf..$", "café\ncafe\n", 1}, {"^.$", "é\ne", 1}, {"\\xe9", "caf\xe9\n", 1},
		{"^$", "\n\n", 2}, {"^$", "", 0}, {"a", "a\r\nb\r\na", 2}, {"b$", "b\r\n", 0}, {"", "x\n\ny", 3},
	} {
		a, err := Compile(tt.expression)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.run([]byte(tt.text)); got != tt.lines {
			t.Errorf("%q in %q: %d lines, want %d", tt.expression, tt.text, got, tt.lines)
		}
	}
}

func TestExpressionsThatCannotBe(t *testing.T) {
	for _, expression := range []string{`(`, `a{2,1}`, `[z-a]`, `\p{Nothing}`, `(?<n`, `a{1001}`, `(a|b)*a(a|b){14}`, `\C`} {
		_, err := Compile(expression)
		if !errors.Is(err, workload.ErrFlag) || !strings.Contains(err.Error(), ". Fix: ") {
			t.Errorf("%q: %v", expression, err)
		}
	}
}

// TestManyRepetitionsEndInAnErrorSoon: expressions with few states, each of which takes seconds.
func TestManyRepetitionsEndInAnErrorSoon(t *testing.T) {
	for _, part := range []string{"([a-z]x?){1000}", "(a?b?){1000}[ab]{1000}"} {
		began := time.Now()
		_, err := Compile(strings.Repeat(part, 30) + "z")
		if !errors.Is(err, workload.ErrFlag) || !strings.Contains(err.Error(), "takes too long to compile. Fix: ") {
			t.Errorf("%s: %v", part, err)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: %v", part, took)
		}
	}
}

// TestARepetitionThatLooksAtEveryByteIsFast: each byte was followed through a thousand instructions of each of a thousand states, which
// took nine seconds and ended in an error.
func TestARepetitionThatLooksAtEveryByteIsFast(t *testing.T) {
	a, err := Compile(".{500}.{500}")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]int{999: 0, 1000: 1, 1001: 1} {
		if got := a.run([]byte(strings.Repeat("x", n) + "\n")); got != want {
			t.Errorf("a line of %d bytes: %d lines match, want %d", n, got, want)
		}
	}
}

// TestBytesThatAreAlikeHaveEqualRows: a byte takes the transitions of another one only where the expression cannot tell them apart.
func TestBytesThatAreAlikeHaveEqualRows(t *testing.T) {
	for _, expression := range append(slices.Clone(expressions), `(?i)k`, `\bx\B.`, `[^\x80-\xff]é`, `(?s).a`, `^$|\d`) {
		a, err := Compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		for c := range 256 {
			for _, line := range []string{string([]byte{byte(c)}), string([]byte{'x', byte(c), 'y'}), string([]byte{' ', byte(c), byte(c)})} {
				if c == '\n' {
					continue
				}
				if got := a.run([]byte(line+"\n")) == 1; got != a.matches([]byte(line)) {
					t.Fatalf("%q on %q: %v", expression, line, got)
				}
			}
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, expression := range expressions {
		f.Add(expression, []byte("ab\nba c\n"))
	}
	f.Fuzz(func(t *testing.T, expression string, text []byte) {
		a, err := Compile(expression)
		if err != nil {
			if !errors.Is(err, workload.ErrFlag) {
				t.Error(err)
			}
			return
		}
		if got, want := a.run(text), counted(a, text); got != want {
			t.Errorf("%q in %q: %d lines, package regexp finds %d", expression, text, got, want)
		}
	})
}

// BenchmarkCompile is the time to make the automaton of a common kind of expression.
func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := Compile(`(?i)\b(error|warning|fatal)\b.*[0-9]{1,4}`); err != nil {
			b.Fatal(err)
		}
	}
}
