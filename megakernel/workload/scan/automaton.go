package scan

import (
	"cmp"
	"fmt"
	"slices"
)

// Bits of a table entry. The rest of the entry is 256 times the next state.
const (
	entryMatch = 1
	entryRow   = ^uint32(0xFF)
)

// Automaton is a dense deterministic automaton. Its table holds 256 entries per state: the next
// state by byte, already multiplied by 256, and a bit that says whether a pattern ends there. State
// 0 is the start. After LF it is always in state 0, because no pattern contains one.
//
// The table is not compressed by byte classes: that would cost a second dependent lookup per byte,
// and the rows that real text visits are few and stay in the first-level cache either way.
type Automaton struct {
	Table   []uint32
	outputs [][]output // by state, patterns that end there
}

// output is one pattern that ends in a state.
type output struct {
	length int
	line   uint32
}

// States is the number of states.
func (a *Automaton) States() int { return len(a.outputs) }

// Compile builds the automaton of patterns. Equal patterns are found separately, each by its line.
func Compile(patterns []Pattern) (*Automaton, error) {
	distinct, lines := deduplicate(patterns)
	t, err := buildTrie(distinct)
	if err != nil {
		return nil, err
	}
	a := &Automaton{Table: make([]uint32, (t.n-1)*256), outputs: make([][]output, t.n-1)}
	for s := trieRoot; s < t.n; s++ {
		if a.outputs[s-1], err = t.outputs(s, lines); err != nil {
			return nil, err
		}
	}
	a.fill(t)
	return a, nil
}

// deduplicate gives the distinct texts and, for each, the lines on which it stands.
func deduplicate(patterns []Pattern) (texts [][]byte, lines [][]uint32) {
	index := map[string]int{}
	for _, p := range patterns {
		i, known := index[string(p.Text)]
		if !known {
			i = len(texts)
			index[string(p.Text)] = i
			texts = append(texts, p.Text)
			lines = append(lines, nil)
		}
		lines[i] = append(lines[i], p.Line)
	}
	return texts, lines
}

// outputs follows the dictionary links of trie state s.
func (t *trie) outputs(s int, lines [][]uint32) ([]output, error) {
	var out []output
	for hops := 0; s != 0; s = int(t.dictLink[s]) {
		if hops++; hops > t.n || t.pattern[s] >= uint64(len(lines)) {
			return nil, fmt.Errorf("%w: dictionary links of a state", errTrie)
		}
		if t.dict[s] == 0 {
			continue
		}
		for _, line := range lines[t.pattern[s]] {
			out = append(out, output{length: int(t.dict[s]), line: line})
		}
	}
	return out, nil
}

// fill completes the trie's transitions with those of the failure links, nearest states first, so
// that the row of a shorter suffix is complete when it is copied from.
func (a *Automaton) fill(t *trie) {
	for queue := []int{trieRoot}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		row := a.row(s - 1)
		if s != trieRoot {
			copy(row, a.row(int(t.fail[s])-1))
		}
		for b, child := range t.trans[s*256 : s*256+256] {
			if child != 0 {
				row[b] = a.entry(int(child) - 1)
				queue = append(queue, int(child))
			}
		}
	}
}

func (a *Automaton) row(state int) []uint32 { return a.Table[state*256 : state*256+256] }

func (a *Automaton) entry(state int) uint32 {
	e := uint32(state) << 8
	if len(a.outputs[state]) > 0 {
		e |= entryMatch
	}
	return e
}

// Match is one occurrence of a pattern in a file.
type Match struct {
	Offset int64  // of its first byte
	Line   uint32 // of the pattern
}

// expand appends the matches that end before offset end when the automaton has reached state.
func (a *Automaton) expand(out []Match, state uint32, end int64) []Match {
	for _, o := range a.outputs[state] {
		out = append(out, Match{Offset: end - int64(o.length), Line: o.line})
	}
	return out
}

func sortMatches(ms []Match) {
	slices.SortFunc(ms, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Line, b.Line))
	})
}
