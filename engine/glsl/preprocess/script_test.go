package preprocess_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// TestScripts runs testdata/script. Rewrite with: go test ./engine/glsl/preprocess -run TestScripts -rewrite
//
//	file name=N              stores the input as a file that #include finds
//	run [guard=PATTERN] [define=(NAME,BODY)] [depth=N] [tokens=N] [version=N]
//	                         preprocesses the input as k.comp: diagnostics, then the emitted text
//	tokens [guard=PATTERN]   the same, printing each token with its position
//	info                     what the Result of the input says besides its tokens
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/script", func(t *testing.T, name string) {
		files := memory{}
		datadriven.RunTest(t, name, func(t *testing.T, d *datadriven.TestData) string {
			input := unescape(d.Input)
			if d.Cmd == "file" {
				var name string
				d.ScanArgs(t, "name", &name)
				files[name] = input
				return ""
			}
			o := scriptOptions(t, d)
			o.Resolver = files
			return scriptRun(t, d, o, input)
		})
	})
}

func scriptOptions(t *testing.T, d *datadriven.TestData) (o preprocess.Options) {
	var pattern string
	d.MaybeScanArgs(t, "guard", &pattern)
	if pattern != "" {
		o.GuardLoops = func(file string) bool { ok, _ := path.Match(pattern, file); return ok }
	}
	d.MaybeScanArgs(t, "call", &o.GuardCall)
	d.MaybeScanArgs(t, "together", &o.BarrierGuardCall)
	d.MaybeScanArgs(t, "depth", &o.MaxIncludeDepth)
	d.MaybeScanArgs(t, "tokens", &o.MaxTokens)
	d.MaybeScanArgs(t, "bytes", &o.MaxBytes)
	for _, arg := range d.CmdArgs {
		if arg.Key == "define" {
			o.Defines = append(o.Defines, preprocess.Define{Name: arg.Vals[0], Body: unescape(strings.Join(arg.Vals[1:], ","))})
		}
	}
	return o
}

func scriptRun(t *testing.T, d *datadriven.TestData, o preprocess.Options, input string) string {
	r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: input}, o)
	var b strings.Builder
	for _, d := range diags {
		fmt.Fprintln(&b, d.String())
	}
	switch d.Cmd {
	case "run":
		var eo preprocess.EmitOptions
		d.MaybeScanArgs(t, "version", &eo.Version)
		d.MaybeScanArgs(t, "header", &eo.ExtraHeader)
		if len(diags.Errors()) == 0 {
			text, _ := r.Emit(eo)
			b.WriteString(text)
		}
	case "tokens":
		for _, tok := range r.Tokens {
			fmt.Fprintf(&b, "%-8s %s%s\n", kindName(tok.Kind)+" "+tok.Text, tok.Pos, macroNote(tok.Pos))
		}
	case "info":
		writeInfo(&b, r)
	default:
		d.Fatalf(t, "unknown command %s", d.Cmd)
	}
	return b.String()
}

func writeInfo(b *strings.Builder, r *preprocess.Result) {
	fmt.Fprintf(b, "version %d %q at %s\n", r.Version, r.Profile, r.VersionPos)
	for _, x := range r.Extensions {
		fmt.Fprintf(b, "extension %s %s at %s\n", x.Name, x.Behavior, x.Pos)
	}
	for _, p := range r.Pragmas {
		fmt.Fprintf(b, "pragma %s at %s\n", p.Text, p.Pos)
	}
	for i, f := range r.Formats {
		fmt.Fprintf(b, "format %d %q\n", i, f)
	}
	for i, f := range r.Files {
		fmt.Fprintf(b, "file %d %s\n", i, f)
	}
}

// unescape replaces the symbols that stand for what a script line cannot hold: CR, NUL, LF, a
// blank at a line end, and a byte that is not UTF-8.
func unescape(s string) string {
	return strings.NewReplacer("␍", "\r", "␀", "\x00", "␤", "\n", "␠", " ", "␛FF", "\xff").Replace(s)
}

func kindName(k source.TokenKind) string {
	return [...]string{"eof", "ident", "int", "uint", "float", "punct", "string"}[k]
}

func macroNote(p source.Pos) string {
	if p.Macro == "" {
		return ""
	}
	return " in " + p.Macro
}

// memory is a Resolver over texts by name.
type memory map[string]string

func (m memory) Resolve(name, from string) (*source.File, error) {
	text, ok := m[name]
	if !ok {
		return nil, preprocess.NotFound(name, "memory")
	}
	return &source.File{Name: name, Text: text}, nil
}
