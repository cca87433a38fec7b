package workload

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestExprTable(t *testing.T) {
	env := Env{Index: 7, Flags: map[string]uint32{"n": 3, "zero": 0}}
	for _, c := range []struct {
		in   any
		want string
	}{
		{int64(5), "5"},
		{"0x10", "16"},
		{"index", "7"},
		{"$n", "3"},
		{"index + 1", "8"},
		{"index - $n", "4"},
		{"$n - index", "error"},
		{"index * 4", "28"},
		{"index / 2", "3"},
		{"index % 4", "3"},
		{"index / $zero", "error"},
		{"index % 0", "error"},
		{"4294967295 + 1", "error"},
		{"4294967295 * 4294967295", "error"},
		{"$unknown", "error"},
		{"", "refused"},
		{"index+1", "refused"},
		{"1 + 2 + 3", "refused"},
		{"1 ** 2", "refused"},
		{"1 & 2", "refused"},
		{"$", "refused"},
		{"$a.b", "refused"},
		{"-1", "refused"},
		{"4294967296", "refused"},
		{int64(-1), "refused"},
		{int64(1 << 32), "refused"},
		{1.5, "refused"},
		{true, "refused"},
	} {
		if got := evaluate(c.in, env); got != c.want {
			t.Errorf("%v: got %s, want %s", c.in, got, c.want)
		}
	}
}

func evaluate(in any, env Env) string {
	e, err := ParseExpr(in)
	if err != nil {
		return "refused"
	}
	v, err := e.Eval(env)
	if err != nil {
		return "error"
	}
	return fmt.Sprint(v)
}

// TestExprNeverWraps: a result is the exact one, or an error.
func TestExprNeverWraps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint32().Draw(t, "a"), rapid.Uint32().Draw(t, "b")
		op := rapid.SampledFrom([]string{"+", "-", "*", "/", "%"}).Draw(t, "op")
		e, err := ParseExpr(fmt.Sprintf("index %s %d", op, b))
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Eval(Env{Index: a})
		want, ok := exact(op, a, b)
		if (err == nil) != ok || (ok && got != want) {
			t.Fatalf("%d %s %d: got %d, %v; want %d, %t", a, op, b, got, err, want, ok)
		}
	})
}

func exact(op string, a, b uint32) (uint32, bool) {
	x, y := int64(a), int64(b)
	switch {
	case op == "+":
		return a + b, x+y <= math.MaxUint32
	case op == "-":
		return a - b, x >= y
	case op == "*":
		return a * b, y == 0 || x <= math.MaxUint32/y
	case b == 0:
		return 0, false
	case op == "/":
		return a / b, true
	}
	return a % b, true
}
