package scan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/megakernel/workload"
)

func TestParsePatterns(t *testing.T) {
	for in, want := range map[string]string{
		"a":                                    `1:"a"`,
		"a\n":                                  `1:"a"`,
		"\n\na\n\nb b\n":                       `3:"a" 5:"b b"`,
		"a\r\n":                                `1:"a\r"`,
		" \n\t":                                `1:" " 2:"\t"`,
		"x\nx\n":                               `1:"x" 2:"x"`,
		"\x00\xff":                             `1:"\x00\xff"`,
		"":                                     "refused",
		"\n\n":                                 "refused",
		strings.Repeat("a", MaxPatternBytes+1): "refused",
	} {
		ps, err := ParsePatterns("list", []byte(in))
		got := "refused"
		if err == nil {
			var parts []string
			for _, p := range ps {
				parts = append(parts, fmt.Sprintf("%d:%q", p.Line, p.Text))
			}
			got = strings.Join(parts, " ")
		} else if !errors.Is(err, workload.ErrInput) {
			t.Errorf("%.20q: %v", in, err)
		}
		if got != want {
			t.Errorf("%.20q: got %s, want %s", in, got, want)
		}
	}
}

// search steps the table as the handler does.
func search(a *Automaton, text []byte) (out []Match) {
	row := uint32(0)
	for i, b := range text {
		e := a.Table[row|uint32(b)]
		row = e & entryRow
		if e&entryMatch != 0 {
			out = a.expand(out, e>>8, int64(i+1))
		}
	}
	sortMatches(out)
	return out
}

// TestAutomatonFindsWhatBytesIndexFinds: overlapping, nested and equal patterns, any bytes but LF.
func TestAutomatonFindsWhatBytesIndexFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letter := rapid.SampledFrom([]byte{'a', 'b', 'c', 0, 0xFF})
		var patterns []Pattern
		for i, text := range rapid.SliceOfN(rapid.SliceOfN(letter, 1, 6), 1, 12).Draw(t, "patterns") {
			patterns = append(patterns, Pattern{Line: uint32(i + 1), Text: text})
		}
		text := rapid.SliceOfN(rapid.OneOf(letter, rapid.Just(byte('\n'))), 0, 200).Draw(t, "text")
		a, err := Compile(patterns)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := search(a, text), bruteForce(text, patterns); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// TestAfterLineFeedTheAutomatonStartsAnew is what the padding of the last granule relies on.
func TestAfterLineFeedTheAutomatonStartsAnew(t *testing.T) {
	patterns, err := ParsePatterns("list", []byte("abc\nbcd\nc\nd d\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Compile(patterns)
	if err != nil {
		t.Fatal(err)
	}
	for s := range a.States() {
		if e := a.row(s)['\n']; e != 0 {
			t.Errorf("state %d goes to entry %#x", s, e)
		}
	}
}

func TestShippedPatterns(t *testing.T) {
	patterns, err := New(manifest(t), Options{}).loadPatterns()
	if err != nil {
		t.Fatal(err)
	}
	if len(patterns) != 64 {
		t.Errorf("the shipped list has %d patterns", len(patterns))
	}
}

// TestTrieStreamIsChecked: a library whose encoding has changed gives an error, not a wrong table.
func TestTrieStreamIsChecked(t *testing.T) {
	good := func() []byte {
		words := make([]byte, 8*(trieLengths+2*260))
		for i := range trieLengths {
			words[8*i] = 2
		}
		return words
	}
	if _, err := decodeTrie(good()); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"short":            func(d []byte) []byte { return d[:24] },
		"odd":              func(d []byte) []byte { return d[:len(d)-3] },
		"truncated":        func(d []byte) []byte { return d[:len(d)-8] },
		"unequal lengths":  func(d []byte) []byte { d[8] = 3; return d },
		"no states":        func(d []byte) []byte { clear(d[:40]); return d },
		"too many states":  func(d []byte) []byte { d[6], d[14], d[22], d[30], d[38] = 1, 1, 1, 1, 1; return d },
		"link to the void": func(d []byte) []byte { d[8*(trieLengths+2)] = 9; return d },
		"fail to the void": func(d []byte) []byte { d[8*(trieLengths+2+512)] = 9; return d },
		"dict to the void": func(d []byte) []byte { d[8*(trieLengths+2+512+2)] = 9; return d },
	} {
		if _, err := decodeTrie(damage(good())); !errors.Is(err, errTrie) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDictionaryLinksThatCircleAreRefused(t *testing.T) {
	tr := &trie{n: 3, dict: make([]uint64, 3), dictLink: []uint64{0, 2, 1}, pattern: make([]uint64, 3)}
	if _, err := tr.outputs(1, [][]uint32{{1}}); !errors.Is(err, errTrie) {
		t.Fatal(err)
	}
}
