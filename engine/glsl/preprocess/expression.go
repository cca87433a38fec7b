package preprocess

import (
	"strconv"
	"strings"

	"vyretop/engine/glsl/source"
)

// expression evaluates the integer constant expression of a directive (section 3.3). Values are
// 32 bits wide and wrap around; shift counts use their low five bits.
type expression struct {
	p         *processor
	directive string
	toks      []token // macros expanded, ends with EOF
	at        int
	depth     int  // of parentheses and unary operators
	unused    int  // above 0: inside an operand whose value && or || does not need
	failed    bool // an error was reported
}

// binaryOperators gives the level (0 binds least) and meaning of each; && and || cut short their right operand.
var binaryOperators = map[string]struct {
	level int
	apply func(a, b int32) int32
}{
	"||": {0, func(a, b int32) int32 { return truth(a != 0 || b != 0) }},
	"&&": {1, func(a, b int32) int32 { return truth(a != 0 && b != 0) }},
	"|":  {2, func(a, b int32) int32 { return a | b }},
	"^":  {3, func(a, b int32) int32 { return a ^ b }},
	"&":  {4, func(a, b int32) int32 { return a & b }},
	"==": {5, func(a, b int32) int32 { return truth(a == b) }},
	"!=": {5, func(a, b int32) int32 { return truth(a != b) }},
	"<":  {6, func(a, b int32) int32 { return truth(a < b) }},
	">":  {6, func(a, b int32) int32 { return truth(a > b) }},
	"<=": {6, func(a, b int32) int32 { return truth(a <= b) }},
	">=": {6, func(a, b int32) int32 { return truth(a >= b) }},
	"<<": {7, func(a, b int32) int32 { return a << (uint32(b) & 31) }},
	">>": {7, func(a, b int32) int32 { return a >> (uint32(b) & 31) }},
	"+":  {8, func(a, b int32) int32 { return a + b }},
	"-":  {8, func(a, b int32) int32 { return a - b }},
	"*":  {9, func(a, b int32) int32 { return a * b }},
	"/":  {9, func(a, b int32) int32 { return a / b }},
	"%":  {9, func(a, b int32) int32 { return a % b }},
}

func truth(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// newExpression prepares a directive's line: defined is decided, then macros are expanded.
func (p *processor) newExpression(directive string, at source.Pos, line []token) *expression {
	x := &expression{p: p, directive: directive}
	before := p.errors
	x.toks = p.expandList(x.decideDefined(line), at)
	x.failed = p.errors > before
	for _, t := range x.toks {
		if x.ok() && t.is("defined") {
			x.fail(t.Pos, "write defined in the directive itself", "defined comes out of a macro")
		}
		if t.problem != nil {
			x.failed = true
			p.sound(t)
		}
	}
	end := at
	if n := len(line); n > 0 {
		end = line[n-1].Pos
	}
	x.toks = append(x.toks, token{Token: source.Token{Kind: source.EOF, Pos: end}})
	return x
}

func (x *expression) ok() bool    { return !x.failed }
func (x *expression) peek() token { return x.toks[x.at] }
func (x *expression) atEnd() bool { return x.peek().Kind == source.EOF }

// take consumes the next token unless it is the EOF.
func (x *expression) take() token {
	t := x.peek()
	if !x.atEnd() {
		x.at++
	}
	return t
}

// fail reports the first error of the expression.
func (x *expression) fail(pos source.Pos, fix, format string, args ...any) {
	if x.failed {
		return
	}
	x.failed = true
	x.p.errorf(pos, x.directive, fix, format, args...)
}

// decideDefined replaces "defined NAME" and "defined ( NAME )" by 1 or 0.
func (x *expression) decideDefined(line []token) []token {
	out := make([]token, 0, len(line))
	for i := 0; i < len(line); i++ {
		t := line[i]
		if !t.is("defined") || x.failed {
			out = append(out, t)
			continue
		}
		i++
		open := i < len(line) && line[i].is("(")
		if open {
			i++
		}
		if i >= len(line) || line[i].Kind != source.Ident || open && (i+1 == len(line) || !line[i+1].is(")")) {
			x.fail(t.Pos, "write it as defined(NAME)", "defined needs the name of a macro")
			break
		}
		x.p.res.Record.use(x.p.macros[line[i].Text], line[i])
		value := truth(isDefined(x.p, line[i].Text))
		if open {
			i++
		}
		t.Kind, t.Text = source.IntLit, strconv.Itoa(int(value))
		out = append(out, t)
	}
	return out
}

// binary evaluates operators of the given level and those that bind tighter.
func (x *expression) binary(level int) int32 {
	left := x.unary()
	for x.ok() {
		op := x.peek()
		found, ok := binaryOperators[op.Text]
		if !ok || op.Kind != source.Punct || found.level < level {
			break
		}
		x.take()
		cut := op.Text == "&&" && left == 0 || op.Text == "||" && left != 0
		if cut {
			x.unused++
		}
		right := x.binary(found.level + 1)
		if cut {
			x.unused--
		}
		if right == 0 && (op.Text == "/" || op.Text == "%") {
			left = x.divideByZero(op)
			continue
		}
		left = found.apply(left, right)
	}
	return left
}

func (x *expression) divideByZero(op token) int32 {
	if x.unused == 0 {
		x.fail(op.Pos, "divide by something else", "the expression divides by zero")
	}
	return 0
}

// unary evaluates an operand with the operators before it.
func (x *expression) unary() int32 {
	x.depth++
	defer func() { x.depth-- }()
	t := x.take()
	switch {
	case x.failed:
		return 0
	case x.depth > maxNesting:
		x.fail(t.Pos, "simplify the expression", "the expression is nested more than %d deep", maxNesting)
		return 0
	case t.is("+"):
		return x.unary()
	case t.is("-"):
		return -x.unary()
	case t.is("~"):
		return ^x.unary()
	case t.is("!"):
		return truth(x.unary() == 0)
	case t.is("("):
		return x.group(t)
	}
	return x.operand(t)
}

// group evaluates what stands between t, a parenthesis, and the one that closes it.
func (x *expression) group(t token) int32 {
	value := x.binary(0)
	if !x.take().is(")") {
		x.fail(t.Pos, "add the missing )", "the parenthesis is not closed")
	}
	return value
}

// operand evaluates a number, or a name that is not a macro.
func (x *expression) operand(t token) int32 {
	const fix = "use integers, defined(NAME), parentheses and integer operators"
	switch t.Kind {
	case source.Ident:
		if x.unused == 0 {
			x.p.warnf(t.Pos, x.directive, "test it with defined("+t.Text+") first", "%q is not defined and counts as 0", t.Text)
		}
		return 0
	case source.IntLit:
		value, ok := parseInt(t.Text)
		if !ok {
			x.fail(t.Pos, "use at most 32 bits", "the number %s is too large", quoteShort(t.Text))
		}
		return value
	case source.EOF:
		x.fail(t.Pos, fix, "the expression of %s ends too early", x.directive)
	default:
		x.fail(t.Pos, fix, "%s cannot stand in the expression of %s", quoteShort(t.Text), x.directive)
	}
	return 0
}

// parseInt reads a well-formed decimal, octal or hexadecimal literal of at most 32 bits.
func parseInt(text string) (value int32, ok bool) {
	base, digits := 10, text
	switch {
	case strings.HasPrefix(text, "0x"), strings.HasPrefix(text, "0X"):
		base, digits = 16, text[2:]
	case strings.HasPrefix(text, "0"):
		base = 8
	}
	v, err := strconv.ParseUint(digits, base, 32)
	return int32(uint32(v)), err == nil
}
