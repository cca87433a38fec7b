package preprocess

import "vyretop/engine/glsl/source"

// Edit replaces the tokens From up to To by others; none are replaced where both are equal.
type Edit struct {
	From, To int
	With     []source.Token
}

// Apply carries out edits, which are in order and do not overlap, and keeps pragmas before their tokens.
func (r *Result) Apply(edits []Edit) {
	added := 0
	for _, e := range edits {
		added += len(e.With)
	}
	out := make([]source.Token, 0, len(r.Tokens)+added)
	done, pragma := 0, 0
	keep := func(to int) {
		for ; pragma < len(r.Pragmas) && r.Pragmas[pragma].before <= to; pragma++ {
			p := &r.Pragmas[pragma]
			p.before = len(out) + max(0, p.before-done)
		}
		out = append(out, r.Tokens[done:to]...)
	}
	for _, e := range edits {
		keep(e.From)
		out = append(out, e.With...)
		done = e.To
	}
	keep(len(r.Tokens))
	r.Tokens = out
}
