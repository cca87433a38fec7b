package preprocess

import "vyretop/engine/glsl/source"

// guardLoops puts the guard call into the condition of every loop whose keyword is in p.loops:
//
//	for (a; c; s)   for (a; vt_tick() && (c); s)
//	for (a; ; s)    for (a; vt_tick(); s)
//	while (c)       while (vt_tick() && (c))      also after do { … }
//
// Inserted tokens have the position of the condition. A loop that is not well formed is left to
// the parser to refuse.
func (p *processor) guardLoops() {
	if len(p.loops) == 0 {
		return
	}
	call := newLexer(&source.File{Text: p.o.GuardCall}, p.report).rest()
	together := newLexer(&source.File{Text: p.o.BarrierGuardCall}, p.report).rest()
	blocks := findBlocks(p.res.Tokens)
	var all []Edit
	for _, i := range p.loops {
		from, to, ok := condition(p.res.Tokens, i)
		if !ok {
			continue
		}
		cond := p.res.Tokens[from:to]
		if len(cond) > 1 && cond[0].Kind == source.Ident && cond[1].Kind == source.Ident {
			p.report(source.Diagnostic{
				Pos: cond[0].Pos, Kind: source.OutsideSubset, Construct: "declaration in a loop condition",
				Message: "a loop condition that declares a variable cannot be guarded",
				Fix:     "declare the variable before the loop and assign it in the condition",
			})
			continue
		}
		chosen := call
		if blocks.hasBarrier(i) {
			chosen = together
		}
		all = append(all, guard(chosen, p.res.Tokens, from, to)...)
	}
	p.res.Apply(all)
}

// condition finds the condition of the loop whose keyword is token i: tokens from up to to, none
// for an empty one. In a for header it stands between the semicolons.
func condition(toks []source.Token, i int) (from, to int, ok bool) {
	isFor := toks[i].Text == "for"
	if !toks[i+1].Is("(") {
		return 0, 0, false
	}
	from, depth, semicolons := i+2, 0, 0
	for j := i + 2; toks[j].Kind != source.EOF; j++ {
		switch t := toks[j]; {
		case t.Is("for"), t.Is("while"): // no header holds a loop; this also bounds the search
			return 0, 0, false
		case t.Is("("), t.Is("["), t.Is("{"):
			depth++
		case t.Is(")") && depth == 0:
			return from, j, !isFor && j > from
		case t.Is(")"), t.Is("]"), t.Is("}"):
			depth--
		case t.Is(";") && depth == 0 && !isFor:
			return 0, 0, false
		case t.Is(";") && depth == 0 && semicolons == 1:
			return from, j, true
		case t.Is(";") && depth == 0:
			semicolons++
			from = j + 1
		}
	}
	return 0, 0, false
}

// guard is what to insert around the condition in tokens from up to to.
func guard(call []token, toks []source.Token, from, to int) []Edit {
	pos := toks[from].Pos
	var before []source.Token
	for _, t := range call {
		before = append(before, source.Token{Kind: t.Kind, Text: t.Text, Pos: pos, Inserted: true})
	}
	if from == to {
		return []Edit{{from, from, before}}
	}
	punct := func(text string) source.Token {
		return source.Token{Kind: source.Punct, Text: text, Pos: pos, Inserted: true}
	}
	before = append(before, punct("&&"), punct("("))
	return []Edit{{from, from, before}, {to, to, []source.Token{punct(")")}}}
}
