package generate

import (
	"fmt"

	"vyretop/engine/glsl/tree"
)

// Loops of every shape: compilers compute how often a loop runs, and are wrong about some. A step loop counts in any way,
// also around the end of its counter's range, and looks at the counter anywhere; a second counter bounds its rounds.

// stepKind is how a counter changes in a round: the statement, of the counter and a number, and what it does.
type stepKind struct {
	text string
	next func(i, by uint32) uint32
}

var stepKinds = []stepKind{
	{"%[1]s++", func(i, _ uint32) uint32 { return i + 1 }},
	{"%[1]s--", func(i, _ uint32) uint32 { return i - 1 }},
	{"%[1]s += %[2]s", func(i, by uint32) uint32 { return i + by }},
	{"%[1]s -= %[2]s", func(i, by uint32) uint32 { return i - by }},
	{"%[1]s *= %[2]s", func(i, by uint32) uint32 { return i * by }},
	{"%[1]s ^= %[2]s", func(i, by uint32) uint32 { return i ^ by }},
	{"%[1]s <<= 1", func(i, _ uint32) uint32 { return i << 1 }},
	{"%[1]s = ~%[1]s", func(i, _ uint32) uint32 { return ^i }},
	{"%[1]s = -%[1]s", func(i, _ uint32) uint32 { return -i }},
}

var relations = []string{"==", "!=", "<", "<=", ">", ">="}

// stepLoop is a loop under construction.
type stepLoop struct {
	counter, rounds string // variables
	t               *tree.Type
	start           uint32
	by              string
	kind            stepKind
	step            uint32
	most            int // rounds
}

// anyLoop writes a step loop.
func (g *generator) anyLoop(depth int) {
	if g.loops == maxLoops {
		g.assign(0)
		return
	}
	l := &stepLoop{counter: g.fresh("i"), rounds: g.fresh("n"), t: pick(g.t, []*tree.Type{tree.Uint, tree.Int})}
	l.start, l.step = g.number(), g.number()
	l.kind, l.by = pick(g.t, stepKinds), wordLiteral(l.t, l.step)
	l.most = 1 + g.t.below(2*maxRounds)
	g.line("int %s = 0;", l.rounds)
	if g.t.below(2) == 0 {
		g.line("%s %s = %s;", l.t, l.counter, wordLiteral(l.t, l.start))
		g.unboundLoop(l, depth)
		g.scope = append(g.scope, &variable{name: l.counter, t: l.t, constant: true})
	} else {
		g.headedFor(l, depth)
	}
	g.scope = append(g.scope, &variable{name: l.rounds, t: tree.Int, constant: true})
}

// number decides for the start or the step of a counter: mostly a small one.
func (g *generator) number() uint32 {
	switch g.t.below(4) {
	case 2:
		return -uint32(g.t.below(8))
	case 3:
		return pick(g.t, interesting)
	}
	return uint32(g.t.below(8))
}

func wordLiteral(t *tree.Type, w uint32) string {
	if t == tree.Uint {
		return fmt.Sprintf("%du", w)
	}
	return fmt.Sprintf("int(%du)", w)
}

func (l *stepLoop) advance() string { return fmt.Sprintf(l.kind.text, l.counter, l.by) }

// test writes a comparison of the counter with a value that it has about now, or had at the start.
func (g *generator) test(l *stepLoop) string {
	w := l.start
	for range g.t.below(4) {
		w = l.kind.next(w, l.step)
	}
	return fmt.Sprintf("%s %s %s", l.counter, pick(g.t, relations), wordLiteral(l.t, w+uint32(g.t.below(3))-1))
}

// bound writes the exit that ends the loop at last. It comes before anything that could go round without it.
func (g *generator) bound(l *stepLoop) {
	if g.t.below(2) == 0 {
		g.line("  if (++%s > %d) break;", l.rounds, l.most)
		return
	}
	g.line("  if (%s || ++%s > %d) break;", g.test(l), l.rounds, l.most)
}

// unboundLoop writes a while, do or for whose step is in its body.
func (g *generator) unboundLoop(l *stepLoop, depth int) {
	head, tail := "while (true) {", "}"
	switch g.t.below(6) {
	case 1:
		head = "for (;;) {"
	case 2:
		head = "while (" + g.test(l) + ") {"
	case 3:
		head, tail = "do {", "} while ("+g.test(l)+");"
	case 4:
		head = fmt.Sprintf("while (%s++ < %d && !(%s)) {", l.rounds, l.most, g.test(l))
	case 5:
		head = fmt.Sprintf("for (; %s; %s) {", g.test(l), l.advance())
	}
	g.line("%s", head)
	g.bound(l)
	g.line("  %s;", l.advance())
	g.exit(l, depth)
	g.line("%s", tail)
}

// headedFor writes a for that declares its counter.
func (g *generator) headedFor(l *stepLoop, depth int) {
	g.line("for (%s %s = %s; %s; %s) {", l.t, l.counter, wordLiteral(l.t, l.start), g.test(l), l.advance())
	g.bound(l)
	g.exit(l, depth)
	g.line("}")
}

// exit writes a way out that looks at the counter, and the rest of the body.
func (g *generator) exit(l *stepLoop, depth int) {
	test := g.test(l)
	switch g.t.below(8) {
	case 0:
		g.line("  if (%s) break;", test)
	case 1:
		g.line("  if (%s) {", test)
		g.stepBody(l, depth)
		g.line("  } else break;")
		return
	case 2:
		g.line("  if (%s) { if (%s) break; }", g.expr(tree.Bool, 2), test)
	case 3:
		g.line("  if (%s && %s) break;", test, g.expr(tree.Bool, 2))
	case 4:
		g.line("  if (%s) continue;", test)
	case 5:
		g.line("  switch (%s) { case %s: continue; default: %s += 0; }", l.counter, wordLiteral(l.t, l.kind.next(l.start, l.step)), l.rounds)
	case 6:
		k := g.fresh("k")
		g.line("  %s %s = %s; if (%s == %s) break;", l.t, k, l.counter, k, wordLiteral(l.t, l.start))
	case 7:
		memoryExit(g)
	}
	g.stepBody(l, depth)
}

// memoryExit leaves the loop when a word of the invocation in a buffer has some value. Mostly the round changes the word; a
// loop that does not has an exit that a compiler may move out of it.
func memoryExit(g *generator) {
	if g.fn.pure {
		return
	}
	word := work.name + g.index(work.base, workWords)
	if g.t.below(3) != 2 {
		g.line("  %s = %s %% 4u + 1u;", word, word)
	}
	g.line("  if (%s == %du) break;", word, g.t.below(5))
}

func (g *generator) stepBody(l *stepLoop, depth int) {
	g.scope = append(g.scope, &variable{name: l.counter, t: l.t, constant: true})
	g.loops++
	g.block(depth)
	g.loops--
	g.scope = g.scope[:len(g.scope)-1]
}

// longRounds are around the number of iterations after which llvmpipe ends loops, and beyond.
var longRounds = []int{65_000, 65_534, 65_535, 65_536, 100_000}

// longLoop writes a loop of very many rounds, in few kernels and once.
func (g *generator) longLoop() {
	if g.long || g.t.below(8) != 7 || g.loops > 0 {
		g.assign(0)
		return
	}
	g.long = true
	i := g.fresh("i")
	g.line("for (uint %[1]s = 0u; %[1]s < %[2]du; %[1]s++) "+longStep+" + %[1]s;", i, pick(g.t, longRounds))
}

// longStep begins what a long loop does in each round.
const longStep = "u.x = u.x * 1664525u"
