package policy

import (
	"fmt"
	"reflect"
	"strings"
)

// WhatIf says what another request would change.
type WhatIf struct {
	Inputs  []Difference // members of the request
	Effects []Difference // members of the recommendation; none where one of the two has none
	Gone    []Reason     // rules that decided something for the first request, and not, or otherwise, for the other
	New     []Reason     // the other way round
}

// Difference is a member with two values, under its name in JSON; members of members have a dot.
type Difference struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// WhatIf compares the recommendations for two requests. The errors are those of Explain for each: the
// comparison goes as far as there are rules to compare.
func (p *Policy) WhatIf(r, other *Request, previous Topology) (w WhatIf, first, second error) {
	before, reasons, first := p.Explain(r, previous)
	after, others, second := p.Explain(other, previous)
	w.Inputs = differences(*r, *other)
	if first == nil && second == nil {
		w.Effects = differences(before, after)
	}
	w.Gone, w.New = without(reasons, others), without(others, reasons)
	return w, first, second
}

// without lists the reasons that have none with the same rule and outcome among others.
func without(reasons, others []Reason) (out []Reason) {
	have := map[[3]string]bool{}
	for _, r := range others {
		have[[3]string{r.Rule, r.Sets, r.To}] = true
	}
	for _, r := range reasons {
		if !have[[3]string{r.Rule, r.Sets, r.To}] {
			out = append(out, r)
		}
	}
	return out
}

// differences lists the members of two structs of one type that are not equal, in their order.
func differences(a, b any) []Difference {
	var out []Difference
	walk("", reflect.ValueOf(a), reflect.ValueOf(b), func(name string, a, b reflect.Value) {
		if from, to := fmt.Sprint(a.Interface()), fmt.Sprint(b.Interface()); from != to {
			out = append(out, Difference{name, from, to})
		}
	})
	return out
}

// walk visits the members of two structs, those of structs inside them too.
func walk(prefix string, a, b reflect.Value, visit func(name string, a, b reflect.Value)) {
	for i := range a.NumField() {
		f := a.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			walk(prefix, a.Field(i), b.Field(i), visit)
		case f.Type.Kind() == reflect.Struct:
			walk(prefix+name+".", a.Field(i), b.Field(i), visit)
		default:
			visit(prefix+name, a.Field(i), b.Field(i))
		}
	}
}
