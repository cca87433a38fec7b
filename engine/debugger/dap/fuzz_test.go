package dap

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"vyretop/engine"
	"vyretop/engine/debugger"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// framed writes contents as messages.
func framed(contents ...string) []byte {
	var b bytes.Buffer
	for _, c := range contents {
		_ = dap.WriteBaseMessage(&b, []byte(c)) // a buffer takes everything
	}
	return b.Bytes()
}

var directive = regexp.MustCompile(`(?m)^(\w+)\n(?:(\{.*\})\n)?----$`)

// FuzzServe sends any stream of messages to a server, which must answer every request it can read once, by the protocol, and
// end. A run under way ends with the stream.
func FuzzServe(f *testing.F) {
	kernel, err := os.ReadFile("testdata/kernel.comp")
	if err != nil {
		f.Fatal(err)
	}
	p, _, err := engine.CompileProgram("k", &source.File{Name: "k.comp", Text: string(kernel)}, glsl.Options{})
	if err != nil {
		f.Fatal(err)
	}
	open := func(_ context.Context, l *Launch) (*Program, error) {
		s, err := debugger.Open(debugger.Target{Program: p, Buffers: map[uint32][]uint32{0: make([]uint32, 300)}, Grid: [3]uint32{3, 1, 1}})
		return &Program{Session: s, Text: func(string) string { return string(kernel) }, OnDisk: l.Task == ""}, err
	}
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
			args := m[2]
			if args == "" {
				args = "{}"
			}
			contents = append(contents, fmt.Sprintf(`{"seq":%d,"type":"request","command":%q,"arguments":%s}`, i+1, m[1], strings.ReplaceAll(args, "$DIR/kernel.comp", "k.comp")))
		}
		f.Add(framed(contents...))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		var out bytes.Buffer
		_ = Serve(t.Context(), bytes.NewReader(stream), &out, Programs{Open: open}) // malformed streams are errors
		checkAnswers(t, &out)
	})
}

// checkAnswers holds what a server sent to the protocol.
func checkAnswers(t *testing.T, out *bytes.Buffer) {
	t.Helper()
	r := newReader(out)
	for seq := 1; ; seq++ {
		data, err := r.next()
		if err == io.EOF {
			return
		}
		var m message
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil || m.Seq != seq {
			t.Fatalf("message %d: %+v, %v", seq, m, err)
		}
		validate(t, m.definition(), data)
	}
}
