package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-dap"
)

// fenced finds the code blocks of a language in a page.
func fenced(t *testing.T, page, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs", page))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		list = append(list, m[1])
	}
	return list
}

// editorLaunches are the launch arguments of the configurations in docs/editors.md, by editor.
func editorLaunches(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	blocks := fenced(t, "editors.md", "json")
	if len(blocks) != 5 {
		t.Fatalf("docs/editors.md has %d blocks of JSON, want two of VS Code and that of Zed, and two of language servers", len(blocks))
	}
	var extension struct {
		Contributes struct{ Debuggers []struct{ Args []string } }
	}
	if err := json.Unmarshal([]byte(blocks[0]), &extension); err != nil || !slices.Equal(extension.Contributes.Debuggers[0].Args, []string{"dap"}) {
		t.Errorf("the extension runs %+v, %v", extension, err)
	}
	var code struct{ Configurations []json.RawMessage }
	var zed []json.RawMessage
	if err := json.Unmarshal([]byte(blocks[1]), &code); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(blocks[2]), &zed); err != nil {
		t.Fatal(err)
	}
	return map[string]json.RawMessage{"VS Code": code.Configurations[0], "Zed": zed[0], "Neovim": luaLaunch(t)}
}

// luaLaunch is the table of launch arguments in the configuration for Neovim, as JSON: one argument a line.
func luaLaunch(t *testing.T) json.RawMessage {
	t.Helper()
	lines := regexp.MustCompile(`(?m)^    (\w+) = (.*),$`).FindAllStringSubmatch(fenced(t, "editors.md", "lua")[0], -1)
	var fields []string
	for _, l := range lines {
		value := regexp.MustCompile(`\["(\w+)"\] =`).ReplaceAllString(l[2], `"$1":`)
		fields = append(fields, `"`+l[1]+`": `+value)
	}
	return json.RawMessage("{" + strings.Join(fields, ",") + "}")
}

// dapClient drives a server over its standard input and output.
type dapClient struct {
	t   *testing.T
	out io.Writer
	in  *bufio.Reader
	seq int
}

// request sends a request and waits for its response and, with an event named, for that event; output is what the server
// printed in between.
func (c *dapClient) request(command string, args any, event string) (body json.RawMessage, output string) {
	c.t.Helper()
	c.seq++
	q := map[string]any{"seq": c.seq, "type": "request", "command": command, "arguments": args}
	if err := dap.WriteProtocolMessage(c.out, rawMessage{q}); err != nil {
		c.t.Fatal(err)
	}
	for responded := false; !responded || event != ""; {
		data, err := dap.ReadBaseMessage(c.in)
		if err != nil {
			c.t.Fatal(err)
		}
		var m struct {
			Type, Event, Message string
			RequestSeq           int `json:"request_seq"`
			Success              bool
			Body                 json.RawMessage
		}
		if err := json.Unmarshal(data, &m); err != nil {
			c.t.Fatal(err)
		}
		switch {
		case m.Type == "response" && m.RequestSeq == c.seq:
			if body, responded = m.Body, true; !m.Success {
				c.t.Fatalf("%s: %s", command, m.Message)
			}
		case m.Event == "output":
			output += string(m.Body)
		case m.Event == event:
			event = ""
		}
	}
	return body, output
}

// rawMessage is a message that go-dap does not define.
type rawMessage struct{ fields map[string]any }

// GetSeq is of dap.Message.
func (m rawMessage) GetSeq() int { return 0 }

// MarshalJSON writes the fields.
func (m rawMessage) MarshalJSON() ([]byte, error) { return json.Marshal(m.fields) }

func TestEditorsDebugWithTheDocumentedConfigurations(t *testing.T) {
	blocks := fenced(t, "editors.md", "glsl")
	kernel := blocks[slices.IndexFunc(blocks, func(block string) bool { return strings.HasPrefix(block, "#version") })]
	for editor, launch := range editorLaunches(t) {
		t.Run(editor, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "total.comp")
			if err := os.WriteFile(file, []byte(kernel), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, variable := range []string{"${workspaceFolder}/total.comp", "$ZED_WORKTREE_ROOT/total.comp", "${file}"} {
				launch = bytes.ReplaceAll(launch, []byte(variable), []byte(file))
			}
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			e := editors{&app{stdin: in, stdout: out, stderr: io.Discard}}
			done := make(chan error, 1)
			go func() { done <- e.serve(context.Background(), in, out) }()
			c := &dapClient{t: t, out: toServer, in: bufio.NewReader(fromServer)}

			c.request("initialize", map[string]any{"adapterID": "vyretop"}, "")
			c.request("launch", launch, "initialized")
			c.request("setBreakpoints", map[string]any{"source": map[string]any{"path": file}, "breakpoints": []any{map[string]any{"line": 10, "condition": "i == 6u"}}}, "")
			c.request("configurationDone", nil, "stopped")
			c.request("continue", map[string]any{"threadId": 1}, "stopped")
			body, _ := c.request("evaluate", map[string]any{"expression": "v[i]"}, "")
			if !bytes.Contains(body, []byte(`"result":"7"`)) {
				t.Errorf("v[i] is %s, want 7", body)
			}
			_, output := c.request("continue", map[string]any{"threadId": 1}, "stopped")
			if !strings.Contains(output, "buffer Data (binding 0): 9 of 9 words changed, the first is word 0: 0x0 -\\u003e 0x1c") {
				t.Errorf("the outcome is %s", output)
			}
			c.request("disconnect", nil, "")
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEditorsConnectToAPortOneAfterTheOther(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	said, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- editors{&app{stdout: out, stderr: io.Discard}}.listen(ctx, "127.0.0.1:0", false) }()
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	for range 2 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		c := &dapClient{t: t, out: conn, in: bufio.NewReader(conn)}
		c.request("initialize", map[string]any{"adapterID": "vyretop"}, "")
		c.request("disconnect", nil, "")
		conn.Close()
	}
	waiting, err := net.Dial("tcp", address) // a client that says nothing does not keep the server
	if err != nil {
		t.Fatal(err)
	}
	defer waiting.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
