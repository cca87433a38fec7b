package conformance

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/tree"
)

// unaryCases apply each unary operator to each type it takes.
func unaryCases() []sheet {
	var list []sheet
	for op := tree.Neg; op <= tree.Complement; op++ {
		for _, t := range scalarsAndVectors() {
			name := fmt.Sprintf("unary.%s(%s)", op, t)
			if r, ok := probe(op.String()+"a", name, t); ok {
				list = append(list, sheet{name: name, operands: []*tree.Type{t}, results: []*tree.Type{r},
					body: fmt.Sprintf("r0 = %sa;", op)})
			}
		}
	}
	return list
}

// binaryCases apply each binary operator to each pair of types it takes, alone and as a compound
// assignment.
func binaryCases() []sheet {
	var list []sheet
	for op := tree.Add; op <= tree.LogicalXor; op++ {
		for _, x := range scalarsAndVectors() {
			for _, y := range scalarsAndVectors() {
				list = append(list, binaryCase(op, x, y)...)
			}
		}
	}
	return list
}

func binaryCase(op tree.BinaryOp, x, y *tree.Type) []sheet {
	var list []sheet
	types := []*tree.Type{x, y}
	name := fmt.Sprintf("binary.%s(%s,%s)", op, x, y)
	if r, ok := probe("a "+op.String()+" b", name, x, y); ok {
		list = append(list, sheet{name: name, operands: types, results: []*tree.Type{r},
			body: fmt.Sprintf("r0 = a %s b;", op)})
	}
	name = fmt.Sprintf("assign.%s=(%s,%s)", op, x, y)
	if r, ok := probe("a "+op.String()+"= b", name, x, y); ok {
		list = append(list, sheet{name: name, operands: types, results: []*tree.Type{r, r},
			body: fmt.Sprintf("r0 = (a %s= b); r1 = a;", op)})
	}
	return list
}

// stepCases apply ++ and --.
func stepCases() []sheet {
	var list []sheet
	for _, text := range []string{"++x", "--x", "x++", "x--"} {
		for _, t := range scalarsAndVectors() {
			name, expression := fmt.Sprintf("step.%s(%s)", text, t), strings.Replace(text, "x", "a", 1)
			if _, ok := probe(expression, name, t); ok {
				list = append(list, sheet{name: name, operands: []*tree.Type{t}, results: []*tree.Type{t, t},
					body: fmt.Sprintf("r0 = %s; r1 = a;", expression)})
			}
		}
	}
	return list
}

// convertCases convert each type to each other kind of the same width, by a constructor.
func convertCases() []sheet {
	var list []sheet
	for _, t := range scalarsAndVectors() {
		for _, k := range tree.Kinds() {
			to := t.WithKind(k)
			name := fmt.Sprintf("convert.%s(%s)", k, t)
			if _, ok := probe(to.String()+"(a)", name, t); ok {
				list = append(list, sheet{name: name, operands: []*tree.Type{t}, results: []*tree.Type{to},
					body: fmt.Sprintf("r0 = %s(a);", to)})
			}
		}
	}
	return list
}

// choiceCases are the operators that evaluate one of two operands only.
func choiceCases() []sheet {
	b := tree.Bool
	list := []sheet{
		{name: "logical.&&(bool,bool)", operands: []*tree.Type{b, b}, results: []*tree.Type{b}, body: "r0 = a && b;"},
		{name: "logical.||(bool,bool)", operands: []*tree.Type{b, b}, results: []*tree.Type{b}, body: "r0 = a || b;"},
	}
	for _, t := range scalarsAndVectors() {
		list = append(list, sheet{name: fmt.Sprintf("conditional.?:(%s)", t), operands: []*tree.Type{b, t, t},
			results: []*tree.Type{t}, body: "r0 = a ? b : c;"})
	}
	return list
}
