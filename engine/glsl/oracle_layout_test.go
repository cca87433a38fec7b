package glsl

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// The std430 offsets of random blocks must be those that glslang computes.
func TestOracleStd430Offsets(t *testing.T) {
	text := randomBlocks(rand.New(rand.NewPCG(7, 7)), 12, 40)
	u, err := Compile(&source.File{Name: "k.comp", Text: text}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := reflected(t, text)
	compared := 0
	for _, b := range u.Program.Buffers {
		for _, m := range b.Block.Members {
			eachLeaf(m.Type, b.Name+"."+m.Name, m.Offset, func(name string, offset int) {
				compared++
				if got, ok := want[name]; !ok || got != offset {
					t.Errorf("%s is at %d, the oracle says %d (%v)", name, offset, got, ok)
				}
			})
		}
	}
	if compared < 200 {
		t.Errorf("only %d offsets compared", compared)
	}
}

// randomBlocks writes a kernel with structures and blocks of random members.
func randomBlocks(random *rand.Rand, structs, blocks int) string {
	types := append(probeTypes(), "double", "dvec2", "dvec3", "dvec4")
	var text strings.Builder
	text.WriteString("#version 450\nlayout(local_size_x = 1) in;\n")
	member := func(i int) {
		dims := ""
		for range random.IntN(3) {
			dims += fmt.Sprintf("[%d]", 1+random.IntN(3))
		}
		fmt.Fprintf(&text, "  %s m%d%s;\n", types[random.IntN(len(types))], i, dims)
	}
	for s := range structs {
		fmt.Fprintf(&text, "struct S%d {\n", s)
		for i := range 1 + random.IntN(4) {
			member(i)
		}
		text.WriteString("};\n")
		types = append(types, fmt.Sprintf("S%d", s))
	}
	for b := range blocks {
		fmt.Fprintf(&text, "layout(std430, binding = %d) buffer B%d {\n", b, b)
		for i := range 1 + random.IntN(5) {
			member(i)
		}
		fmt.Fprintf(&text, "  uint last[];\n} b%d;\n", b)
	}
	text.WriteString("void main() {\n")
	for b := range blocks {
		fmt.Fprintf(&text, "  b%d.last[0] = 1;\n", b)
	}
	text.WriteString("}\n")
	return text.String()
}

// eachLeaf names the members that are no structures as glslang does: element 0 of every dimension
// but the last of a plain array.
func eachLeaf(t *tree.Type, name string, offset int, visit func(name string, offset int)) {
	switch {
	case t.Class == tree.ClassStruct:
		for _, m := range t.Struct.Members {
			eachLeaf(m.Type, name+"."+m.Name, offset+m.Offset, visit)
		}
	case t.IsArray() && (t.Elem.IsArray() || t.Elem.Class == tree.ClassStruct):
		eachLeaf(t.Elem, name+"[0]", offset, visit)
	default:
		visit(name, offset)
	}
}

var reflectionLine = regexp.MustCompile(`(?m)^(B\S+): offset (\d+), `)

// reflected asks glslangValidator for the offset of every block member.
func reflected(t *testing.T, text string) map[string]int {
	t.Helper()
	tool, err := exec.LookPath("glslangValidator")
	if err != nil {
		t.Skip("glslangValidator is not installed (Debian package glslang-tools)")
	}
	name := filepath.Join(t.TempDir(), "k.comp")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "-q", "-l", "--reflect-all-block-variables", "--reflect-strict-array-suffix", name).CombinedOutput()
	if err != nil {
		t.Fatalf("glslangValidator: %v\n%s", err, out)
	}
	offsets := map[string]int{}
	for _, m := range reflectionLine.FindAllStringSubmatch(string(out), -1) {
		offsets[m[1]], _ = strconv.Atoi(m[2])
	}
	return offsets
}
