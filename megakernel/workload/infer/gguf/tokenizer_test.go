package gguf

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func bpe(t testing.TB, merges ...string) *Tokenizer {
	f := New()
	var tokens []string
	for _, r := range Alphabet {
		tokens = append(tokens, string(r))
	}
	for _, m := range merges {
		tokens = append(tokens, strings.ReplaceAll(m, " ", ""))
	}
	f.Meta["tokenizer.ggml.model"], f.Meta["tokenizer.ggml.tokens"], f.Meta["tokenizer.ggml.merges"] = "gpt2", append(tokens, "<|end|>"), merges
	f.Meta["tokenizer.ggml.eos_token_id"] = uint64(len(tokens))
	return must(t, f)
}

func must(t testing.TB, f *File) *Tokenizer {
	x, err := f.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// texts of the tokens that a text becomes.
func texts(t *testing.T, x *Tokenizer, text string) (out []string) {
	list, err := x.Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range list {
		out = append(out, string(x.Text(n)))
	}
	return out
}

func TestMergesGoByRank(t *testing.T) {
	x := bpe(t, "l o", "lo w", "Ġ low", "w e", "e r")
	for text, want := range map[string]string{
		"low": "low", " low": " low", "lower": "low|er", "wel": "we|l", "ll o": "l|l| |o", "": "",
	} {
		if got := strings.Join(texts(t, x, text), "|"); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if x.End != x.Len()-1 || len(x.Text(x.End)) != 0 {
		t.Errorf("end %d of %d, text %q", x.End, x.Len(), x.Text(x.End))
	}
}

// TestBytesComeBack: what is encoded is decoded to the same bytes, also where they are no text.
func TestBytesComeBack(t *testing.T) {
	x := bpe(t, "a b", "Ġ ab", "ab ab", "Ã ¤")
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "bytes")) + rapid.StringMatching(`[ab ä\n]{0,40}`).Draw(t, "text")
		list, err := x.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(x.Decode(list)); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func TestWordsAreThoseOfGPT2(t *testing.T) {
	for text, want := range map[string][]string{
		"It's 12  o'clock, isn't it?": {"It", "'s", " 12", " ", " o", "'", "clock", ",", " isn", "'t", " it", "?"},
		"a\n\n b  ":                   {"a", "\n\n", " b", "  "},
		" \n":                         {" \n"},
		"x   y":                       {"x", "  ", " y"},
		"über 3½!":                    {"über", " 3½", "!"},
		" ":                           {" "},
	} {
		if got := Words(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ab1'. \nß]{0,30}`).Draw(t, "text")
		if got := strings.Join(Words(text), ""); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func spm(t testing.TB, change func(*File)) *Tokenizer {
	f := New()
	f.Meta["tokenizer.ggml.model"] = "llama"
	f.Meta["tokenizer.ggml.tokens"] = []string{"<unk>", "<s>", "</s>", "<0x0A>", "<0xC3>", "<0xA4>", "▁", "a", "b", "▁a", "ab", "▁ab"}
	f.Meta["tokenizer.ggml.scores"] = []float64{0, 0, 0, 0, 0, 0, -9, -9, -9, -2, -1, -3}
	f.Meta["tokenizer.ggml.token_type"] = []int64{2, 3, 3, 6, 6, 6, 1, 1, 1, 1, 1, 1}
	f.Meta["tokenizer.ggml.bos_token_id"], f.Meta["tokenizer.ggml.eos_token_id"] = uint64(1), uint64(2)
	if change != nil {
		change(f)
	}
	return must(t, f)
}

func TestTheBestScoreIsMergedFirst(t *testing.T) {
	x := spm(t, nil)
	for text, want := range map[string][]string{
		"ab": {"", " ab"}, "a ab": {"", " a", " ab"}, "bä\n": {"", " ", "b", "\xC3", "\xA4", "\n"}, "": {""},
	} {
		if d := cmp.Diff(want, texts(t, x, text)); d != "" {
			t.Errorf("%q: %s", text, d)
		}
	}
	x = spm(t, func(f *File) {
		f.Meta["tokenizer.ggml.add_bos_token"], f.Meta["tokenizer.ggml.add_space_prefix"] = false, false
	})
	if got := texts(t, x, "ab"); !slices.Equal(got, []string{"ab"}) {
		t.Errorf("%q", got)
	}
}

// TestTextWithoutATokenIsAnError names the character and where it is.
func TestTextWithoutATokenIsAnError(t *testing.T) {
	f := New()
	f.Meta["tokenizer.ggml.model"], f.Meta["tokenizer.ggml.tokens"] = "gpt2", []string{"a", "b"}
	for _, x := range []*Tokenizer{must(t, f), spm(t, nil)} {
		_, err := x.Encode("abzb")
		if !errors.Is(err, ErrText) || !strings.Contains(err.Error(), `byte 2 of the text: the vocabulary has no token for "z". Fix: `) {
			t.Error(err)
		}
		if _, err := x.Encode(strings.Repeat("a", MaxText+1)); !errors.Is(err, ErrText) {
			t.Error(err)
		}
	}
}

func TestUnusableTokenizers(t *testing.T) {
	for name, meta := range map[string]map[string]any{
		"none":              {},
		"unknown":           {"tokenizer.ggml.model": "bert", "tokenizer.ggml.tokens": []string{"a"}},
		"merge of nothing":  {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": []string{"a"}, "tokenizer.ggml.merges": []string{"ab"}},
		"merge without end": {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": []string{"a"}, "tokenizer.ggml.merges": []string{"a a"}},
		"no scores":         {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": []string{"a"}},
	} {
		f := New()
		for key, v := range meta {
			f.Meta[key] = v
		}
		if _, err := f.Tokenizer(); !errors.Is(err, ErrTokenizer) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	f := New()
	f.Meta["tokenizer.ggml.tokens"] = "a"
	if _, err := f.Tokenizer(); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
}
