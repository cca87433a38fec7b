package scan

import (
	"cmp"
	"slices"
)

// Bits of a table entry: the row of the next state, and whether a pattern ends in the symbol.
const (
	entryMatch = 1 << 31
	entryRow   = entryMatch - 1
)

// maxEntries bounds the table: 64 MiB.
const maxEntries = 1 << 24

// Automaton is a dense deterministic automaton over symbols.
//
// Bytes that occur in patterns have a class each, all others class 0. A symbol is one class or, where
// the table stays below maxEntries, two: class of the first byte times the number of classes plus
// class of the second. The host turns text into symbols when it reads a file, so the kernel takes one
// dependent lookup for two bytes, which is what its speed depends on.
//
// State 0 is the start; its row is 0. LF has class 0, because no pattern contains one, so symbol 0
// leads to row 0 from everywhere: text can be filled up with it.
type Automaton struct {
	Table   []uint32 // entry by row + symbol
	stride  int      // bytes in a symbol, 1 or 2
	width   int      // symbols, and so entries in a row
	classes int
	longest int // bytes of the longest pattern
	classOf [256]uint16
	pairs   []uint16 // symbol by first byte + 256 * second byte; stride 2 only
	trie    *trie
	own     [][]output // by state: the patterns whose whole text leads there; those of its suffixes follow by trie.suffix
}

// output is one pattern that ends in a state.
type output struct {
	length int
	line   uint32
}

// States is the number of states.
func (a *Automaton) States() int { return a.trie.states() }

// Compile builds the automaton of patterns. Equal patterns are found separately, each by its line.
func Compile(patterns []Pattern) *Automaton { return compile(patterns, maxEntries) }

func compile(patterns []Pattern, limit int) *Automaton {
	distinct, lines := deduplicate(patterns)
	a := &Automaton{}
	for _, text := range distinct {
		a.longest = max(a.longest, len(text))
	}
	a.classify(distinct)
	a.trie = buildTrie(distinct, a.classes, &a.classOf)
	a.own = make([][]output, a.States())
	for s, index := range a.trie.pattern {
		if index == 0 {
			continue
		}
		for _, line := range lines[index-1] {
			a.own[s] = append(a.own[s], output{length: len(distinct[index-1]), line: line})
		}
	}
	a.tabulate(limit)
	return a
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

// classify gives each byte of the patterns a class.
func (a *Automaton) classify(patterns [][]byte) {
	a.classes = 1
	for _, p := range patterns {
		for _, b := range p {
			if a.classOf[b] == 0 {
				a.classOf[b] = uint16(a.classes)
				a.classes++
			}
		}
	}
}

func (a *Automaton) nextOf(state uint32) []uint32 { return a.trie.row(state) }

// tabulate makes the table over symbols of two bytes, or of one where that would be too large.
func (a *Automaton) tabulate(limit int) {
	a.stride, a.width = 1, a.classes
	if a.States()*a.classes*a.classes <= limit {
		a.stride, a.width = 2, a.classes*a.classes
	}
	a.Table = make([]uint32, 0, a.States()*a.width)
	for s := range a.States() {
		for _, one := range a.nextOf(uint32(s)) {
			if a.stride == 1 {
				a.Table = append(a.Table, a.entry(one, one))
				continue
			}
			for _, two := range a.nextOf(one) {
				a.Table = append(a.Table, a.entry(one, two))
			}
		}
	}
	if a.stride == 1 {
		return
	}
	a.pairs = make([]uint16, 1<<16)
	for i := range a.pairs {
		a.pairs[i] = a.classOf[i&0xFF]*uint16(a.classes) + a.classOf[i>>8]
	}
}

// entry leads to state to by way of state via.
func (a *Automaton) entry(via, to uint32) uint32 {
	e := to * uint32(a.width)
	if a.trie.endOf(via) != 0 || a.trie.endOf(to) != 0 {
		e |= entryMatch
	}
	return e
}

// Match is one occurrence of a pattern in a file.
type Match struct {
	Offset int64  // of its first byte
	Line   uint32 // of the pattern
}

// expand appends the matches that end in a symbol which the automaton meets in a state and which
// begins at an offset of the file.
func (a *Automaton) expand(out []Match, state, symbol uint32, offset int64) []Match {
	classes := []uint32{symbol}
	if a.stride == 2 {
		classes = []uint32{symbol / uint32(a.classes), symbol % uint32(a.classes)}
	}
	for i, c := range classes {
		state = a.nextOf(state)[c]
		for end := a.trie.endOf(state); end != 0; end = a.trie.suffix[end] {
			for _, o := range a.own[end] {
				out = append(out, Match{Offset: offset + int64(i+1-o.length), Line: o.line})
			}
		}
	}
	return out
}

func sortMatches(ms []Match) {
	slices.SortFunc(ms, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Line, b.Line))
	})
}
