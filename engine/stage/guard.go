package stage

import (
	"regexp"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// The ways to look out of a loop, as a condition under which it continues.
const (
	lookStop   = "vts_go()"   // the stop word
	lookFirm   = "vts_firm"   // always true, which the compiler does not know
	lookFirmES = "vts_firm()" // the same, where an initializer of a global variable must be constant
)

// lookDeclaration looks at the stop word in each 1024th round of an invocation, and does not forget it.
const lookDeclaration = "uint vts_rounds = 0u; bool vts_halted = false; " +
	"bool vts_go() { if ((++vts_rounds & 1023u) == 0u && vts_stop != 0u) vts_halted = true; return !vts_halted; } "

// firmly is the condition of firmDeclaration.
// A device has never 4294967295 workgroups, the only number for which this is false. It must not be the opposite of vt_f_never of the
// floats' prelude: a compiler that sees both knows in a loop that is guarded with one what the other one is. Mesa (22.3) then took
// while (true) { i++; if (i == 0u) break; ... } for one round again.
const firmly = "gl_NumWorkGroups.x * 2654435761u != 1640531535u; "

// firmDeclaration stands before everything that may have a loop.
const (
	firmDeclaration   = "bool vts_firm = " + firmly
	firmDeclarationES = "bool vts_firm() { return " + firmly + "} "
)

// embedded finds the version of a text of GLSL ES, which allows only constants as initializers of global variables (3.10, section 4.3).
var embedded = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*version[ \t]+[0-9]+[ \t]+es\b`)

// guards makes the loops whose keyword stands where wanted says look out in every round. A loop whose
// condition declares a variable goes unguarded.
func (b *builder) guards(look string, wanted func(at int) bool) []edit {
	var edits []edit
	for i, w := range b.words {
		if !wanted(w.from) {
			continue
		}
		switch {
		case w.text == "do":
			edits = append(edits, b.guardBody(look, i+1)...)
		case (w.text == "for" || w.text == "while") && sequence(b.words, i+1, "("):
			edits = append(edits, b.guardCondition(look, i)...)
		}
	}
	return edits
}

// guardBody lets the body of a do loop begin with a look, so that nothing in it comes before a way out.
func (b *builder) guardBody(look string, body int) []edit {
	if body >= len(b.words) || b.words[body].text != "{" {
		return nil // a single statement: the condition is guarded as that of a while
	}
	at := b.words[body].to
	return []edit{{at, at, " if (!" + look + ") break; "}}
}

func (b *builder) guardCondition(look string, keyword int) []edit {
	from, to, ok := b.condition(keyword)
	if !ok {
		return nil
	}
	begin, end := b.words[from].from, b.words[to].from
	if from == to {
		return []edit{{begin, begin, look}}
	}
	return []edit{{begin, begin, look + " && ("}, {end, end, ")"}}
}

// condition finds the words of a loop's condition, from up to to; none for an empty one.
func (b *builder) condition(keyword int) (from, to int, ok bool) {
	end := closing(b.words, keyword+1)
	if end < 0 {
		return 0, 0, false
	}
	from, to = keyword+2, end
	if b.words[keyword].text == "for" {
		semicolons := b.semicolons(from, end)
		if len(semicolons) != 2 {
			return 0, 0, false
		}
		from, to = semicolons[0]+1, semicolons[1]
	}
	declares := to-from > 1 && isName(b.words[from].text) && isName(b.words[from+1].text)
	return from, to, !declares
}

// semicolons lists those between two words that stand in no brackets.
func (b *builder) semicolons(from, to int) []int {
	var list []int
	depth := 0
	for i := from; i < to; i++ {
		switch b.words[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ";":
			if depth == 0 {
				list = append(list, i)
			}
		}
	}
	return list
}

func isName(s string) bool {
	return s[0] == '_' || s[0] >= 'A' && s[0] <= 'Z' || s[0] >= 'a' && s[0] <= 'z'
}

// HasLoops reports whether a program has a loop, or may have one.
func HasLoops(p *tree.Program) bool { return p == nil || len(loopsIn(p)) > 0 }

// OnlyLoop is where the loop of a program is if it has exactly one, else the zero value.
func OnlyLoop(p *tree.Program) source.Pos {
	if p == nil {
		return source.Pos{}
	}
	if loops := loopsIn(p); len(loops) == 1 {
		return loops[0].Pos()
	}
	return source.Pos{}
}

func loopsIn(p *tree.Program) (loops []tree.Stmt) {
	for _, f := range p.Functions {
		tree.InspectStmts(f.Body, func(s tree.Stmt) {
			switch s.(type) {
			case *tree.For, *tree.While, *tree.DoWhile:
				loops = append(loops, s)
			}
		})
	}
	return loops
}
