package remote

import (
	"fmt"
	"strings"
	"unicode"
)

// Control is what a client asks for besides watching.
type Control string

// What a client may ask for. Several clients may have control at once, if they asked for it.
const (
	ControlAuto    Control = "auto"    // control, unless another client or the run's own dashboard has it
	ControlAsk     Control = "ask"     // control, even if another client has it
	ControlAllowed Control = "allowed" // control, if the run gives it to every client (Options.AllowControl)
	ControlNone    Control = "none"    // watch only
)

func (c Control) valid() bool {
	return c == ControlAuto || c == ControlAsk || c == ControlAllowed || c == ControlNone
}

// maxClientName bounds the name that a client gives itself, in bytes.
const maxClientName = 64

// grant decides whether a client gets control, and remembers that it has it.
func (s *Server) grant(c *conn, want Control) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.o.NoControl || c.peer.Rights == Look:
		c.steers = false
	case c.peer.Exclusive:
		c.steers = s.lease(c, want)
	case want == ControlAsk:
		c.steers = true
	case want == ControlAuto:
		c.steers = s.o.AllowControl || s.holder() == ""
	case want == ControlAllowed:
		c.steers = s.o.AllowControl
	}
	if c.steers {
		s.hub.Event("control", c.name()+" has control")
	}
	return c.steers
}

// name says who a client is.
func (c *conn) name() string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, c.hello.Client)
	if name == "" || len(name) > maxClientName {
		name = "a client"
	}
	if c.peer.Name != "" {
		return fmt.Sprintf("%s of %s", name, c.peer.Name)
	}
	return fmt.Sprintf("%s (process %d)", name, c.peer.Process)
}

// holder names one that has control, "" for none. The caller holds mu.
func (s *Server) holder() string {
	for c := range s.conns {
		if c.steers {
			return c.name()
		}
	}
	if s.o.Steered {
		return "the run's own dashboard"
	}
	return ""
}

// withoutControl is the answer to a request that needs control, from a client without it.
func (s *Server) withoutControl(c *conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := "this client may only watch. Fix: use --control"
	switch holder := s.holder(); {
	case s.o.NoControl:
		text = "the run was started with --no-control. Fix: start it without --no-control"
	case c.peer.Rights == Look:
		text = c.peer.Name + " may only look. Fix: have the hub's administrator give the user the level steer"
	case holder != "" && c.peer.Exclusive:
		text = fmt.Sprintf("%s has control. Fix: wait until it leaves, or take control with --control as a user of the level administer", holder)
	case holder != "":
		text = fmt.Sprintf("this client may only watch, %s has control. Fix: use --control to take control, too, or start the run with --allow-control", holder)
	}
	return &RequestError{Text: text, Err: ErrReadOnly}
}

// leave forgets a connection, and its control.
func (s *Server) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if c.steers {
		s.restore()
	}
}

// Unsteer notes that the run has lost the dashboard of its own, which had control.
func (s *Server) Unsteer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.o.Steered = false
}
