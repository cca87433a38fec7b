package gguf

import (
	"fmt"
	"unicode/utf8"

	"vyretop/engine/fault"
)

// Kinds of errors.
const (
	// ErrTokenizer: the file has no tokenizer that can be used.
	ErrTokenizer fault.Kind = "unusable tokenizer"
	// ErrText: the text has something for which the vocabulary has no token.
	ErrText fault.Kind = "text that the tokenizer cannot encode"
)

// MaxText is the longest text that is encoded, in bytes.
const MaxText = 1 << 13

// NoToken is a token that a tokenizer does not have.
const NoToken = -1

// Tokenizer turns text into the numbers of tokens, and back, as the tokenizer of a file says. It may be used by several goroutines.
//
// Two kinds are known. "gpt2" splits text into words and merges the bytes of each, the pair of the lowest rank first; a
// vocabulary without merges makes it a tokenizer of bytes. "llama" merges the characters of the whole text, the pair with
// the best score first, and writes characters that it does not know as bytes.
type Tokenizer struct {
	pieces [][]byte       // text of each token
	number map[string]int // by the text that merging compares
	ranks  map[pair]int   // gpt2
	scores []float64      // llama
	prefix bool           // llama: text begins with a space
	kind   string

	End   int // token that ends a text, or NoToken
	Begin int // token that begins one, or NoToken
	Adds  bool
}

type pair struct{ left, right string }

// Tokenizer makes the tokenizer of a file. The error is ErrTokenizer, or ErrMissing.
func (f *File) Tokenizer() (*Tokenizer, error) {
	kind, _, err := Value[string](f, "tokenizer.ggml.model")
	if err != nil {
		return nil, err
	}
	tokens, _, err := Value[[]string](f, "tokenizer.ggml.tokens")
	if err != nil {
		return nil, err
	}
	if len(tokens) == 0 {
		return nil, unusable("there is no vocabulary", "convert the model with its tokenizer")
	}
	t := &Tokenizer{kind: kind, pieces: make([][]byte, len(tokens)), number: make(map[string]int, len(tokens))}
	for i, s := range tokens {
		if _, twice := t.number[s]; !twice {
			t.number[s] = i
		}
	}
	if err := t.ends(f); err != nil {
		return nil, err
	}
	switch kind {
	case "gpt2":
		return t, t.initBPE(f, tokens)
	case "llama":
		return t, t.initSPM(f, tokens)
	}
	return nil, unusable(fmt.Sprintf("its kind %q is unknown", kind), "use a model with a tokenizer of kind gpt2 or llama")
}

// ends reads which tokens begin and end a text.
func (t *Tokenizer) ends(f *File) (err error) {
	for _, e := range []struct {
		key string
		to  *int
	}{{"tokenizer.ggml.eos_token_id", &t.End}, {"tokenizer.ggml.bos_token_id", &t.Begin}} {
		*e.to = NoToken
		if _, given := f.Meta[e.key]; given {
			if *e.to, err = f.Count(e.key, 0, len(t.pieces)-1, NoToken); err != nil {
				return err
			}
		}
	}
	adds, given, err := Value[bool](f, "tokenizer.ggml.add_bos_token")
	t.Adds = t.Begin != NoToken && (adds || !given && t.kind == "llama")
	return err
}

func unusable(detail, fix string) error {
	return &fault.Error{Kind: ErrTokenizer, Subject: "tokenizer", Detail: detail, Fix: fix}
}

// Len is the number of tokens.
func (t *Tokenizer) Len() int { return len(t.pieces) }

// Text is what a token stands for; not always whole characters.
func (t *Tokenizer) Text(token int) []byte { return t.pieces[token] }

// Decode is the text of tokens.
func (t *Tokenizer) Decode(tokens []int) []byte {
	var out []byte
	for _, n := range tokens {
		out = append(out, t.pieces[n]...)
	}
	return out
}

// Encode gives the tokens of a text, with the token that begins a text if the file asks for it. The error is ErrText.
func (t *Tokenizer) Encode(text string) ([]int, error) {
	if len(text) > MaxText {
		return nil, &fault.Error{Kind: ErrText, Subject: "text", Detail: fmt.Sprintf("%d bytes, at most %d are encoded", len(text), MaxText), Fix: "use a shorter text"}
	}
	var out []int
	if t.Adds {
		out = append(out, t.Begin)
	}
	if t.kind == "llama" {
		return t.encodeSPM(out, text)
	}
	return t.encodeBPE(out, text)
}

// unknown is the error about the character at an offset of the text.
func unknown(text string, at int) error {
	_, size := utf8.DecodeRuneInString(text[at:])
	return &fault.Error{Kind: ErrText, Subject: fmt.Sprintf("byte %d of the text", at), Detail: fmt.Sprintf("the vocabulary has no token for %q", text[at:at+size]), Fix: "leave it out, or use a model that knows it"}
}
