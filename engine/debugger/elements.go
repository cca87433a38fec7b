package debugger

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/tree"
)

// Elements are consecutive elements of an array.
type Elements struct {
	Array  string // the expression
	From   int    // index of the first
	Total  int    // elements that the array has
	Values []Value
}

// maxElements bounds what one request reads.
const maxElements = 4096

// Elements reads at most n elements of an array from one on.
func (s *Session) Elements(array string, from, n int) (Elements, error) {
	x, err := s.scope().parse(array)
	if err != nil {
		return Elements{}, err
	}
	if !x.Type().IsArray() {
		return Elements{}, unsupported(fmt.Sprintf("%s is of type %v, not an array", array, x.Type()), "print it without [FROM:TO]")
	}
	p, err := s.scope().locate(x)
	if err != nil {
		return Elements{}, err
	}
	e := Elements{Array: array, From: from, Total: s.scope().elements(p)}
	if from > e.Total {
		return e, unsupported(fmt.Sprintf("element %d of %s is out of range: there are %d elements", from, array, e.Total), "begin below the length")
	}
	t := x.Type()
	for i := range min(n, e.Total-from, maxElements) {
		at := spot{t: t.Elem, space: p.space, at: p.at + (from+i)*t.Elem.Components(), dense: p.dense}
		if !p.dense {
			at.bytes = p.bytes + (from+i)*t.Stride()
			at.at = at.bytes / 4
		}
		e.Values = append(e.Values, s.scope().value(at))
	}
	return e, nil
}

// Slice splits a text of the form ARRAY[FROM:TO] and evaluates the bounds; TO may be left out. It reports false for a text
// of another form.
func (s *Session) Slice(text string) (array string, from, to int, ok bool, err error) {
	array, low, high, ok := cutSlice(text)
	if !ok {
		return "", 0, 0, false, nil
	}
	to = maxElements
	if from, err = s.scope().bound(low, 0); err == nil {
		to, err = s.scope().bound(high, SliceToEnd)
	}
	if err == nil && to < from {
		err = unsupported(fmt.Sprintf("the slice [%d:%d] ends before it begins", from, to), "write [FROM:TO] with FROM at most TO")
	}
	return array, from, to, true, err
}

// SliceToEnd is the upper bound of a slice that has none.
const SliceToEnd = 1 << 31

// bound evaluates a bound of a slice.
func (s scope) bound(text string, otherwise int) (int, error) {
	if strings.TrimSpace(text) == "" {
		return otherwise, nil
	}
	v, err := s.Eval(text)
	if err != nil {
		return 0, err
	}
	switch {
	case v.Type == tree.Int && int32(v.Words[0]) >= 0, v.Type == tree.Uint:
		return int(v.Words[0]), nil
	}
	return 0, unsupported("the bound "+text+" of a slice is not an index", "write a whole number that is not negative")
}

// cutSlice finds the brackets at the end of a text with a colon in them that belongs to no condition.
func cutSlice(text string) (array, low, high string, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasSuffix(text, "]") {
		return "", "", "", false
	}
	depth, questions, colon := 0, 0, -1
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; {
		case c == ']' || c == ')':
			depth++
		case c == '[' || c == '(':
			if depth--; depth == 0 {
				if colon < 0 || questions != 0 {
					return "", "", "", false
				}
				return text[:i], text[i+1 : colon], text[colon+1 : len(text)-1], true
			}
		case c == ':' && depth == 1:
			colon = i
		case c == '?' && depth == 1:
			questions++
		}
	}
	return "", "", "", false
}
