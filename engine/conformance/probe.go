package conformance

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// scalarsAndVectors are the types that operators work on.
func scalarsAndVectors() []*tree.Type {
	var list []*tree.Type
	for _, k := range tree.Kinds() {
		for w := 1; w <= 4; w++ {
			if k.Words() == 1 || w == 1 || w == 3 { // of components of 64 bits those whose layouts differ from all others
				list = append(list, tree.Vector(k, w))
			}
		}
	}
	return list
}

// header begins the text of a case.
const header = "#version 450\n#extension GL_AMD_shader_trinary_minmax : enable\n#extension GL_ARB_gpu_shader_int64 : enable\n"

// probe asks the front end about an expression over variables a, b, … of the given types: its type,
// and whether it is legal and is the operation named by feature, rather than one on converted
// operands.
func probe(expression, feature string, operands ...*tree.Type) (t *tree.Type, ok bool) {
	var vars strings.Builder
	for i, t := range operands {
		fmt.Fprintf(&vars, "%s %s; ", t, operand(i))
	}
	text := fmt.Sprintf("%slayout(local_size_x = 1) in;\nvoid main() { %s %s; }\n", header, &vars, expression)
	u, err := glsl.Compile(&source.File{Name: "probe", Text: text}, glsl.Options{})
	if err != nil {
		return nil, false
	}
	list := u.Program.Main.Body.List
	x := list[len(list)-1].(*tree.ExprStmt).X
	return x.Type(), FeatureOf(x) == feature
}
