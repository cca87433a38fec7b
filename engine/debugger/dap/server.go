package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
)

// request is a request of the client.
type request struct {
	seq     int
	command string
	args    json.RawMessage
}

// phase is how far a session has come.
type phase uint8

const (
	connected   phase = iota // nothing but initialize is served
	initialized              // launch is served
	launched                 // what configures the run is served
	configured               // the dispatch has begun
	over                     // the dispatch has ended, or the client has ended it
)

// server is a session with a client.
type server struct {
	view
	ctx context.Context
	out *writer

	programs Programs
	phase    phase
	leaving  bool // the client has disconnected

	launch  *Launch
	run     *run      // nil while the dispatch stands still
	later   []request // to serve when the run stands still
	stop    debugger.Stop
	atEnd   bool
	threads []dap.Thread // as last listed

	data       dataPlaces
	traps      traps
	exceptions dap.SetExceptionBreakpointsArguments // as they were set last

	checks checks
}

// view is what a client sees of the session.
type view struct {
	client  dap.InitializeRequestArguments
	program *Program
	refs    refs
	live    *live // nil: not attached to a live run

	references map[string]int // of sources that the client has to ask for
	paths      *sync.Map      // of files that the client has on disk, by their names in the kernel of a live run; also of the goroutine that waits
}

// maxLater bounds the requests that wait for the end of a step.
const maxLater = 64

// Serve serves one client until it disconnects, in ends or ctx does. The error is about in or out, or nil.
func Serve(ctx context.Context, in io.Reader, out io.Writer, programs Programs) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{view: view{paths: &sync.Map{}}, ctx: ctx, out: &writer{out: out}, programs: programs}
	messages, failed := s.read(in)
	defer s.end()
	for {
		done, held, set := s.awaited()
		select {
		case m := <-messages:
			s.receive(m)
		case err := <-failed:
			if err != nil {
				s.out.refuse(request{}, "", err)
			}
			return errors.Join(err, s.out.failed())
		case stop := <-done:
			s.stopped(stop)
		case f := <-held:
			s.onRun().foundTask(f)
		case r := <-set:
			s.onRun().wasSet(r)
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := s.out.failed(); err != nil || s.leaving {
			return err
		}
	}
}

// read reads messages until in ends, ctx does, or a message is malformed beyond reading the next one. It ends with one value
// in failed, which is nil at the end of in.
func (s *server) read(in io.Reader) (messages <-chan []byte, failed <-chan error) {
	list, end := make(chan []byte), make(chan error, 1)
	go func() {
		r := newReader(in)
		for {
			m, err := r.next()
			if err != nil {
				if errors.Is(err, io.EOF) {
					err = nil
				}
				end <- err
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

// awaited is what else may happen: the end of a run under way, of a wait for a task, and of setting a breakpoint.
func (s *server) awaited() (done chan debugger.Stop, held chan found, set chan liveSet) {
	if s.run != nil {
		done = s.run.done
	}
	if s.live != nil {
		set = s.live.results
		if s.live.waiting != nil {
			held = s.live.waiting.done
		}
	}
	return done, held, set
}

// end leaves what is debugged.
func (s *server) end() {
	s.halt()
	if s.live != nil {
		s.onRun().detach(s.live.onLeave)
	}
}

// noTask reports whether a live run stands still and no task of it is open: its result failed the verification.
func (s *server) noTask() bool { return s.live != nil && s.program == nil && s.phase == configured }

// withoutTask are the requests that are served then.
var withoutTask = map[string]bool{"continue": true, "stackTrace": true, "exceptionInfo": true, "dataBreakpointInfo": true}

// halt ends a run under way, or a wait for a task, and waits for it.
func (s *server) halt() {
	if s.live != nil && s.live.waiting != nil {
		s.live.waiting.cancel()
		<-s.live.waiting.done
		s.live.waiting = nil
	}
	if s.run != nil {
		s.run.cancel()
		<-s.run.done
		s.run = nil
	}
}

// receive serves a message. What is not a request is ignored, since the server asks its client for nothing.
func (s *server) receive(content []byte) {
	q, kind, err := parseRequest(content)
	switch {
	case err != nil:
		s.out.refuse(q, "", err)
	case kind == "request":
		s.serve(q)
	}
}

// parseRequest reads what every request has. The request is as good as could be read when there is an error.
func parseRequest(content []byte) (q request, kind string, err error) {
	var m struct {
		Seq       int             `json:"seq"`
		Type      string          `json:"type"`
		Command   string          `json:"command"`
		Arguments json.RawMessage `json:"arguments"`
	}
	err = json.Unmarshal(content, &m)
	q = request{m.Seq, m.Command, m.Arguments}
	switch {
	case err != nil:
		return q, m.Type, invalid("malformed message: "+mismatch(err), "send a JSON object with seq, type and command")
	case m.Type != "request" && m.Type != "response" && m.Type != "event":
		return q, m.Type, invalid(fmt.Sprintf("unknown message type %.40q", m.Type), "send requests")
	}
	return q, m.Type, nil
}

// serve answers a request, or leaves it for later.
func (s *server) serve(q request) {
	h, known := handlers[q.command]
	var err error
	switch {
	case !known:
		err = invalid(fmt.Sprintf("unknown request %.40q", q.command), "use the requests that initialize has announced")
	case s.phase < h.from:
		err = invalid(q.command+" came too early", "send initialize, launch, the breakpoints, and configurationDone, in this order")
	case s.phase > h.to:
		err = invalid(q.command+" came too late", "disconnect, and start another session")
	case s.live != nil && s.live.waiting != nil && h.running == refused:
		s.out.refuse(q, "notStopped", invalid(q.command+" needs a task that is open", "wait until a breakpoint holds one, or pause"))
		return
	case s.run != nil && h.running == refused:
		s.out.refuse(q, "notStopped", invalid(q.command+" needs the dispatch to stand still", "pause it"))
		return
	case s.noTask() && h.running == refused && !withoutTask[q.command]:
		s.out.refuse(q, "notStopped", invalid(q.command+" needs a task that is open", "continue, and wait for one"))
		return
	case s.run != nil && h.running == interrupts:
		s.interrupt(q, h)
		return
	}
	if err != nil {
		s.out.refuse(q, "", err)
		return
	}
	s.answer(q, h)
}

// answer calls the handler of a request and sends what comes of it.
func (s *server) answer(q request, h handler) {
	if s.program != nil && s.run == nil {
		s.program.Session.WithContext(s.ctx)
	}
	body, err := h.serve(s, q)
	if err != nil {
		s.out.refuse(q, "", whole(err))
		return
	}
	then, ok := body.(afterwards)
	if ok {
		body = then.body
	}
	s.out.respond(q, body)
	if ok {
		then.then()
	}
}

// afterwards is a body, and what to do when it has been sent.
type afterwards struct {
	body any
	then func()
}

// arguments reads the arguments of a request.
func arguments[T any](q request) (T, error) {
	var a T
	return a, into(q, &a)
}

// into reads the arguments of a request over their defaults.
func into(q request, a any) error {
	if len(q.args) == 0 {
		return nil
	}
	if err := json.Unmarshal(q.args, a); err != nil {
		return invalid("invalid arguments of "+q.command+": "+mismatch(err), "send what the protocol defines")
	}
	return nil
}

// mismatch says how JSON differs from what was expected.
func mismatch(err error) string {
	x, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case !ok:
		return err.Error()
	case x.Field == "":
		return "unexpected " + x.Value
	}
	return x.Field + ": unexpected " + x.Value
}
