package dap

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"

	"github.com/google/go-dap"
)

// maxMessage bounds what is read for one message, its header included: the bound of go-dap and a header.
const maxMessage = 4<<20 + 1<<10

// reader reads the messages of a client, each within maxMessage.
type reader struct {
	limit *io.LimitedReader
	buf   *bufio.Reader
}

func newReader(in io.Reader) *reader {
	limit := &io.LimitedReader{R: in}
	return &reader{limit, bufio.NewReaderSize(limit, 16<<10)}
}

// next reads the content of one message. io.EOF is the end between messages.
func (r *reader) next() ([]byte, error) {
	r.limit.N = maxMessage
	if _, err := r.buf.Peek(1); err != nil {
		return nil, err
	}
	content, err := dap.ReadBaseMessage(r.buf)
	if err == nil {
		return content, nil
	}
	what := err.Error()
	_, base := errors.AsType[*dap.BaseProtocolError](err)
	_, number := errors.AsType[*strconv.NumError](err)
	switch {
	case r.limit.N == 0 || errors.Is(err, dap.ErrHeaderContentTooLong):
		what = "it is larger than 4 MiB"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		what = "the input ends inside it"
	case base || number:
		what = "the header is malformed"
	}
	return nil, invalid("cannot read the next message: "+what, "send messages of the Debug Adapter Protocol, each after Content-Length: N and an empty line")
}

// writer writes messages to a client, numbered. The first error is kept, and nothing is written after it.
type writer struct {
	mu  sync.Mutex
	out io.Writer
	seq int
	err error
}

// response and event are messages with any body.
type response struct {
	dap.Response
	Body any `json:"body,omitempty"`
}

type event struct {
	dap.Event
	Body any `json:"body,omitempty"`
}

// respond answers a request.
func (w *writer) respond(q request, body any) {
	w.send(func(seq int) any {
		return &response{dap.Response{ProtocolMessage: dap.ProtocolMessage{Seq: seq, Type: "response"}, RequestSeq: q.seq, Success: true, Command: q.command}, body}
	})
}

// refuse answers a request with an error; short is what clients that do not show the error itself make of it, "" for its text.
func (w *writer) refuse(q request, short string, err error) {
	if short == "" {
		short = err.Error()
	}
	w.send(func(seq int) any {
		e := &dap.ErrorResponse{Response: dap.Response{ProtocolMessage: dap.ProtocolMessage{Seq: seq, Type: "response"}, RequestSeq: q.seq, Command: q.command, Message: short}}
		e.Body.Error = &dap.ErrorMessage{Id: 1, Format: "{error}", Variables: map[string]string{"error": err.Error()}, ShowUser: q.command == "launch" || q.command == "attach"}
		return e
	})
}

// event tells the client of something.
func (w *writer) event(name string, body any) {
	w.send(func(seq int) any {
		return &event{dap.Event{ProtocolMessage: dap.ProtocolMessage{Seq: seq, Type: "event"}, Event: name}, body}
	})
}

func (w *writer) send(message func(seq int) any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	w.seq++
	var data []byte
	if data, w.err = json.Marshal(message(w.seq)); w.err == nil {
		w.err = dap.WriteBaseMessage(w.out, data)
	}
}

func (w *writer) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
