package scan

// trie is the Aho-Corasick automaton of distinct patterns: the trie of their bytes, completed with the
// transitions of its failure links. State 0 is the root, in which no pattern ends.
type trie struct {
	classes int
	next    []uint32 // state by state * classes + class
	fail    []uint32 // by state: the longest proper suffix that is a state
	pattern []int    // by state: 1 + index of the pattern that ends there, 0 for none
	suffix  []uint32 // by state: the longest proper suffix in which a pattern ends, 0 for none
}

// buildTrie makes the automaton of patterns, which are distinct and not empty. Every byte of them has a
// class above 0. Class 0, that of all other bytes, leads back to the root.
func buildTrie(patterns [][]byte, classes int, classOf *[256]uint16) *trie {
	t := &trie{classes: classes}
	t.grow()
	for i, p := range patterns {
		t.insert(p, i, classOf)
	}
	t.complete()
	return t
}

// states is the number of states.
func (t *trie) states() int { return len(t.pattern) }

// grow adds a state without transitions and returns its number.
func (t *trie) grow() uint32 {
	t.next = append(t.next, make([]uint32, t.classes)...)
	t.fail, t.pattern, t.suffix = append(t.fail, 0), append(t.pattern, 0), append(t.suffix, 0)
	return uint32(t.states() - 1)
}

// insert adds the states of one pattern.
func (t *trie) insert(text []byte, index int, classOf *[256]uint16) {
	s := 0
	for _, b := range text {
		at := s*t.classes + int(classOf[b])
		if t.next[at] == 0 {
			child := t.grow() // moves next
			t.next[at] = child
		}
		s = int(t.next[at])
	}
	t.pattern[s] = index + 1
}

// complete fills in the failure links and their transitions. It visits the states nearest to the root first,
// so the row of a failure link, which is a shorter state, is complete when it is copied.
func (t *trie) complete() {
	for queue := []uint32{0}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		row, onFailure := t.row(s), t.row(t.fail[s])
		for c, child := range row {
			if child == 0 {
				row[c] = onFailure[c]
				continue
			}
			if s != 0 {
				t.fail[child] = onFailure[c]
			}
			t.suffix[child] = t.endOf(t.fail[child])
			queue = append(queue, child)
		}
	}
}

// endOf returns s where a pattern ends in it, else the longest suffix in which one ends.
func (t *trie) endOf(s uint32) uint32 {
	if t.pattern[s] != 0 {
		return s
	}
	return t.suffix[s]
}

func (t *trie) row(s uint32) []uint32 { return t.next[int(s)*t.classes:][:t.classes] }
