package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
)

// hostileKernels are texts of which the front end makes much. Most have nearly as many tokens or bytes as it reads; one that has
// more is refused.
func hostileKernels() map[string]string {
	const head = "#version 430\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { uint d[]; };\n"
	const room = preprocess.DefaultTokens - 100
	inMain := func(part string, tokens int) string {
		return head + "void main() { uint x = 0u;\n" + strings.Repeat(part, room/tokens) + "}\n"
	}
	numbered := func(part string, tokens int) string {
		var b strings.Builder
		for i := range room / tokens {
			fmt.Fprintf(&b, part, i)
		}
		return b.String()
	}
	return map[string]string{
		"names of 16 MB":        "#version 430\n" + strings.Repeat("a ", 8<<20-8),
		"names":                 "#version 430\n" + strings.Repeat("a ", room),
		"2 MB of (":             head + "void main() { uint x = " + strings.Repeat("(", 2_000_000),
		"parentheses":           head + "void main() { uint x = " + strings.Repeat("(", room),
		"braces":                head + "void main() " + strings.Repeat("{", room/2) + strings.Repeat("}", room/2),
		"empty lines":           head + strings.Repeat("\n", preprocess.DefaultBytes-1000) + "void main() {}\n",
		"a comment":             head + "/*" + strings.Repeat("x", preprocess.DefaultBytes-1000) + "*/ void main() {}\n",
		"statements":            inMain("x=x+d[x];\n", 9),
		"unknown names":         inMain("y;", 2),
		"declarations":          head + "void main() {\n" + numbered("uint v%d;\n", 3) + "}\n",
		"shared variables":      head + numbered("shared uint v%d;\n", 4) + "void main() {}\n",
		"functions":             head + numbered("void f%d(){}\n", 6) + "void main() {}\n",
		"structures":            head + numbered("struct S%d{uint a;uint b;};\n", 10) + "void main() {}\n",
		"a table":               head + "const uint t[] = uint[](" + strings.Repeat("1u,", room/2) + "1u); void main() { d[0] = t[d[1]]; }\n",
		"conditionals":          head + strings.Repeat("#if 1\n", room/8) + "void main() {}\n" + strings.Repeat("#endif\n", room/8),
		"macros":                head + numbered("#define M%d a b\n", 6) + "void main() {}\n",
		"macros that multiply":  head + "#define A x x x x x x x x x x x x x x x x\n#define B A A A A A A A A\n#define C B B B B B B B B\n#define D C C C C C C C C\n void main() { D D D D }\n",
		"calls that multiply":   head + callsThatMultiply(40) + "void main() { d[0] = g39(1u); }\n",
		"copies that multiply":  head + copiesThatMultiply(40),
		"an array of gigabytes": head + "struct S { uint a[4000]; }; struct T { S s[4000]; }; void main() { T t; t.s[d[0]].a[0] = 1u; }\n",
	}
}

// callsThatMultiply are n functions g0, g1, … of which each calls the one before twice.
func callsThatMultiply(n int) string {
	b := strings.Builder{}
	b.WriteString("uint g0(uint x) { return x; }\n")
	for i := range n - 1 {
		fmt.Fprintf(&b, "uint g%d(uint x) { return g%d(x) + g%d(x); }\n", i+1, i, i)
	}
	return b.String()
}

// copiesThatMultiply are n functions that are called with all pairs of n images.
func copiesThatMultiply(n int) string {
	var images, functions, calls strings.Builder
	functions.WriteString("void f0(image2D a, image2D b) { imageStore(a, ivec2(0), imageLoad(b, ivec2(1))); }\n")
	for i := range n {
		fmt.Fprintf(&images, "layout(rgba8, binding = %d) uniform image2D i%d;\n", i+1, i)
		fmt.Fprintf(&functions, "void f%d(image2D a, image2D b) { f%d(b, a); f%d(a, b); }\n", i+1, i, i)
		for j := range n {
			fmt.Fprintf(&calls, "f%d(i%d, i%d);\n", n, i, j)
		}
	}
	return images.String() + functions.String() + "void main() {\n" + calls.String() + "}\n"
}

// everyKernel has TestTheFrontEndIsBounded edit every text, many times. Without it each is checked, and every second one edited
// once.
var everyKernel = flag.Bool("everykernel", false, "TestTheFrontEndIsBounded edits every text, not only every second one, once")

// TestTheFrontEndIsBounded: 2 MB of parentheses took 471 MiB of an editor's server, and 16 MB of names 321 MiB of check.
func TestTheFrontEndIsBounded(t *testing.T) {
	kernels := hostileKernels()
	for nth, name := range slices.Sorted(maps.Keys(kernels)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := kernels[name]
			dir := t.TempDir()
			path := filepath.Join(dir, "hostile.comp")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			checked := read(t, "check FILE", path)
			checked.command = "check FILE"
			checked.check(t)
			if nth%2 != 0 && !*everyKernel {
				return
			}
			edited := readWith(t, "lsp", path, editing(t, path, text))
			edited.command = "lsp"
			edited.check(t)
			if edited.status != exitOK {
				t.Errorf("lsp: status %d: %s", edited.status, edited.stderr)
			}
		})
	}
}

// editing are the messages of an editor that opens a file, changes it often and asks about it.
func editing(t *testing.T, path, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	contents := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`,
		fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://%s","languageId":"glsl","version":1,"text":%s}}}`, path, quoted),
	}
	changes := 1
	if *everyKernel {
		changes = 3
	}
	for version := range changes {
		contents = append(contents, fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file://%s","version":%d},"contentChanges":[{"text":%s}]}}`, path, version+2, quoted))
	}
	for i, method := range []string{"documentSymbol", "formatting", "hover", "completion", "references"} {
		contents = append(contents, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/%s","params":{"textDocument":{"uri":"file://%s"},"position":{"line":4,"character":2},"options":{"tabSize":4,"insertSpaces":true},"context":{"includeDeclaration":true}}}`, i+2, method, path))
	}
	contents = append(contents, `{"jsonrpc":"2.0","id":99,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`)
	var b strings.Builder
	for _, c := range contents {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(c), c)
	}
	return b.String()
}
