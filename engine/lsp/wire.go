package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"vyretop/engine/fault"
	"vyretop/engine/glsl/preprocess"
)

// maxMessage bounds the content of one message, in bytes. A text of preprocess.DefaultBytes has fewer, as JSON, unless most of
// it is escaped.
const maxMessage = 4 * preprocess.DefaultBytes

// maxHeader bounds a line of the header of a message, in bytes.
const maxHeader = 4 << 10

// Codes of errors, of JSON-RPC and of the protocol.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
	codeNotInitialized = -32002
	codeCancelled      = -32800
)

// ErrMessage is matched by errors about messages that cannot be read.
const ErrMessage fault.Kind = "invalid message"

// failure is an error that a client gets.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// invalid is a failure: what is wrong, and what to do.
func invalid(code int, subject, detail, fix string) *failure {
	return &failure{code, &fault.Error{Kind: ErrMessage, Subject: subject, Detail: detail, Fix: fix}}
}

// message is what a client sends. A request has an ID and a method, a notification no ID, a response no method.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	done    chan struct{}   // instead of all else, closed when all messages before it have been served
	size    int             // of its content, in bytes
	bad     *failure        // instead of all else, a message that cannot be served
}

// reader reads messages. What is malformed becomes a message that says so, and the next one is read.
type reader struct {
	buf   *bufio.Reader
	admit func(size int) error // waits until the content of a message may be read
}

func newReader(in io.Reader) *reader {
	return &reader{bufio.NewReaderSize(in, 64<<10), func(int) error { return nil }}
}

// next reads one message. The error is io.EOF, or one of the input.
func (r *reader) next() (message, error) {
	length, bad, err := r.header()
	if err != nil || bad != nil {
		return message{bad: bad}, err
	}
	if length > maxMessage {
		_, err := io.CopyN(io.Discard, r.buf, int64(length))
		return message{bad: invalid(codeInvalidRequest, "message", fmt.Sprintf("it has %d bytes, more than %d MiB", length, maxMessage>>20), "send smaller messages")}, err
	}
	if err := r.admit(length); err != nil {
		return message{}, err
	}
	content := make([]byte, length)
	if _, err := io.ReadFull(r.buf, content); err != nil {
		return message{}, err
	}
	m := parse(content)
	m.size = length
	return m, nil
}

// header reads the lines before the content of a message.
func (r *reader) header() (length int, bad *failure, err error) {
	length = -1
	for {
		line, err := r.line()
		if err != nil {
			return 0, nil, err
		}
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31); err == nil {
				length = int(n)
			}
		}
	}
	if length < 0 {
		bad = invalid(codeParse, "header of a message", "it has no valid Content-Length", "send Content-Length: N and an empty line before each message")
	}
	return length, bad, nil
}

// line reads a line of a header without its end; what is longer than maxHeader is cut.
func (r *reader) line() (string, error) {
	var b strings.Builder
	for {
		part, err := r.buf.ReadSlice('\n')
		if b.Len() < maxHeader {
			b.Write(part)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return strings.TrimRight(b.String(), "\r\n"), err
		}
	}
}

// parse reads the content of a message.
func parse(content []byte) (m message) {
	if err := json.Unmarshal(content, &m); err != nil {
		code := codeInvalidRequest
		if _, syntax := errors.AsType[*json.SyntaxError](err); syntax {
			code = codeParse
		}
		return message{bad: invalid(code, "message", mismatch(err), "send a JSON object with jsonrpc, id, method and params")}
	}
	if !validID(m.ID) {
		return message{bad: invalid(codeInvalidRequest, "message", "its id is neither a number nor a string", "number the requests")}
	}
	if string(m.ID) == "null" {
		m.ID = nil
	}
	return m
}

func validID(id json.RawMessage) bool {
	return len(id) == 0 || string(id) == "null" || strings.IndexByte(`"-0123456789`, id[0]) >= 0
}

// mismatch says how JSON differs from what was expected.
func mismatch(err error) string {
	if x, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return strings.TrimSpace(x.Field + " unexpected " + x.Value)
	}
	return err.Error()
}

// writer writes messages. The first error is kept, and nothing is written after it.
type writer struct {
	mu  sync.Mutex
	out io.Writer
	err error
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

type errorResponse struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   responseError   `json:"error"`
}

type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type notification struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

const jsonrpc = "2.0"

// respond answers a request.
func (w *writer) respond(id json.RawMessage, result any) {
	w.send(response{jsonrpc, id, result})
}

// refuse answers a request with an error; without an ID, a message whose ID is not known.
func (w *writer) refuse(id json.RawMessage, f *failure) {
	if id == nil {
		id = json.RawMessage("null")
	}
	w.send(errorResponse{jsonrpc, id, responseError{f.code, f.Error()}})
}

// notify tells the client of something.
func (w *writer) notify(method string, params any) {
	w.send(notification{jsonrpc, method, params})
}

func (w *writer) send(m any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	content, err := json.Marshal(m)
	if err == nil {
		_, err = fmt.Fprintf(w.out, "Content-Length: %d\r\n\r\n%s", len(content), content)
	}
	w.err = err
}

// failed is the first error of a write, or nil.
func (w *writer) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
