// Command opgen writes ops_gen.go, the lanewise operations of package vm: for each, a loop over all
// lanes, a loop over the active lanes, and where it pays a pair of loops with a constant operand.
// They are written out because the Go compiler inlines no function value into a loop.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"go/format"
	"os"
	"text/template"
)

// op is one operation: Expr is Go over the uint32 words a, b and c.
type op struct {
	Name  string // Op constant and function suffix
	Text  string // name in the table
	Arity int
	Expr  string
	Const bool // make a variant with a constant b
}

//go:embed ops.tmpl
var text string

func main() {
	out := flag.String("o", "ops_gen.go", "file to write")
	flag.Parse()
	src, err := generate()
	if err == nil {
		err = os.WriteFile(*out, src, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "opgen:", err)
		os.Exit(1)
	}
}

func generate() ([]byte, error) {
	t := template.Must(template.New("ops").Funcs(template.FuncMap{"operands": operands}).Parse(text))
	var b bytes.Buffer
	if err := t.Execute(&b, ops); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

// operands names the loop variables of an operation with n source operands.
func operands(n int) []string { return []string{"a", "b", "c"}[:n] }
