package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/tree"
)

func TestEveryBuiltInFunctionIsDocumented(t *testing.T) {
	for i := range tree.Builtins {
		if name := tree.Builtins[i].Name; builtinDocs[name] == "" {
			t.Errorf("builtinDocs has no %s", name)
		}
	}
	for name := range builtinDocs {
		if tree.LookupBuiltin(name) == nil {
			t.Errorf("builtinDocs has %s, which is not a built-in function", name)
		}
	}
}

// TestDiagnosticsAreOfTheLastVersionThatWasSent sends many versions at once: what is published names versions in
// rising order, and the last one is of the last text.
func TestDiagnosticsAreOfTheLastVersionThatWasSent(t *testing.T) {
	c := connect(t, t.TempDir(), folder{})
	c.begin()
	c.open("a.comp", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n")
	const versions = 40
	var batch strings.Builder
	for v := 2; v <= versions; v++ {
		text := "#version 450\nlayout(local_size_x = 1) in;\nvoid main() { wrong(); }\n"
		if v == versions {
			text = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() { last(); }\n"
		}
		quoted, _ := json.Marshal(text)
		content := fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file://%s/a.comp","version":%d},"contentChanges":[{"text":%s}]}}`, c.dir, v, quoted)
		fmt.Fprintf(&batch, "Content-Length: %d\r\n\r\n%s", len(content), content)
	}
	if _, err := c.out.Write([]byte(batch.String())); err != nil {
		t.Fatal(err)
	}
	for last := 1; ; {
		p := c.published()
		want := "wrong"
		if p.Version == versions {
			want = "last"
		}
		if p.Version <= last || len(p.Diagnostics) != 1 || !strings.Contains(p.Diagnostics[0].Message, want) {
			t.Fatalf("version %d after %d: %+v", p.Version, last, p.Diagnostics)
		}
		if last = p.Version; last == versions {
			return
		}
	}
}

func TestARequestThatWasCancelledIsNotServed(t *testing.T) {
	var list []message
	for _, m := range []string{`{"id":7,"method":"shutdown"}`, `{"method":"$/cancelRequest","params":{"id":7}}`} {
		list = append(list, parse([]byte(m)))
	}
	var out bytes.Buffer
	s := &server{out: &writer{out: &out}, phase: initialized}
	s.serveAll(list)
	if !strings.Contains(out.String(), "-32800") || s.phase != initialized {
		t.Errorf("the server answers %s", out.String())
	}
}

func TestTheServerEndsAsTheClientAsks(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		want         error
	}{
		{"exit after shutdown", frame(`{"id":1,"method":"initialize","params":{}}`, `{"id":2,"method":"shutdown"}`, `{"method":"exit"}`), nil},
		{"exit without shutdown", frame(`{"id":1,"method":"initialize","params":{}}`, `{"method":"exit"}`), ErrExit},
		{"end of the input", frame(`{"id":1,"method":"initialize","params":{}}`), nil},
		{"end inside a message", "Content-Length: 100\r\n\r\n{", nil},
		{"end inside a header", "Content-Le", nil},
	} {
		if err := Serve(t.Context(), strings.NewReader(c.stream), &bytes.Buffer{}, "", folder{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestAMalformedHeaderDoesNotEndTheServer(t *testing.T) {
	var out bytes.Buffer
	stream := "Nonsense\r\n\r\n" + "Content-Length: -1\r\n\r\n" + strings.Repeat("x", 3*maxHeader) + "\r\n\r\n" +
		"Content-Type: a\r\ncontent-length: 2\r\n\r\n{}" + frame(`{"id":1,"method":"initialize","params":{}}`)
	if err := Serve(t.Context(), strings.NewReader(stream), &out, "", folder{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), `"error"`); n != 4 || !strings.Contains(out.String(), `"capabilities"`) {
		t.Errorf("%d errors in %s", n, out.String())
	}
}

// frame puts headers before messages.
func frame(contents ...string) string {
	var b strings.Builder
	for _, c := range contents {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(c), c)
	}
	return b.String()
}

// longKernel is a kernel of about 2,000 lines, of functions with the usual statements.
func longKernel() string {
	var b strings.Builder
	b.WriteString("#version 450\nlayout(local_size_x = 64) in;\nstruct Item { vec3 place; uint tag; };\nlayout(std430, binding = 0) buffer Items { uint n; Item items[]; };\n")
	for i := 0; b.Len() == 0 || strings.Count(b.String(), "\n") < 1985; i++ {
		fmt.Fprintf(&b, `
// Step %[1]d of the work.
uint step_%[1]d(uint at, inout vec3 sum) {
    uint found = 0u;
    for (uint i = 0u; i < 16u && at + i < n; i++) {
        Item one = items[at + i];
        if ((one.tag & %[1]du) != 0u) {
            sum += normalize(one.place.zyx) * float(i) + vec3(0.5, 1.0, dot(one.place, sum));
            found = max(found, one.tag >> (i & 7u));
        } else {
            atomicAdd(items[at].tag, found * 3u);
        }
    }
    return found;
}
`, i)
	}
	b.WriteString("void main() {\n    vec3 sum = vec3(0.0);\n    uint found = step_0(gl_GlobalInvocationID.x, sum);\n    found.\n}\n")
	return b.String()
}

// answers are the requests whose times are measured, each after the text was changed.
var answers = map[string]string{
	"textDocument/hover":          `"position":{"line":1000,"character":14}`,
	"textDocument/definition":     `"position":{"line":1987,"character":20}`,
	"textDocument/references":     `"position":{"line":3,"character":51},"context":{"includeDeclaration":true}`,
	"textDocument/documentSymbol": ``,
	"textDocument/completion":     `"position":{"line":1987,"character":10}`,
	"textDocument/formatting":     `"options":{"tabSize":4,"insertSpaces":true}`,
}

// changeAndAsk changes the text and asks; the answer is of the changed text.
func (c *client) changeAndAsk(version int, method string) {
	c.send("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":"file://$DIR/long.comp","version":%d},"contentChanges":[{"range":{"start":{"line":3,"character":0},"end":{"line":3,"character":0}},"text":" "}]}`, version), false)
	params := `{"textDocument":{"uri":"file://$DIR/long.comp"}`
	if more := answers[method]; more != "" {
		params += "," + more
	}
	c.ask(method, params+"}")
}

// BenchmarkAnswerOn2000Lines measures, for each request, from a change of a kernel of 2,000 lines to the answer and to
// its diagnostics. The goal is 50 ms.
func BenchmarkAnswerOn2000Lines(b *testing.B) {
	for method := range answers {
		b.Run(filepath.Base(method), func(b *testing.B) {
			c := connect(b, b.TempDir(), folder{})
			c.begin()
			c.open("long.comp", longKernel())
			version := 1
			for b.Loop() {
				version++
				c.changeAndAsk(version, method)
			}
		})
	}
}

var directive = regexp.MustCompile(`(?m)^([a-zA-Z/]+)\n((?:.+\n)*?)----\n`)

// FuzzServe serves malformed, huge and unordered messages: the server answers what it can and ends with its input.
func FuzzServe(f *testing.F) {
	kernel, err := os.ReadFile("testdata/kernel.comp")
	if err != nil {
		f.Fatal(err)
	}
	quoted, _ := json.Marshal(string(kernel))
	scripts, err := filepath.Glob("testdata/scripts/*")
	if err != nil || len(scripts) == 0 {
		f.Fatal("no scripts", err)
	}
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var contents []string
		for i, m := range directive.FindAllStringSubmatch(string(text), -1) {
			params := strings.ReplaceAll(strings.TrimSpace(m[2]), "$KERNEL", string(quoted))
			if params == "" {
				params = "null"
			}
			id := fmt.Sprintf(`"id":%d,`, i)
			if notifying[m[1]] {
				id = ""
			}
			contents = append(contents, fmt.Sprintf(`{"jsonrpc":"2.0",%s"method":%q,"params":%s}`, id, m[1], params))
		}
		f.Add(frame(contents...))
	}
	f.Fuzz(func(t *testing.T, stream string) {
		var out bytes.Buffer
		err := Serve(t.Context(), strings.NewReader(stream), &out, "v1", folder{})
		if err != nil && !errors.Is(err, ErrExit) {
			t.Fatal(err)
		}
		r := newReader(&out)
		for {
			length, bad, err := r.header()
			if err != nil {
				break
			}
			if bad != nil {
				t.Fatal(bad)
			}
			content := make([]byte, length)
			if _, err := r.buf.Read(content[:0]); err != nil {
				t.Fatal(err)
			}
			for at := 0; at < length; {
				n, err := r.buf.Read(content[at:])
				if err != nil {
					t.Fatal(err)
				}
				at += n
			}
			if !json.Valid(content) {
				t.Fatalf("%q is not JSON", content)
			}
		}
	})
}

// TestALargeTextIsNotRead: what the preprocessor does not read is not kept either, until the editor sends another text.
func TestALargeTextIsNotRead(t *testing.T) {
	c := connect(t, t.TempDir(), folder{})
	c.begin()
	told := func(when string, p publishDiagnosticsParams) {
		t.Helper()
		if len(p.Diagnostics) != 1 || !strings.Contains(p.Diagnostics[0].Message, "more than 4194304 bytes") {
			t.Errorf("%s: %+v", when, p.Diagnostics)
		}
	}
	change := func(version int, what string) publishDiagnosticsParams {
		c.send("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":"file://$DIR/a.comp","version":%d},"contentChanges":[%s]}`, version, what), false)
		return c.published()
	}
	told("as it is opened", c.open("a.comp", strings.Repeat("\n", preprocess.DefaultBytes+1)))
	told("after a change of what is not kept", change(2, `{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"x"}`))
	if p := change(3, `{"text":"#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n"}`); len(p.Diagnostics) != 0 {
		t.Errorf("after another text: %+v", p.Diagnostics)
	}
}

// TestMessagesThatAreReadAheadAreBounded: 256 texts of any size were.
func TestMessagesThatAreReadAheadAreBounded(t *testing.T) {
	a := newAllowance()
	if !a.tried(maxWaitingBytes + 1) {
		t.Error("a large message is not read where nothing else is held")
	}
	if a.tried(1) {
		t.Error("more is read than may be held")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.take(ended, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a session that ends still waits: %v", err)
	}
	go a.giveBack([]message{{size: maxWaitingBytes + 1}})
	if err := a.take(t.Context(), 1); err != nil {
		t.Error(err)
	}
}
