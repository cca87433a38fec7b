package glsl_test

import (
	"slices"
	"strings"
	"testing"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

const markedText = `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[4]; };
uint hit = 0u;
void main() {
    uint n = v[0];
    for (uint i = 0u; i < n; i++)
        v[1] += i;
    if (n > 3u)
        v[2] = n;
    else if (n > 2u) {
        v[3] = n;
    }
    switch (n) {
    case 1u:
        v[0] = 2u;
        break;
    default:
        break;
    }
}
`

// TestAMarkStandsBeforeTheStatementOfItsLine: the tree has it where the line's first statement begins, in its scope, and
// nothing else changes.
func TestAMarkStandsBeforeTheStatementOfItsLine(t *testing.T) {
	for _, tt := range []struct {
		line      int
		condition string
		want      string // of the tree, without places
	}{
		{6, "", "hit |= 1u uint n = "},
		{8, "i == 2u", "hit |= (i == 2u) ? 1u : 0u v[1]"},
		{10, "n == 4u", "hit |= (n == 4u) ? 1u : 0u v[2] = n"},
		{11, "", "else hit |= 1u if (n > 2u)"},
		{12, "", "hit |= 1u v[3] = n"},
		{16, "", "case 1u: hit |= 1u v[0] = 2u"},
	} {
		u, err := glsl.Compile(&source.File{Name: "m.comp", Text: markedText}, glsl.Options{Marks: []glsl.Mark{{File: "m.comp", Line: tt.line, Statement: "hit |= CONDITION ? 1u : 0u;", Condition: tt.condition}}})
		if err != nil {
			t.Errorf("line %d: %v", tt.line, err)
			continue
		}
		if got := plainTree(u.Program); !strings.Contains(got, plain(tt.want)) {
			t.Errorf("line %d: no %q in %s", tt.line, plain(tt.want), got)
		}
	}
}

// plainTree is a tree as text without places, brackets and line ends.
func plainTree(p *tree.Program) string {
	var out []string
	for line := range strings.Lines(tree.Format(p)) {
		for word := range strings.FieldsSeq(line) {
			if !strings.HasPrefix(word, "@") && word != "block" {
				out = append(out, word)
			}
		}
	}
	return plain(strings.Join(out, " "))
}

func plain(s string) string { return strings.NewReplacer("(", "", ")", "", " ", "").Replace(s) }

// TestMarksThatCannotBe: each is an error that names its line.
func TestMarksThatCannotBe(t *testing.T) {
	for _, m := range []glsl.Mark{
		{Line: 9, Condition: "i == 2u"}, {Line: 8, Condition: "i"}, {Line: 8, Condition: "i++ == 2u"}, {Line: 8, Condition: "i == 2u) || (true"},
		{Line: 8, Condition: "i =="}, {Line: 8, Condition: "\x01"}, {Line: 13}, {Line: 300},
	} {
		m.File, m.Statement = "m.comp", "hit |= CONDITION ? 1u : 0u;"
		_, err := glsl.Compile(&source.File{Name: "m.comp", Text: markedText}, glsl.Options{Marks: []glsl.Mark{m}})
		list, ok := err.(source.Diagnostics)
		if !ok || len(list) == 0 || list[0].Pos.Line != m.Line || list[0].Fix == "" {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

// TestStatementLinesCanBeMarked: each line that is listed takes a mark.
func TestStatementLinesCanBeMarked(t *testing.T) {
	u, err := glsl.Compile(&source.File{Name: "m.comp", Text: markedText}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := glsl.StatementLines(u.Program, "m.comp")
	if want := []int{6, 7, 8, 9, 10, 11, 12, 14, 16, 17, 19}; !slices.Equal(lines, want) {
		t.Errorf("lines %v, want %v", lines, want)
	}
	for _, line := range lines {
		if _, err := glsl.Compile(&source.File{Name: "m.comp", Text: markedText}, glsl.Options{Marks: []glsl.Mark{{File: "m.comp", Line: line, Statement: "hit |= CONDITION ? 1u : 0u;"}}}); err != nil {
			t.Errorf("line %d: %v", line, err)
		}
	}
}
