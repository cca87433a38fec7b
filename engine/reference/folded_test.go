package reference

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"vyretop/engine"
)

// foldedRows bounds the rows of inputs that are written into one kernel.
const foldedRows = 48

var changesVariables = regexp.MustCompile(`\+\+|--|[^=!<>]=[^=]`)

// An expression of constants, which the front end folds, must give what the same expression gives at run
// time.
func TestFoldedExpressionsGiveTheSame(t *testing.T) {
	b := openBackend(t, Options{})
	for _, c := range exprCases() {
		if c.Setup != "" || changesVariables.MatchString(c.Expr) {
			continue
		}
		t.Run(strings.ReplaceAll(c.Expr, "/", "div"), func(t *testing.T) { c.runFolded(t, b) })
	}
}

func (c exprCase) runFolded(t *testing.T, b *Backend) {
	in := inputsFor(c.Params)
	step := 3 * (1 + len(in)/3/foldedRows)
	var text strings.Builder
	var want []uint32
	var rows [][]uint32
	for at := 0; at < len(in); at += step {
		row := in[at : at+3]
		fmt.Fprintf(&text, "  { %s result[%d] = %s; }\n", c.constants(row), len(want), fmt.Sprintf(toWord[c.Result], c.Expr))
		want = append(want, c.Want(row[0], row[1], row[2]))
		rows = append(rows, row)
	}
	kernel := "#version 450\n#extension GL_AMD_shader_trinary_minmax : require\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer Out { uint result[]; };\nvoid main() {\n" + text.String() + "}\n"
	out, _, err := dispatch(t, compileText(t, b, "folded.comp", kernel), engine.DispatchConfig{}, make([]uint32, len(want)))
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range out[0] {
		if got != want[i] {
			t.Errorf("%s with %#x: folded to %#x, want %#x", c.Expr, rows[i], got, want[i])
		}
	}
}

// constants declares the parameters as constants.
func (c exprCase) constants(row []uint32) string {
	types := map[byte]string{'i': "int", 'u': "uint", 'f': "float"}
	var b strings.Builder
	for k := range len(c.Params) {
		word := fmt.Sprintf("%du", row[k])
		fmt.Fprintf(&b, "const %s %c = %s;", types[c.Params[k]], 'a'+k, fmt.Sprintf(fromWord[c.Params[k:k+1]], word))
	}
	return b.String()
}
