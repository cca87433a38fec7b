package check

import (
	"fmt"
	"math"
	"strings"

	"vyretop/engine/reference/vm"
)

const wordBits = 32

// shift looks at how far a shift is.
func (c *checker) shift(in *vm.Instr, pc int) vm.Hook {
	return func(*vm.Group) {
		for _, lane := range c.now.LanesOn() {
			for k := range int32(in.N) {
				by := c.now.Word(in.B+k, lane)
				if by < wordBits {
					continue
				}
				c.findWith(Shift, pc, lane, "shift", func() string {
					return fmt.Sprintf("shift by %d bits of a word of %d", int32(by), wordBits)
				})
			}
		}
	}
}

// makesNaN reports whether an operation calculates with floats and can make a NaN of numbers.
func makesNaN(op vm.Op) bool {
	switch name := op.String(); name {
	case "sqrt", "inversesqrt", "log", "log2", "pow", "asin", "acos", "acosh", "atanh", "sin", "cos", "tan":
		return true
	default:
		base, float := strings.CutSuffix(name, ".f")
		switch base {
		case "add", "sub", "mul", "div", "mod", "fma", "mix", "smoothstep":
			return float
		}
		return false
	}
}

// operationWords are the operations that have no name in the language.
var operationWords = map[string]string{"add": "sum", "sub": "difference", "mul": "product", "div": "quotient"}

// nan looks for results that are no number, of operands that are.
func (c *checker) nan(in *vm.Instr, pc int) vm.Hook {
	op := strings.TrimSuffix(in.Op.String(), ".f")
	if word := operationWords[op]; word != "" {
		op = word
	}
	return func(*vm.Group) {
		for _, lane := range c.now.LanesOn() {
			for k := range int32(in.N) {
				if !isNaN(c.now.Word(in.D+k, lane)) || c.fromNaN(in, k, lane) {
					continue
				}
				c.find(NaN, pc, lane, "arithmetic", op+" of numbers is NaN")
			}
		}
	}
}

// fromNaN reports whether an operand of component k was NaN. One that the result has overwritten counts as a number.
func (c *checker) fromNaN(in *vm.Instr, k, lane int32) bool {
	kinds := vm.Ops[in.Op].Kinds
	for i, operand := range [4]int32{in.D, in.A, in.B, in.C} {
		if kinds[i] == vm.KindSrc && operand >= 0 && (operand < in.D || operand >= in.D+int32(in.N)) && isNaN(c.now.Word(operand+k, lane)) {
			return true
		}
	}
	return false
}

func isNaN(word uint32) bool { f := math.Float32frombits(word); return f != f }
