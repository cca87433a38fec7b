package gguf

import (
	"fmt"
	"math"
	"strings"
)

// blank is how vocabularies of kind llama write a space.
const blank = "▁"

// Types of tokens, as the format numbers them.
const (
	typeControl = 3
	typeByte    = 6
)

func (t *Tokenizer) initSPM(f *File, tokens []string) (err error) {
	if t.scores, _, err = Value[[]float64](f, "tokenizer.ggml.scores"); err != nil {
		return err
	}
	if len(t.scores) != len(tokens) {
		return unusable(fmt.Sprintf("%d tokens have %d scores", len(tokens), len(t.scores)), "convert the model again")
	}
	types, _, err := Value[[]int64](f, "tokenizer.ggml.token_type")
	if err != nil {
		return err
	}
	prefix, given, err := Value[bool](f, "tokenizer.ggml.add_space_prefix")
	t.prefix = prefix || !given
	for i, s := range tokens {
		b, isByte := byteOf(s)
		switch {
		case i < len(types) && types[i] == typeControl:
		case isByte && (i >= len(types) || types[i] == typeByte):
			t.pieces[i] = []byte{b}
		default:
			t.pieces[i] = []byte(strings.ReplaceAll(s, blank, " "))
		}
	}
	return err
}

// byteOf reads a token such as <0x0A>.
func byteOf(s string) (b byte, ok bool) {
	if len(s) != 6 || s[:3] != "<0x" || s[5] != '>' {
		return 0, false
	}
	_, err := fmt.Sscanf(s[3:5], "%02X", &b)
	return b, err == nil
}

func (t *Tokenizer) encodeSPM(out []int, text string) ([]int, error) {
	spelled := strings.ReplaceAll(text, " ", blank)
	if t.prefix && text != "" {
		spelled = blank + spelled
	}
	at := 0 // of the text that was given
	if len(spelled) > 0 && t.prefix {
		at = -1
	}
	for _, p := range merge(strings.Split(spelled, ""), t.score) {
		if n, ok := t.number[p]; ok {
			out = append(out, n)
		} else {
			for i := range len(p) {
				n, ok := t.number[fmt.Sprintf("<0x%02X>", p[i])]
				if !ok {
					return nil, unknown(text, max(at, 0))
				}
				out = append(out, n)
			}
		}
		at += len(strings.ReplaceAll(p, blank, " "))
	}
	return out, nil
}

// score is the rank of a pair: the token with the best score comes first.
func (t *Tokenizer) score(left, right string) float64 {
	if n, ok := t.number[left+right]; ok {
		return -t.scores[n]
	}
	return math.Inf(1)
}
