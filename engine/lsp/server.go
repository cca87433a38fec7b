package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// phase is how far a session has come.
type phase uint8

const (
	connected   phase = iota // nothing but initialize is served
	initialized              // everything is
	ending                   // nothing but exit is
)

// ErrExit is matched by the error of a session whose client exits without having said shutdown.
var ErrExit = errors.New("the client exits without shutdown")

// server is a session with a client.
type server struct {
	ctx     context.Context
	out     *writer
	project Project
	version string
	phase   phase
	exited  bool
	client  initializeParams
	docs    map[string]*document

	encoding encoding
	ahead    *allowance
}

// Serve serves one client until it exits, in ends or ctx does. version is the program's. The error is about in or out, ErrExit,
// or nil.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string, p Project) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{ctx: ctx, out: &writer{out: out}, project: p, version: version, docs: map[string]*document{}, ahead: newAllowance()}
	messages, failed := s.read(in)
	for {
		select {
		case m := <-messages:
			list := waiting(m, messages)
			s.serveAll(list)
			s.ahead.giveBack(list)
		case err := <-failed:
			return errors.Join(err, s.out.failed())
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := s.out.failed(); err != nil {
			return err
		}
		if s.exited {
			return s.ended()
		}
		if len(messages) == 0 {
			s.publish()
		}
	}
}

// ended is how a session ends that the client has ended.
func (s *server) ended() error {
	if s.phase == ending {
		return nil
	}
	return ErrExit
}

// read reads messages until in ends or ctx does. It ends with one value in failed, which is nil at the end of in.
func (s *server) read(in io.Reader) (messages <-chan message, failed <-chan error) {
	list, end := make(chan message, maxWaiting), make(chan error)
	go func() {
		r := newReader(in)
		r.admit = func(n int) error { return s.ahead.take(s.ctx, n) }
		for {
			m, err := r.next()
			if err != nil && m.bad == nil {
				if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
					err = nil
				}
				s.drained(list)
				select {
				case end <- err:
				case <-s.ctx.Done():
				}
				return
			}
			select {
			case list <- m:
			case <-s.ctx.Done():
				return
			}
		}
	}()
	return list, end
}

// drained waits until all messages have been served.
func (s *server) drained(list chan<- message) {
	done := make(chan struct{})
	select {
	case list <- message{done: done}:
		select {
		case <-done:
		case <-s.ctx.Done():
		}
	case <-s.ctx.Done():
	}
}

// serveAll serves messages, but for requests that a later one of them cancels.
func (s *server) serveAll(list []message) {
	cancelled := map[string]bool{}
	for _, m := range list {
		var p struct {
			ID json.RawMessage `json:"id"`
		}
		if m.Method == "$/cancelRequest" && json.Unmarshal(m.Params, &p) == nil {
			cancelled[string(p.ID)] = true
		}
	}
	for _, m := range list {
		switch {
		case s.exited:
			return
		case m.ID != nil && cancelled[string(m.ID)]:
			s.out.refuse(m.ID, invalid(codeCancelled, m.Method, "the request was cancelled", "ask again"))
		default:
			s.serve(m)
		}
	}
}

// serve serves a message. Responses are ignored, since the server asks its client for nothing.
func (s *server) serve(m message) {
	switch {
	case m.done != nil:
		s.publish()
		close(m.done)
	case m.bad != nil:
		s.out.refuse(nil, m.bad)
	case m.Method == "" && m.ID != nil:
	case m.Method == "":
		s.out.refuse(nil, invalid(codeInvalidRequest, "message", "it has no method", "send requests and notifications"))
	case m.ID == nil:
		s.notified(m)
	default:
		s.answer(m)
	}
}

// notified serves a notification. There is no answer to one, so what is wrong with it is left out.
func (s *server) notified(m message) {
	if m.Method == "exit" {
		s.exited = true
		return
	}
	if serve := notifications[m.Method]; serve != nil && s.phase == initialized {
		serve(s, m.Params)
	}
}

// answer serves a request.
func (s *server) answer(m message) {
	serve, known := requests[m.Method]
	var bad *failure
	switch {
	case s.phase == connected && m.Method != "initialize":
		bad = invalid(codeNotInitialized, m.Method, "it came before initialize", "send initialize first")
	case s.phase == ending, s.phase == initialized && m.Method == "initialize":
		bad = invalid(codeInvalidRequest, m.Method, "it came too late", "start another server")
	case !known:
		bad = invalid(codeNoMethod, fmt.Sprintf("%.60q", m.Method), "unknown request", "use the requests that initialize has announced")
	}
	if bad != nil {
		s.out.refuse(m.ID, bad)
		return
	}
	result, err := serve(s, m.Params)
	if err != nil {
		f, ok := errors.AsType[*failure](err)
		if !ok {
			f = &failure{codeInvalidRequest, err}
		}
		s.out.refuse(m.ID, f)
		return
	}
	s.out.respond(m.ID, result)
}

// publish sends the diagnostics of the texts that have changed.
func (s *server) publish() {
	if s.phase != initialized {
		return
	}
	for _, uri := range slices.Sorted(maps.Keys(s.docs)) {
		d := s.docs[uri]
		if d.reported {
			continue
		}
		d.reported = true
		s.out.notify("textDocument/publishDiagnostics", publishDiagnosticsParams{URI: uri, Version: d.version, Diagnostics: s.diagnostics(d)})
	}
}
