package dap

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"vyretop/engine"
	"vyretop/engine/check"
	"vyretop/engine/debugger"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// message is any message of the server.
type message struct {
	Seq        int             `json:"seq"`
	Type       string          `json:"type"`
	Event      string          `json:"event"`
	Command    string          `json:"command"`
	RequestSeq int             `json:"request_seq"`
	Success    bool            `json:"success"`
	Message    string          `json:"message"`
	Body       json.RawMessage `json:"body"`
}

// client is a scripted client. Every message that it gets is validated against the protocol's schema.
type client struct {
	t    testing.TB
	dir  string // of the kernels
	out  io.WriteCloser
	in   *bufio.Reader
	seq  int
	got  int // sequence number of the last message
	done chan error
}

// openFile compiles a kernel file for the tests: 64 words at binding 0, one workgroup or grid of them.
func openFile(_ context.Context, l *Launch) (*Program, error) {
	text, err := os.ReadFile(l.Program)
	if err != nil {
		return nil, err
	}
	p, _, err := engine.CompileProgram("k", &source.File{Name: l.Program, Text: string(text)}, glsl.Options{})
	if err != nil {
		return nil, err
	}
	target := debugger.Target{Program: p, Buffers: map[uint32][]uint32{}}
	for _, b := range p.Buffers {
		target.Buffers[b.Binding] = make([]uint32, max(b.MinWords, 64))
	}
	for i := range l.Size {
		var binding, bytes uint32
		if _, err := fmt.Sscanf(l.Size[i], "%d=%d", &binding, &bytes); err != nil {
			return nil, err
		}
		target.Buffers[binding] = make([]uint32, bytes/4)
	}
	if len(l.Grid) > 0 {
		if _, err := fmt.Sscan(l.Grid[0], &target.Grid[0]); err != nil {
			return nil, err
		}
	}
	s, err := debugger.Open(target)
	return &Program{Session: s, OnDisk: true, Text: func(string) string { return string(text) },
		Check: &check.Target{Program: p, Buffers: target.Buffers, Grid: target.Grid}}, err
}

// connect starts a server and a client of it.
func connect(t testing.TB, dir string) *client { return connectTo(t, dir, Programs{Open: openFile}) }

func connectTo(t testing.TB, dir string, programs Programs) *client {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &client{t: t, dir: dir, out: toServer, in: bufio.NewReader(fromServer), done: make(chan error, 1)}
	go func() {
		err := Serve(context.Background(), in, out, programs)
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

// send sends a request with arguments in JSON, "" for none. $DIR in them is the directory of the kernels.
func (c *client) send(command, args string) int {
	c.t.Helper()
	c.seq++
	text := fmt.Sprintf(`{"seq":%d,"type":"request","command":%q`, c.seq, command)
	if args != "" {
		text += `,"arguments":` + strings.ReplaceAll(args, "$DIR", c.dir)
	}
	text += "}"
	c.write(text)
	return c.seq
}

// write sends content as it is.
func (c *client) write(content string) {
	c.t.Helper()
	if err := dap.WriteBaseMessage(c.out, []byte(content)); err != nil {
		c.t.Fatal(err)
	}
}

// receive waits for the next message, and validates it.
func (c *client) receive() message {
	c.t.Helper()
	data, err := dap.ReadBaseMessage(c.in)
	if err != nil {
		c.t.Fatalf("the server sends nothing more: %v", err)
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		c.t.Fatal(err)
	}
	if c.got++; m.Seq != c.got {
		c.t.Errorf("message %d has number %d", c.got, m.Seq)
	}
	validate(c.t, m.definition(), data)
	return m
}

// definition names the schema of a message.
func (m message) definition() string {
	name := m.Command + "Response"
	switch {
	case m.Type == "event":
		name = m.Event + "Event"
	case !m.Success:
		return "ErrorResponse"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// until receives messages up to the first for which f holds.
func (c *client) until(f func(message) bool) []message {
	c.t.Helper()
	var list []message
	for {
		m := c.receive()
		list = append(list, m)
		if f(m) {
			return list
		}
	}
}

// moves are the requests that are followed by a stop or by the end.
var moves = map[string]bool{"configurationDone": true, "continue": true, "reverseContinue": true, "next": true, "stepIn": true, "stepOut": true, "stepBack": true, "terminate": true, "restart": true}

// do sends a request and receives all that comes of it: the response, and events up to the next stop where one follows.
func (c *client) do(command, args string) []message {
	c.t.Helper()
	seq := c.send(command, args)
	list := c.until(func(m message) bool { return m.Type == "response" && m.RequestSeq == seq })
	ok := list[len(list)-1].Success
	switch {
	case ok && command == "launch":
		list = append(list, c.until(func(m message) bool { return m.Event == "initialized" })...)
	case ok && moves[command]:
		list = append(list, c.until(func(m message) bool { return m.Event == "stopped" || m.Event == "terminated" })...)
	}
	return list
}

// text writes a message for a transcript.
func (c *client) text(m message) string {
	body := strings.ReplaceAll(string(m.Body), c.dir, "$DIR")
	switch {
	case m.Type == "event":
		return strings.TrimSpace("event " + m.Event + " " + body)
	case m.Success:
		return strings.TrimSpace("ok " + body)
	}
	return "error " + strings.ReplaceAll(m.Message, c.dir, "$DIR")
}

// kernels writes files of a test into a directory.
func kernels(t testing.TB, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
