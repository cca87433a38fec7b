package scan

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
)

// The library builds the trie with its failure and dictionary links. Its only view of them is
// Encode, a gzip stream of little-endian 64-bit words:
//
//	5 lengths, all equal to the number n of states, the unused state 0 included
//	dict      n words: length of the pattern that ends in the state, or 0
//	trans     n * 256 words: child by byte, or 0
//	failLink  n words
//	dictLink  n words: nearest state on the failure chain in which a pattern ends, or 0
//	pattern   n words: number of the pattern that ends in the state
const (
	trieRoot    = 1
	trieLengths = 5
)

// errTrie is wrapped by errors about the stream; it can only mean another version of the library.
var errTrie = errors.New("unexpected form of the encoded trie")

// trie is the library's automaton, numbered as it numbers it.
type trie struct {
	n                             int
	dict, fail, dictLink, pattern []uint64
	trans                         []uint64 // n * 256
}

// buildTrie makes the automaton of distinct patterns.
func buildTrie(patterns [][]byte) (*trie, error) {
	var encoded bytes.Buffer
	built := ahocorasick.NewTrieBuilder().AddPatterns(patterns).Build()
	if err := ahocorasick.Encode(&encoded, built); err != nil {
		return nil, fmt.Errorf("encode the trie: %w", err)
	}
	z, err := gzip.NewReader(&encoded)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTrie, err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTrie, err)
	}
	return decodeTrie(data)
}

func decodeTrie(data []byte) (*trie, error) {
	words := make([]uint64, len(data)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	if len(data)%8 != 0 || len(words) < trieLengths {
		return nil, fmt.Errorf("%w: %d bytes", errTrie, len(data))
	}
	n := words[0]
	for _, other := range words[:trieLengths] {
		if other != n {
			return nil, fmt.Errorf("%w: %d states and %d states", errTrie, n, other)
		}
	}
	words = words[trieLengths:]
	if n <= trieRoot || n > uint64(len(words)) || uint64(len(words)) != n*(256+4) {
		return nil, fmt.Errorf("%w: %d words for %d states", errTrie, len(words), n)
	}
	take := func(count uint64) []uint64 {
		out := words[:count]
		words = words[count:]
		return out
	}
	t := &trie{n: int(n), dict: take(n), trans: take(n * 256), fail: take(n), dictLink: take(n), pattern: take(n)}
	return t, t.check()
}

// check makes sure that every link stays inside.
func (t *trie) check() error {
	for _, links := range [][]uint64{t.trans, t.fail, t.dictLink} {
		for _, to := range links {
			if to >= uint64(t.n) {
				return fmt.Errorf("%w: link to state %d of %d", errTrie, to, t.n)
			}
		}
	}
	return nil
}
