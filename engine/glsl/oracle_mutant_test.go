package glsl

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// Kernels that differ from the scripts by a few tokens must not be accepted here when glslang
// rejects them. VYRETOP_MUTANTS sets their number, VYRETOP_SEED another sequence.
func TestOracleMutants(t *testing.T) {
	random := rand.New(rand.NewPCG(setting("VYRETOP_SEED", 1), 2))
	kernels := tokenize(t)
	var texts []string
	for range setting("VYRETOP_MUTANTS", 2000) {
		text := mutate(random, kernels)
		if u, err := Compile(&source.File{Name: "k.comp", Text: text}, Options{}); err == nil {
			texts = append(texts, u.Text)
		}
	}
	if len(texts) == 0 {
		t.Fatal("no mutant was accepted: the comparison shows nothing")
	}
	t.Logf("%d mutants accepted", len(texts))
	for i, verdict := range oracle(t, texts) {
		if verdict != "" && !taken(verdict) {
			t.Errorf("accepted here, rejected by the oracle: %s\n%s", verdict, texts[i])
		}
	}
}

// taken reports whether glslang refuses what is taken here on purpose: the empty declaration that drivers take, what it takes in
// texts for Vulkan only, images of one format for parameters of another or of none (GLSL 4.50 section 4.9 has no formats on
// parameters), and braces around the elements of an inner unsized array.
func taken(verdict string) bool {
	return strings.Contains(verdict, "image formats must match") || strings.Contains(verdict, "' temp unsized ") || strings.Contains(verdict, "extraneous semicolon") || strings.Contains(verdict, "only allowed when") || strings.Contains(verdict, "local_size_x_id")
}

func setting(name string, otherwise uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return otherwise
}

// tokenize cuts every script input and corpus kernel that is accepted into words that can be put
// together again with blanks.
func tokenize(t *testing.T) [][]string {
	t.Helper()
	var kernels [][]string
	add := func(text string) {
		f := &source.File{Name: "k.comp", Text: text}
		if _, err := Compile(f, Options{Options: corpusOptions}); err != nil || strings.Contains(text, debugfName) {
			return
		}
		pre, _ := preprocess.Run(f, corpusOptions)
		if slices.ContainsFunc(pre.Tokens, func(t source.Token) bool { _, is := separateTextures[t.Text]; return is }) {
			return // the oracle takes it in texts for Vulkan only
		}
		words := make([]string, 0, len(pre.Tokens))
		for _, tok := range pre.Tokens {
			words = append(words, tok.Text)
		}
		kernels = append(kernels, words)
	}
	for _, text := range seedTexts(t) {
		if !strings.Contains(text, "#version") {
			add(scriptHead + text)
		}
	}
	for _, f := range corpus(t, "accept") {
		add(f.Text)
	}
	slices.SortFunc(kernels, func(a, b []string) int { return slices.Compare(a, b) })
	return kernels
}

// replacement picks a word of the same sort from the kernel itself or from any other.
func replacement(random *rand.Rand, kernels [][]string, kernel []string, word string) string {
	for range 200 {
		from := kernel
		if random.IntN(4) == 0 {
			from = kernels[random.IntN(len(kernels))]
		}
		if w := from[random.IntN(len(from))]; w != word && sortOf(w) == sortOf(word) {
			return w
		}
	}
	return word
}

// sortOf tells names, types, qualifiers, numbers and the kinds of punctuation apart.
func sortOf(word string) int {
	switch {
	case word == "":
		return 0
	case typeWords[word] != nil:
		return 1
	case isQualifier(word):
		return 2
	case isKeyword(word):
		return 3
	case strings.ContainsAny(word[:1], "0123456789."):
		return 4
	case precedence[word] > 0 || assignOps[word]:
		return 5
	case strings.ContainsAny(word[:1], "(){}[];,?:!~"):
		return 6
	default:
		return 7
	}
}

// mutate takes a kernel and replaces, drops, doubles or swaps a few of its tokens; replacements
// come from any kernel.
func mutate(random *rand.Rand, kernels [][]string) string {
	words := append([]string{}, kernels[random.IntN(len(kernels))]...)
	for range 1 + random.IntN(3) {
		i := random.IntN(len(words))
		switch random.IntN(12) {
		case 0:
			words = append(words[:i], words[i+1:]...)
		case 1:
			words = append(words[:i+1], words[i:]...)
		case 2:
			j := random.IntN(len(words))
			words[i], words[j] = words[j], words[i]
		default:
			words[i] = replacement(random, kernels, words, words[i])
		}
		if len(words) == 0 {
			break
		}
	}
	return "#version 450\n" + strings.Join(words, " ") + "\n"
}
