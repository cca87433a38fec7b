package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// notifying are the notifications that diagnostics follow.
var notifying = map[string]bool{"textDocument/didOpen": true, "textDocument/didChange": true, "textDocument/didClose": true}

// TestScripts runs scripted clients: each directive is a message, its input are the parameters, its output is what the server
// answers. The directive raw sends its input as it is. $KERNEL in a parameter is the text of testdata/kernel.comp, and $DIR is
// where that lies.
func TestScripts(t *testing.T) {
	texts := map[string]string{}
	for _, name := range []string{"kernel.comp", "shared.glsl"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	quoted, err := json.Marshal(texts["kernel.comp"])
	if err != nil {
		t.Fatal(err)
	}
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		c := connect(t, files(t, texts), folder{})
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			c.t = t
			input := strings.ReplaceAll(d.Input, "$KERNEL", string(quoted))
			switch {
			case d.Cmd == "raw":
				c.write(input)
			case notifying[d.Cmd]:
				c.send(d.Cmd, input, false)
			case d.Cmd == "initialized" || strings.HasPrefix(d.Cmd, "$/"):
				c.send(d.Cmd, input, false)
				return ""
			default:
				c.send(d.Cmd, input, true)
			}
			_, text := c.receive()
			return readable(text) + "\n"
		})
	})
}

// readable writes a message in several lines when it is long.
func readable(message string) string {
	message = strings.TrimPrefix(message, `{"jsonrpc":"2.0",`)
	if n := strings.Count(message, `"label":`); n > 20 {
		return fmt.Sprintf("%d completions", n)
	}
	if len(message) < 200 {
		return "{" + message
	}
	var b bytes.Buffer
	_ = json.Indent(&b, []byte("{"+message), "", " ")
	return b.String()
}
