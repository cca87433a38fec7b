package glsl

import (
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// localSizeValue is where the text gives one component of the workgroup size.
type localSizeValue struct {
	axis     int
	from, to int // tokens of the value
}

// localSizeValues finds the values of a list of layout identifiers that begins at token i, behind its
// parenthesis; end is the closing one.
func localSizeValues(toks []source.Token, i int) (values []localSizeValue, end int) {
	depth := 0
	for ; toks[i].Kind != source.EOF; i++ {
		t := toks[i]
		axis := localSizeAxis(t)
		switch {
		case t.Is("("):
			depth++
		case t.Is(")") && depth == 0:
			closeValue(values, i)
			return values, i
		case t.Is(")"):
			depth--
		case t.Is(",") && depth == 0:
			closeValue(values, i)
		case depth == 0 && axis >= 0 && toks[i+1].Is("="):
			closeValue(values, i) // where a comma is missing, which the parser reports
			values = append(values, localSizeValue{axis: axis, from: i + 2})
		}
	}
	return nil, i
}

// localSizeAxis is the axis that a layout identifier names, else -1; case does not matter in layout identifiers.
func localSizeAxis(t source.Token) int {
	if t.Kind != source.Ident {
		return -1
	}
	return slices.Index([]string{"local_size_x", "local_size_y", "local_size_z"}, strings.ToLower(t.Text))
}

// closeValue ends the value that is open, if there is one, before token i.
func closeValue(values []localSizeValue, i int) {
	if n := len(values); n > 0 && values[n-1].to == 0 {
		values[n-1].to = i
	}
}

// localSizeEdits puts size in the place of every workgroup size that the tokens declare.
func localSizeEdits(toks []source.Token, size [3]uint32) []preprocess.Edit {
	var edits []preprocess.Edit
	for i := range toks {
		if !toks[i].Is("layout") || !toks[i+1].Is("(") {
			continue
		}
		values, end := localSizeValues(toks, i+2)
		if len(values) == 0 {
			continue
		}
		for _, v := range values {
			edits = append(edits, preprocess.Edit{From: v.from, To: v.to, With: []source.Token{number(size[v.axis], toks[v.from].Pos)}})
		}
		for axis := range size {
			if !slices.ContainsFunc(values, func(v localSizeValue) bool { return v.axis == axis }) {
				edits = append(edits, preprocess.Edit{From: end, To: end, With: missingAxis(axis, size[axis], toks[end].Pos)})
			}
		}
	}
	return edits
}

func number(v uint32, at source.Pos) source.Token {
	return source.Token{Kind: source.IntLit, Text: strconv.FormatUint(uint64(v), 10), Pos: at}
}

func missingAxis(axis int, v uint32, at source.Pos) []source.Token {
	return []source.Token{
		{Kind: source.Punct, Text: ",", Pos: at},
		{Kind: source.Ident, Text: "local_size_" + string("xyz"[axis]), Pos: at},
		{Kind: source.Punct, Text: "=", Pos: at},
		number(v, at),
	}
}

// fixedLocalSize reports whether the text may depend on its workgroup size in other places than
// gl_WorkGroupSize: it gives the size by a macro or a constant, which other lines can use too.
func fixedLocalSize(toks []source.Token) bool {
	for i := range toks {
		if !toks[i].Is("layout") || !toks[i+1].Is("(") {
			continue
		}
		values, _ := localSizeValues(toks, i+2)
		for _, v := range values {
			for _, t := range toks[v.from:v.to] {
				if t.Kind == source.Ident || t.Pos.Macro != "" {
					return true
				}
			}
		}
	}
	return false
}
