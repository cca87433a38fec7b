package scan

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/megakernel/internal/rig"
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

// search encodes text and steps the table as the handler does.
func search(a *Automaton, text []byte) (out []Match) {
	granules := len(text)/a.granuleBytes() + 1
	padded := append(slices.Clone(text), bytes.Repeat([]byte{'\n'}, granules*a.granuleBytes()-len(text))...)
	shape := shapeOf(granules, 3)
	words := make(engine.Words, shape.size()*granuleWords)
	a.encode(words, padded, shape)
	row := uint32(0)
	for i := range granules * granuleSymbols {
		s := shape.symbol(words, i)
		e := a.Table[row+s]
		if e&entryMatch != 0 {
			out = a.expand(out, row/uint32(a.width), s, int64(i*a.stride))
		}
		row = e & entryRow
	}
	sortMatches(out)
	return out
}

// TestAutomatonFindsWhatBytesIndexFinds: overlapping, nested and equal patterns, any bytes but LF, with
// symbols of two bytes and of one.
func TestAutomatonFindsWhatBytesIndexFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letter := rapid.SampledFrom([]byte{'a', 'b', 'c', 0, 0xFF})
		var patterns []Pattern
		for i, text := range rapid.SliceOfN(rapid.SliceOfN(letter, 1, 6), 1, 12).Draw(t, "patterns") {
			patterns = append(patterns, Pattern{Line: uint32(i + 1), Text: text})
		}
		text := rapid.SliceOfN(rapid.OneOf(letter, rapid.Just(byte('\n'))), 0, 200).Draw(t, "text")
		for stride, limit := range map[int]int{2: maxEntries, 1: 0} {
			a := compile(patterns, limit)
			want, err := bruteForce(t.Context(), text, patterns)
			if got := search(a, text); err != nil || a.stride != stride || !slices.Equal(got, want) {
				t.Fatalf("stride %d: got %v, want %v", a.stride, got, want)
			}
		}
	})
}

// TestLineFeedsStartTheAutomatonAnew is what filling up the last granule relies on.
func TestLineFeedsStartTheAutomatonAnew(t *testing.T) {
	patterns, err := ParsePatterns("list", []byte("abc\nbcd\nc\nd d\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{0, maxEntries} {
		a := compile(patterns, limit)
		words := make(engine.Words, granuleWords)
		a.encode(words, bytes.Repeat([]byte{'\n'}, a.granuleBytes()), shapeOf(1, 1))
		for s := range a.States() {
			if e := a.Table[s*a.width]; e != 0 || words[0] != 0 {
				t.Errorf("stride %d: state %d goes to entry %#x, line feeds are symbol %#x", a.stride, s, e, words[0])
			}
		}
	}
}

// TestLargestTable: the most patterns that are accepted, with the most classes, fit.
func TestLargestTable(t *testing.T) {
	var list []byte
	for i := 0; len(list) < MaxPatternBytes-200; i++ {
		for b := range 32 {
			list = append(list, byte(11+(b*7+i*31)%245))
		}
		list = append(list, '\n')
	}
	patterns, err := ParsePatterns("list", list)
	if err != nil {
		t.Fatal(err)
	}
	a := Compile(patterns)
	if a.stride != 1 || len(a.Table) > maxEntries {
		t.Errorf("stride %d, %d states, %d classes, %d entries", a.stride, a.States(), a.classes, len(a.Table))
	}
	if got := search(a, patterns[3].Text); !slices.Contains(got, Match{0, patterns[3].Line}) {
		t.Errorf("%v", got)
	}
}

func TestShippedPatterns(t *testing.T) {
	patterns, err := New(rig.Manifest(t, "scan"), Options{}).loadPatterns()
	if err != nil {
		t.Fatal(err)
	}
	if len(patterns) != 64 {
		t.Errorf("the shipped list has %d patterns", len(patterns))
	}
}

// TestEqualPatternsInsideALongOne: what ends in a state is shared with its suffixes, not copied: here 200 million
// ends would be.
func TestEqualPatternsInsideALongOne(t *testing.T) {
	patterns := []Pattern{{Line: 1, Text: bytes.Repeat([]byte("a"), 20_000)}}
	for line := range 10_000 {
		patterns = append(patterns, Pattern{Line: uint32(line + 2), Text: []byte("a")})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a := Compile(patterns)
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 64<<20 {
		t.Errorf("building the automaton allocated %d bytes", after.TotalAlloc-before.TotalAlloc)
	}
	if got := search(a, []byte("ba")); len(got) != 10_000 {
		t.Errorf("found %d matches, want one for each line", len(got))
	}
}
