package glsl

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// scriptHead precedes the input of a script that does not bring its own #version.
const scriptHead = "#version 450\nlayout(local_size_x = 1) in;\n#line 1\n"

// TestScripts runs testdata/script. Rewrite with: go test ./engine/glsl -run TestScripts -rewrite
//
//	check [stricter] [laxer] [host=BLOCK]   compiles the input as k.comp and prints the diagnostics, or "ok"
//	tree [host=BLOCK]               prints the warnings and the tree
//
// The input of every command is shown to glslangValidator too: what we accept it must accept, and
// what we call malformed it must reject, except under "stricter" and, the other way round, "laxer".
func TestScripts(t *testing.T) {
	var all []scriptCase
	datadriven.Walk(t, "testdata/script", func(t *testing.T, name string) {
		datadriven.RunTest(t, name, func(t *testing.T, d *datadriven.TestData) string {
			c := compileScript(d)
			all = append(all, c)
			return c.render(d.Cmd)
		})
	})
	t.Run("oracle", func(t *testing.T) { checkScripts(t, all) })
}

// scriptCase is one compiled script input.
type scriptCase struct {
	place    string
	text     string // what the oracle sees
	unit     *Unit
	err      error
	stricter bool
	laxer    bool
}

func compileScript(d *datadriven.TestData) scriptCase {
	text := d.Input + "\n"
	if !strings.Contains(text, "#version") {
		text = scriptHead + text
	}
	o := Options{}
	for _, arg := range d.CmdArgs {
		if arg.Key == "host" {
			o.SharedWithHost = func(block string) bool { return block == arg.Vals[0] }
		}
	}
	c := scriptCase{place: d.Pos, text: text, stricter: d.HasArg("stricter"), laxer: d.HasArg("laxer")}
	c.unit, c.err = Compile(&source.File{Name: "k.comp", Text: text}, o)
	if c.unit != nil {
		c.text = c.unit.Text
	}
	return c
}

func (c scriptCase) render(cmd string) string {
	switch {
	case c.err != nil:
		var ds source.Diagnostics
		if !errors.As(c.err, &ds) {
			return "the error is not a source.Diagnostics"
		}
		return renderDiagnostics(ds)
	case cmd == "tree":
		return renderDiagnostics(c.unit.Warnings) + tree.Format(c.unit.Program)
	case len(c.unit.Warnings) > 0:
		return renderDiagnostics(c.unit.Warnings)
	default:
		return "ok\n"
	}
}

func renderDiagnostics(ds source.Diagnostics) string {
	var b strings.Builder
	for _, d := range ds {
		kind := map[source.Kind]string{source.Malformed: "", source.OutsideSubset: "outside: ", source.Suspicious: ""}[d.Kind]
		fmt.Fprintf(&b, "%s%s\n", kind, d.String())
	}
	return b.String()
}

func checkScripts(t *testing.T, all []scriptCase) {
	texts := make([]string, len(all))
	for i := range all {
		texts[i] = all[i].text
	}
	for i, verdict := range oracle(t, texts) {
		c := all[i]
		malformed := c.err != nil && c.unit == nil
		switch {
		case c.laxer && verdict == "":
			t.Errorf("%s: the oracle accepts it as well: remove laxer", c.place)
		case c.err == nil && !c.laxer && verdict != "":
			t.Errorf("%s: accepted here, rejected by the oracle: %s", c.place, verdict)
		case malformed && !c.stricter && verdict == "":
			t.Errorf("%s: malformed here, accepted by the oracle: %v", c.place, c.err)
		case c.stricter && verdict != "":
			t.Errorf("%s: the oracle rejects it as well: remove stricter: %s", c.place, verdict)
		}
	}
}
