package grep

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"

	"vyretop/megakernel/workload"
)

// Bounds of an automaton. maxStates bounds the table: 4 MiB. maxSteps bounds the instructions looked at while it is made,
// and so the time (a second) and the memory of states with many instructions: repetitions such as
// ([a-z]x?){1000}, one behind the other, have few states by then but take minutes for each.
const (
	maxStates = 4096
	maxSteps  = 1 << 25
)

// A table entry is the row of the next state, with lineFound where the byte is a newline and the line matches.
const (
	symbols   = 256
	lineFound = 1 << 31
)

// Automaton decides of each line whether an expression matches. Its rows begin at multiples of 256; row 0 is
// the beginning of a line, and no other place in a line has it. The last row is that of who has not come to the beginning of a
// line yet: a newline leads from it to row 0.
type Automaton struct {
	Table  []uint32
	regexp *regexp.Regexp // of the same expression, for texts of Latin-1
}

// Compile makes the automaton of an expression. Its error is an ErrFlag.
func Compile(expression string) (*Automaton, error) {
	bad := func(detail string, err error, fix string) (*Automaton, error) {
		return nil, workload.Failure(workload.ErrFlag, "--pattern", detail, err, fix)
	}
	bytewise := latin1([]byte(expression))
	compiled, err := regexp.Compile(bytewise)
	if err != nil {
		return bad(fmt.Sprintf("%q is not a regular expression", expression), err, "see https://golang.org/s/re2syntax")
	}
	parsed, err := syntax.Parse(bytewise, syntax.Perl)
	if err != nil {
		return bad(fmt.Sprintf("%q is not a regular expression", expression), err, "see https://golang.org/s/re2syntax")
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return bad(fmt.Sprintf("%q cannot be compiled", expression), err, "use a simpler expression")
	}
	b := &builder{prog: prog, rows: map[string]uint32{}, seen: make([]uint32, len(prog.Inst))}
	if limit := b.build(); limit != "" {
		return bad(fmt.Sprintf("%s %s", shortened(expression), limit), nil, "use a simpler expression: fewer or shorter repetitions")
	}
	return &Automaton{Table: seek(b.table), regexp: compiled}, nil
}

// seek adds the last row to a table.
func seek(table []uint32) []uint32 {
	own := uint32(len(table))
	for c := range symbols {
		next := own
		if c == '\n' {
			next = 0
		}
		table = append(table, next)
	}
	return table
}

// shortened quotes an expression, the beginning of a long one.
func shortened(expression string) string {
	const most = 100
	if len(expression) > most {
		return strconv.Quote(expression[:most]) + "…"
	}
	return strconv.Quote(expression)
}

// latin1 is a text in which each byte has become the character of its number.
func latin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// before is what stands in front of a place in a line, as far as \b and ^ are concerned: the beginning, a
// word character or another one.
type before rune

const (
	beginning before = -1
	word      before = 'a'
	other     before = ' '
)

// state is a place of the automaton: instructions to continue with, sorted, and what stands before. A state
// without instructions has found a match in its line.
type state struct {
	pcs    []uint32
	before before
}

func (s state) key() string {
	b := []byte{byte(s.before)}
	for _, pc := range s.pcs {
		b = binary.LittleEndian.AppendUint32(b, pc)
	}
	return string(b)
}

// builder makes the table, state by state.
type builder struct {
	prog   *syntax.Prog
	rows   map[string]uint32 // by key
	states []state
	table  []uint32
	seen   []uint32 // by instruction: the number of the last call of follow that saw it
	call   uint32
	steps  int // instructions looked at
}

// build makes the table and returns "", or says which bound the expression exceeds.
func (b *builder) build() (limit string) {
	b.row(state{pcs: []uint32{uint32(b.prog.Start)}, before: beginning})
	first := alike(b.prog)
	for at := 0; at < len(b.states); at++ {
		row := len(b.table)
		for c := range symbols {
			if like := int(first[c]); like < c {
				b.table = append(b.table, b.table[row+like])
				continue
			}
			b.table = append(b.table, b.step(b.states[at], byte(c)))
			switch {
			case len(b.states) > maxStates:
				return fmt.Sprintf("has more than %d states", maxStates)
			case b.steps > maxSteps:
				return "takes too long to compile"
			}
		}
	}
	return ""
}

// alike has for each byte the first one that the program cannot tell from it.
func alike(prog *syntax.Prog) (first [symbols]byte) {
	var signs [symbols][]byte // what each instruction says of the byte
	for c := range symbols {
		signs[c] = []byte{sign(c == '\n'), sign(syntax.IsWordChar(rune(c)))}
	}
	known := map[string]bool{}
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		switch inst.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		default:
			continue
		}
		key := fmt.Sprint(inst.Op, inst.Rune, inst.Op == syntax.InstRune && syntax.Flags(inst.Arg)&syntax.FoldCase != 0)
		if known[key] {
			continue
		}
		known[key] = true
		for c := range symbols {
			signs[c] = append(signs[c], sign(inst.MatchRune(rune(c))))
		}
	}
	firsts := map[string]byte{}
	for c := range symbols {
		like, seen := firsts[string(signs[c])]
		if !seen {
			like = byte(c)
			firsts[string(signs[c])] = like
		}
		first[c] = like
	}
	return first
}

// sign is a truth as a byte.
func sign(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// row is the row of a state, which may be new.
func (b *builder) row(s state) uint32 {
	key := s.key()
	at, known := b.rows[key]
	if !known {
		at = uint32(len(b.states)) * symbols
		b.rows[key] = at
		b.states = append(b.states, s)
	}
	return at
}

// step is the table entry of a state and a byte.
func (b *builder) step(s state, c byte) uint32 {
	next := rune(c)
	if c == '\n' {
		next = -1
	}
	ready, matched := b.follow(s.pcs, syntax.EmptyOpContext(rune(s.before), next))
	matched = matched || len(s.pcs) == 0
	switch {
	case c == '\n' && matched:
		return lineFound
	case c == '\n':
		return 0
	case matched:
		return b.row(state{before: other})
	}
	to := state{pcs: []uint32{uint32(b.prog.Start)}, before: other} // a match may begin anywhere
	if syntax.IsWordChar(rune(c)) {
		to.before = word
	}
	for _, pc := range ready {
		if inst := &b.prog.Inst[pc]; inst.MatchRune(rune(c)) {
			to.pcs = append(to.pcs, inst.Out)
		}
	}
	slices.Sort(to.pcs)
	to.pcs = slices.Compact(to.pcs)
	return b.row(to)
}

// follow goes from instructions to those that want a character, over the ones that want only a place, where
// `here` says what is true of this place. It reports whether a match ends here.
func (b *builder) follow(pcs []uint32, here syntax.EmptyOp) (ready []uint32, matched bool) {
	b.call++
	todo := slices.Clone(pcs)
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		b.steps++
		if b.seen[pc] == b.call {
			continue
		}
		b.seen[pc] = b.call
		switch inst := &b.prog.Inst[pc]; inst.Op {
		case syntax.InstMatch:
			return nil, true
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^here == 0 {
				todo = append(todo, inst.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			ready = append(ready, pc)
		}
	}
	return ready, false
}

// matches reports whether a line matches, as package regexp has it. The line is without its newline.
func (a *Automaton) matches(line []byte) bool {
	if slices.ContainsFunc(line, func(c byte) bool { return c >= 0x80 }) {
		return a.regexp.MatchString(latin1(line))
	}
	return a.regexp.Match(line)
}
