package glsl

import (
	_ "embed" // the own functions
	"regexp"
	"slices"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// The own functions that pack values of 8 and 16 bits, in groups with a blank line between them.
//
//go:embed narrow.glsl
var narrowText string

// narrowAliases are other names of these functions.
var narrowAliases = map[string]string{
	"halfBitsToInt16": "float16BitsToInt16", "halfBitsToUint16": "float16BitsToUint16",
	"int16BitsToHalf": "int16BitsToFloat16", "uint16BitsToHalf": "uint16BitsToFloat16",
}

// libraryName takes the names of the functions out of a group.
var libraryName = regexp.MustCompile(`(?m)^\w+ (\w+)\(`)

// withPacking puts those of the functions before the tokens of a text that it names, where their types are enabled.
func withPacking(p *parser) {
	if !slices.ContainsFunc(tree.NarrowKinds(), func(k tree.Kind) bool { return p.narrow[k] }) {
		return
	}
	named := map[string]bool{}
	for i := range p.toks {
		t := &p.toks[i]
		if alias := narrowAliases[t.Text]; t.Kind == source.Ident && alias != "" {
			t.Text = alias
		}
		named[t.Text] = true
	}
	var text strings.Builder
	for group := range strings.SplitSeq(narrowText, "\n\n") {
		if named[libraryName.FindStringSubmatch(group)[1]] && typesEnabled(p, group) {
			text.WriteString(group + "\n")
		}
	}
	if text.Len() > 0 {
		p.toks = slices.Concat(libraryTokens(text.String()), p.toks)
	}
}

// libraryWord takes the words out of a text.
var libraryWord = regexp.MustCompile(`\w+`)

// typesEnabled reports whether the text enables all types that own functions have.
func typesEnabled(p *parser, group string) bool {
	for _, word := range libraryWord.FindAllString(group, -1) {
		if t := narrowWords[word]; t != nil && !p.narrow[t.ComponentKind()] || int64Words[word] != nil && !p.int64 {
			return false
		}
	}
	return true
}

// packingNames are the names of the own functions.
var packingNames = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range libraryName.FindAllStringSubmatch(narrowText, -1) {
		m[name[1]] = true
	}
	for name := range narrowAliases {
		m[name] = true
	}
	return m
}()
