package preprocess_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// programs is how many random programs one test compares. They make one text, because starting
// the oracle costs more than its work.
const programs = 400

// TestRandomMacrosEqualGlslang expands random definitions and uses with both. No macro reaches
// itself: glslang expands again what an argument's own expansion left for good.
func TestRandomMacrosEqualGlslang(t *testing.T) {
	validator(t)
	text := "#version 450\n" + manyPrograms(false)
	output, ok := glslang(t, text, "-E")
	if !ok {
		t.Fatalf("glslang refuses: %.500s", output)
	}
	comparePrograms(t, text, output)
}

// TestRandomMacrosEqualC does the same with macros that may reach themselves and each other, and
// the C preprocessor, to which the GLSL specification refers.
func TestRandomMacrosEqualC(t *testing.T) {
	cpp, err := exec.LookPath("cpp")
	if err != nil {
		t.Skip("cpp is not installed (Debian package cpp)")
	}
	text := manyPrograms(true)
	cmd := exec.Command(cpp, "-P", "-undef", "-nostdinc")
	cmd.Stdin = strings.NewReader(text)
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("cpp refuses: %v", err)
	}
	comparePrograms(t, text, string(output))
}

// manyPrograms joins random programs; END_i stands after each.
func manyPrograms(cycles bool) string {
	gen := rapid.Custom(func(t *rapid.T) string { return macroProgram(t, cycles) })
	var b strings.Builder
	for i := range programs {
		b.WriteString(gen.Example(i))
		fmt.Fprintf(&b, "END_%d\n", i)
		for m := range macros {
			fmt.Fprintf(&b, "#undef O%d\n#undef F%d\n", m, m)
		}
	}
	return b.String()
}

// comparePrograms compares our tokens with the oracle's, program by program.
func comparePrograms(t *testing.T, text, output string) {
	t.Helper()
	r, diags := preprocess.Run(&source.File{Name: "random", Text: text}, preprocess.Options{})
	if len(diags.Errors()) > 0 {
		t.Fatal(diags.Errors())
	}
	ours, theirs, rest := texts(r), relex(t, output), text
	for i := range programs {
		end := fmt.Sprintf("END_%d", i)
		var got, want []string
		var program string
		got, ours = cutAt(ours, end)
		want, theirs = cutAt(theirs, end)
		program, rest, _ = strings.Cut(rest, end+"\n")
		if !sameTokens(t, got, want) {
			t.Fatalf("in the program\n%s", program)
		}
	}
}

// cutAt splits tokens before and after the first one with the given text.
func cutAt(toks []string, text string) (before, after []string) {
	i := slices.Index(toks, text)
	if i < 0 {
		return toks, nil
	}
	return toks[:i], toks[i+1:]
}

// macros is how many macros of each kind a random program has.
const macros = 4

// macroProgram draws object-like macros O0.. and function-like macros F0.., with #undef and #if
// between them, and uses. Without cycles a macro's body uses only macros of higher number, and a
// name like F1 always has arguments: glslang loses a ## that comes after one that has none.
func macroProgram(t *rapid.T, cycles bool) string {
	var b strings.Builder
	names := strings.Fields("a b O0 O1 O2 O3")
	if cycles {
		names = append(names, "F1")
	}
	text := func() string { return words(t, 0, names, "") }
	for range rapid.IntRange(1, 8).Draw(t, "lines") {
		i := rapid.IntRange(0, macros-1).Draw(t, "macro")
		least, inBody := i+1, append([]string{"a", "b"}, names[2+i+1:]...)
		if cycles {
			least, inBody = 0, names
		}
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0, 1:
			fmt.Fprintf(&b, "#undef O%d\n#define O%d %s\n", i, i, words(t, least, inBody, ""))
		case 2, 3:
			fmt.Fprintf(&b, "#undef F%d\n#define F%d(x, y) %s\n", i, i, words(t, least, inBody, "x y x##y x##_ _##y a##1"))
		case 4:
			fmt.Fprintf(&b, "#undef F%d\n", i)
		case 5:
			fmt.Fprintf(&b, "#if defined(O%d) && (%d << 1) + O_UNSET < 5 || %d\n%s\n#elif defined F1\n%s\n#else\n%s\n#endif\n",
				i, i, i&1, text(), text(), text())
		}
		fmt.Fprintf(&b, "%s;\n", text())
	}
	return b.String()
}

// words draws names, calls of the macros numbered from least on, and other tokens; extra ones
// outside of arguments only: there glslang cannot have a ## that is still to be done.
func words(t *rapid.T, least int, names []string, extra string) string {
	var b strings.Builder
	atoms := slices.Concat(names, strings.Fields("1 2.5 + << "+extra))
	for range rapid.IntRange(0, 5).Draw(t, "length") {
		if rapid.IntRange(0, 2).Draw(t, "call") > 0 || least == macros {
			b.WriteString(rapid.SampledFrom(atoms).Draw(t, "atom") + " ")
			continue
		}
		callee := rapid.IntRange(least, macros-1).Draw(t, "callee")
		fmt.Fprintf(&b, "F%d(%s, %s) ", callee, argument(t, names), argument(t, names))
	}
	return b.String()
}

// argument draws an argument that begins and ends with a name, so that ## can join it.
func argument(t *rapid.T, names []string) string {
	name := rapid.SampledFrom(names)
	if rapid.Bool().Draw(t, "short") {
		return name.Draw(t, "only")
	}
	middle := rapid.SampledFrom(append(strings.Fields("1 2.5 + << (a,b)"), names...)).Draw(t, "middle")
	return name.Draw(t, "first") + " " + middle + " " + name.Draw(t, "last")
}
