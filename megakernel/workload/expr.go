package workload

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Expr is a number in a manifest that may depend on an index and on flags: "A" or "A op B".
// The zero Expr is 0.
type Expr struct {
	a, b term
	op   byte // one of + - * / %, or 0 for A alone
}

// term is an integer, the index, or a flag.
type term struct {
	value   uint64
	isIndex bool
	flag    string
}

// Env is what an Expr is evaluated with.
type Env struct {
	Index uint32
	Flags map[string]uint32
}

// Const is the Expr of a number.
func Const(v uint32) Expr { return Expr{a: term{value: uint64(v)}} }

// ParseExpr reads an Expr from a TOML value: an integer or a string.
func ParseExpr(v any) (Expr, error) {
	switch v := v.(type) {
	case int64:
		if v < 0 || v > math.MaxUint32 {
			return Expr{}, fmt.Errorf("%d does not fit 32 bits without a sign", v)
		}
		return Const(uint32(v)), nil
	case string:
		return parseText(v)
	}
	return Expr{}, fmt.Errorf("%v is neither an integer nor an expression in quotes", v)
}

func parseText(s string) (Expr, error) {
	fields := strings.Fields(s)
	switch len(fields) {
	case 1:
		a, err := parseTerm(fields[0])
		return Expr{a: a}, err
	case 3:
		a, err := parseTerm(fields[0])
		if err != nil {
			return Expr{}, err
		}
		if len(fields[1]) != 1 || !strings.Contains("+-*/%", fields[1]) {
			return Expr{}, fmt.Errorf("%q is none of + - * / %%", fields[1])
		}
		b, err := parseTerm(fields[2])
		return Expr{a: a, op: fields[1][0], b: b}, err
	}
	return Expr{}, fmt.Errorf("%q is not of the form \"A\" or \"A op B\" with blanks around op", s)
}

func parseTerm(s string) (term, error) {
	if s == "index" {
		return term{isIndex: true}, nil
	}
	if name, ok := strings.CutPrefix(s, "$"); ok {
		if !isName(name) {
			return term{}, fmt.Errorf("%q names no flag", s)
		}
		return term{flag: name}, nil
	}
	v, err := strconv.ParseUint(s, 0, 32)
	if err != nil {
		return term{}, fmt.Errorf("%q is neither a number of 32 bits, \"index\" nor a \"$flag\"", s)
	}
	return term{value: v}, nil
}

// Flags are the names of the flags that e uses.
func (e Expr) Flags() []string {
	var out []string
	for _, t := range []term{e.a, e.b} {
		if t.flag != "" {
			out = append(out, t.flag)
		}
	}
	return out
}

// Eval computes e; a result that does not fit 32 bits, a division by zero and a flag that env does
// not have are errors.
func (e Expr) Eval(env Env) (uint32, error) {
	a, err := e.a.eval(env)
	if err != nil || e.op == 0 {
		return uint32(a), err
	}
	b, err := e.b.eval(env)
	if err != nil {
		return 0, err
	}
	if b == 0 && (e.op == '/' || e.op == '%') {
		return 0, fmt.Errorf("%d %c 0 is not defined", a, e.op)
	}
	v := operators[e.op](a, b)
	if v > math.MaxUint32 {
		return 0, fmt.Errorf("%d %c %d does not fit 32 bits without a sign", a, e.op, b)
	}
	return uint32(v), nil
}

// operators work on numbers below 2^32, so that none of them overflows but minus, whose negative
// results are above 2^32.
var operators = map[byte]func(a, b uint64) uint64{
	'+': func(a, b uint64) uint64 { return a + b },
	'-': func(a, b uint64) uint64 { return a - b },
	'*': func(a, b uint64) uint64 { return a * b },
	'/': func(a, b uint64) uint64 { return a / b },
	'%': func(a, b uint64) uint64 { return a % b },
}

func (t term) eval(env Env) (uint64, error) {
	switch {
	case t.isIndex:
		return uint64(env.Index), nil
	case t.flag != "":
		v, ok := env.Flags[t.flag]
		if !ok {
			return 0, fmt.Errorf("unknown flag %q", t.flag)
		}
		return uint64(v), nil
	}
	return t.value, nil
}
