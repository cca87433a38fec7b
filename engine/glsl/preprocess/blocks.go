package preprocess

import "vyretop/engine/glsl/source"

// blocks knows the brackets of a token list, and where the word barrier stands.
type blocks struct {
	toks     []source.Token
	partner  []int // of a bracket the other one, 0 for other tokens
	barriers []int // how many times the word stands before each token
}

func findBlocks(toks []source.Token) *blocks {
	b := &blocks{toks, make([]int, len(toks)), make([]int, len(toks)+1)}
	var open []int
	for i, t := range toks {
		b.barriers[i+1] = b.barriers[i]
		switch {
		case t.Text == "barrier":
			b.barriers[i+1]++
		case t.Is("{"), t.Is("("):
			open = append(open, i)
		case (t.Is("}") || t.Is(")")) && len(open) > 0:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			b.partner[last], b.partner[i] = i, last
		}
	}
	return b
}

// hasBarrier reports whether the word barrier stands in the body of the loop whose keyword is token i.
// A body without braces has none.
func (b *blocks) hasBarrier(i int) bool {
	begin := b.partner[max(i-1, 0)]
	if !b.toks[i].Is("while") || begin == 0 || !b.toks[begin-1].Is("do") {
		begin = b.partner[i+1] + 1 // behind the header
	}
	end := b.partner[min(begin, len(b.toks)-1)]
	return end > begin && b.toks[begin].Is("{") && b.barriers[end] > b.barriers[begin]
}
