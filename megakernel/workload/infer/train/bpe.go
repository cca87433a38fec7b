package main

import (
	"cmp"
	"slices"
	"strings"

	"vyretop/megakernel/workload/infer/gguf"
)

// endOfText is the token between two texts.
const endOfText = "<|endoftext|>"

// vocabulary learns the tokens of a text: all bytes, then the most frequent pairs, merged one after the other, then endOfText.
func vocabulary(text string, size int) (tokens, merges []string) {
	for _, r := range gguf.Alphabet {
		tokens = append(tokens, string(r))
	}
	var words [][]string
	for _, w := range gguf.Words(text) {
		words = append(words, strings.Split(gguf.Spell([]byte(w)), ""))
	}
	for len(tokens) < size-1 {
		left, right := mostFrequent(words)
		tokens, merges = append(tokens, left+right), append(merges, left+" "+right)
		for i, w := range words {
			words[i] = join(w, left, right)
		}
	}
	return append(tokens, endOfText), merges
}

// mostFrequent is the pair that occurs most often; of equal ones the first in the order of their texts.
func mostFrequent(words [][]string) (left, right string) {
	counts := map[[2]string]int{}
	for _, w := range words {
		for i := 1; i < len(w); i++ {
			counts[[2]string{w[i-1], w[i]}]++
		}
	}
	pairs := make([][2]string, 0, len(counts))
	for p := range counts {
		pairs = append(pairs, p)
	}
	best := slices.MinFunc(pairs, func(a, b [2]string) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	return best[0], best[1]
}

func join(word []string, left, right string) (out []string) {
	for i := 0; i < len(word); i++ {
		if i+1 < len(word) && word[i] == left && word[i+1] == right {
			out = append(out, left+right)
			i++
			continue
		}
		out = append(out, word[i])
	}
	return out
}
