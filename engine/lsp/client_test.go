package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// folder is a project of kernels that stand alone. What they include is looked for beside them.
type folder struct{}

type openFirst struct {
	open func(path string) (string, bool)
}

// Resolve implements preprocess.Resolver.
func (r openFirst) Resolve(name, from string) (*source.File, error) {
	f, err := preprocess.Dirs{}.Resolve(name, from)
	if err != nil {
		return nil, err
	}
	if text, ok := r.open(f.Name); ok {
		f.Text = text
	}
	return f, nil
}

// Unit implements Project.
func (folder) Unit(path string, open func(path string) (string, bool)) (*Unit, error) {
	text, _ := open(path)
	read := func(name string) (string, bool) {
		if text, ok := open(name); ok {
			return text, true
		}
		text, err := os.ReadFile(name)
		return string(text), err == nil
	}
	o := glsl.Options{Options: preprocess.Options{Resolver: openFirst{open}}}
	return &Unit{Name: path, Main: &source.File{Name: path, Text: text}, Options: o, Standalone: true, Text: read}, nil
}

// Path implements Project.
func (folder) Path(name string) string { return name }

// reply is any message of the server.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *responseError  `json:"error"`
}

// client is a scripted client. Every message that it gets is validated against testdata/protocol.json.
type client struct {
	t    testing.TB
	dir  string
	out  io.WriteCloser
	in   *reader
	last int
	sent map[string]string // methods by ID
	done chan error
}

// connect starts a server and a client of it.
func connect(t testing.TB, dir string, p Project) *client {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &client{t: t, dir: dir, out: toServer, in: newReader(fromServer), sent: map[string]string{}, done: make(chan error, 1)}
	go func() {
		err := Serve(context.Background(), in, out, "v1", p)
		out.Close()
		in.Close()
		c.done <- err
	}()
	t.Cleanup(func() {
		toServer.Close()
		fromServer.Close()
		<-c.done
	})
	return c
}

// write sends content as it is.
func (c *client) write(content string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(content), content); err != nil {
		c.t.Fatal(err)
	}
}

// send sends a request, or a notification, with parameters in JSON. $DIR in them is the folder of the texts.
func (c *client) send(method, params string, request bool) string {
	c.t.Helper()
	id := ""
	content := `{"jsonrpc":"2.0",`
	if request {
		c.last++
		id = fmt.Sprint(c.last)
		c.sent[id] = method
		content += `"id":` + id + ","
	}
	if params == "" {
		params = "null"
	}
	c.write(content + fmt.Sprintf(`"method":%q,"params":%s}`, method, strings.ReplaceAll(params, "$DIR", c.dir)))
	return id
}

// receive waits for the next message, and validates it.
func (c *client) receive() (reply, string) {
	c.t.Helper()
	length, bad, err := c.in.header()
	if err != nil || bad != nil {
		c.t.Fatalf("the server sends nothing more: %v %v", bad, err)
	}
	content := make([]byte, length)
	if _, err := io.ReadFull(c.in.buf, content); err != nil {
		c.t.Fatal(err)
	}
	var r reply
	if err := json.Unmarshal(content, &r); err != nil {
		c.t.Fatal(err)
	}
	switch {
	case r.Error != nil:
		validate(c.t, "error", content)
	case r.Method != "":
		validate(c.t, "notification", content)
		validate(c.t, r.Method, r.Params)
	default:
		validate(c.t, "response", content)
		validate(c.t, c.sent[string(r.ID)], r.Result)
	}
	return r, strings.ReplaceAll(string(content), c.dir, "$DIR")
}

// ask sends a request and gives its result. Notifications before it are left out.
func (c *client) ask(method, params string) reply {
	c.t.Helper()
	id := c.send(method, params, true)
	for {
		if r, _ := c.receive(); string(r.ID) == id {
			return r
		}
	}
}

// begin opens a session.
func (c *client) begin() {
	c.t.Helper()
	c.ask("initialize", `{"capabilities":{}}`)
	c.send("initialized", "{}", false)
}

// open opens a text and gives its diagnostics.
func (c *client) open(name, text string) publishDiagnosticsParams {
	c.t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		c.t.Fatal(err)
	}
	c.send("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":"file://$DIR/%s","languageId":"glsl","version":1,"text":%s}}`, name, quoted), false)
	return c.published()
}

// published waits for diagnostics.
func (c *client) published() (p publishDiagnosticsParams) {
	c.t.Helper()
	r, _ := c.receive()
	if err := json.Unmarshal(r.Params, &p); err != nil || r.Method != "textDocument/publishDiagnostics" {
		c.t.Fatalf("%+v, %v, want diagnostics", r, err)
	}
	return p
}

var schema = sync.OnceValues(func() (*jsonschema.Compiler, error) {
	data, err := os.ReadFile("testdata/protocol.json")
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	return c, c.AddResource("protocol.json", doc)
})

var compiled sync.Map // *jsonschema.Schema by definition

// validate compares a message, or a part of one, with the protocol.
func validate(t testing.TB, name string, message []byte) {
	t.Helper()
	known, ok := compiled.Load(name)
	if !ok {
		c, err := schema()
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("protocol.json#/definitions/" + strings.ReplaceAll(name, "/", "~1"))
		if err != nil {
			t.Fatal(err)
		}
		compiled.Store(name, s)
		known = s
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(message))
	if err == nil {
		err = known.(*jsonschema.Schema).Validate(value)
	}
	if err != nil {
		t.Errorf("%s does not fit the protocol: %v\n%s", name, err, message)
	}
}

// files writes the files of a test into a folder.
func files(t testing.TB, texts map[string]string) string {
	dir := t.TempDir()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(texts[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
