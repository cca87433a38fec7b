package gguf

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Alphabet is the character by which vocabularies of kind gpt2 write each byte: printable ones stand for themselves.
var Alphabet = alphabet()

func alphabet() (a [256]rune) {
	next := rune(256)
	for b := range a {
		if b >= '!' && b <= '~' || b >= 0xA1 && b != 0xAD {
			a[b] = rune(b)
			continue
		}
		a[b] = next
		next++
	}
	return a
}

// Spell writes bytes in the alphabet.
func Spell(text []byte) string {
	var b strings.Builder
	for _, c := range text {
		b.WriteRune(Alphabet[c])
	}
	return b.String()
}

func (t *Tokenizer) initBPE(f *File, tokens []string) error {
	bytes := map[rune]byte{}
	for b, r := range Alphabet {
		bytes[r] = byte(b)
	}
	for i, s := range tokens {
		for _, r := range s {
			b, ok := bytes[r]
			if !ok { // a special token, which stands for itself
				t.pieces[i] = []byte(s)
				break
			}
			t.pieces[i] = append(t.pieces[i], b)
		}
	}
	if t.End != NoToken {
		t.pieces[t.End] = nil
	}
	merges, _, err := Value[[]string](f, "tokenizer.ggml.merges")
	if err != nil {
		return err
	}
	t.ranks = make(map[pair]int, len(merges))
	for i, m := range merges {
		left, right, ok := strings.Cut(m, " ")
		if _, known := t.number[left+right]; !ok || !known {
			return unusable(fmt.Sprintf("merge %d, %q, makes no token", i, m), "convert the model again")
		}
		if _, twice := t.ranks[pair{left, right}]; !twice {
			t.ranks[pair{left, right}] = i
		}
	}
	return nil
}

func (t *Tokenizer) encodeBPE(out []int, text string) ([]int, error) {
	at := 0
	for _, word := range Words(text) {
		for _, p := range merge(strings.Split(Spell([]byte(word)), ""), t.rank) {
			n, ok := t.number[p]
			if !ok {
				return nil, unknown(text, at)
			}
			out = append(out, n)
			at += utf8.RuneCountInString(p) // a character of the alphabet is a byte
		}
	}
	return out, nil
}

// rank is the rank of a pair of tokens, infinite where the two are not merged.
func (t *Tokenizer) rank(left, right string) float64 {
	if r, ok := t.ranks[pair{left, right}]; ok {
		return float64(r)
	}
	return math.Inf(1)
}

// merge joins neighbors, always the pair of the lowest rank, the first of equal ones.
func merge(parts []string, rank func(left, right string) float64) []string {
	ranks := make([]float64, max(len(parts), 1)) // of each part with the one before
	ranks[0] = math.Inf(1)
	for i := 1; i < len(parts); i++ {
		ranks[i] = rank(parts[i-1], parts[i])
	}
	for {
		at := 0
		for i, r := range ranks {
			if r < ranks[at] {
				at = i
			}
		}
		if at == 0 {
			return parts
		}
		parts[at-1] += parts[at]
		parts, ranks = slices.Delete(parts, at, at+1), slices.Delete(ranks, at, at+1)
		for i := max(at-1, 1); i <= at && i < len(parts); i++ {
			ranks[i] = rank(parts[i-1], parts[i])
		}
	}
}

var contractions = []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}

// Words splits text as GPT-2 does: contractions; runs of letters, of digits and of other characters, each with one space
// before it; and white space, of which the last character stays for the word behind it.
func Words(text string) (words []string) {
	for len(text) > 0 {
		n := word(text)
		words = append(words, text[:n])
		text = text[n:]
	}
	return words
}

func word(text string) int {
	for _, c := range contractions {
		if strings.HasPrefix(text, c) {
			return len(c)
		}
	}
	space := 0
	if text[0] == ' ' && len(text) > 1 {
		space = 1
	}
	first, _ := utf8.DecodeRuneInString(text[space:])
	for _, class := range []func(rune) bool{unicode.IsLetter, unicode.IsNumber, other} {
		if class(first) {
			return space + run(text[space:], class)
		}
	}
	n := run(text, unicode.IsSpace)
	if n == len(text) {
		return n
	}
	_, last := utf8.DecodeLastRuneInString(text[:n])
	return max(n-last, last)
}

func other(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsSpace(r) }

func run(text string, class func(rune) bool) int {
	for i, r := range text {
		if !class(r) {
			return i
		}
	}
	return len(text)
}
