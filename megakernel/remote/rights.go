package remote

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"vyretop/megakernel"
)

// Rights are what a client may do at most, whatever it asks for.
type Rights uint8

// The levels of rights; each includes those before it.
const (
	Look       Rights = iota // watch
	Steer                    // what changes the run and can be taken back: commands, settings, breakpoints, tasks
	Administer               // end, reload and record it, and take control from others
)

var rightsNames = [...]string{"look", "steer", "administer"}

// String names the level.
func (r Rights) String() string {
	if int(r) < len(rightsNames) {
		return rightsNames[r]
	}
	return "unknown"
}

// ParseRights reads the name of a level.
func ParseRights(name string) (Rights, bool) {
	for i, n := range rightsNames {
		if n == name {
			return Rights(i), true
		}
	}
	return Look, false
}

// Peer says who a client is and what it may do.
type Peer struct {
	Name      string // for people, "" for a process of this user
	Process   int32  // of this host; 0 where Name says who it is
	Rights    Rights
	Exclusive bool // control is for one of these clients at a time
}

// Audited is a request that could change the run, and what became of it.
type Audited struct {
	At    time.Time
	Who   string
	Level Rights
	What  string
	Err   error // nil: it was carried out
}

// administers reports whether a request needs more than steering.
func (r *request) administers() bool {
	return r.End != "" || r.Rerun || r.Reload || r.Record != nil
}

// steers reports whether a client has control now.
func (s *Server) steers(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return c.steers
}

// restore gives control back to the exclusive client from whom it was taken last, where no other one has it: one that asks in between does
// not get it. The caller holds mu.
func (s *Server) restore() {
	var last *conn
	for c := range s.conns {
		if c.outranked > 0 && (last == nil || c.outranked > last.outranked) {
			last = c
		}
	}
	if last == nil || s.leaseholder(last) != nil || !s.lease(last, last.hello.Control) {
		return
	}
	last.steers, last.outranked = true, 0
	s.hub.Event("control", last.name()+" has control again")
}

// lease decides whether an exclusive client gets control. One that asks and may administer takes it from the others of its kind. The
// caller holds mu.
func (s *Server) lease(c *conn, want Control) bool {
	if want == ControlNone || want == ControlAllowed && !s.o.AllowControl {
		return false
	}
	holder := s.leaseholder(c)
	switch {
	case holder == nil:
		return want != ControlAuto || s.o.AllowControl || s.holder() == ""
	case want == ControlAsk && c.peer.Rights == Administer:
		s.taken++
		holder.steers, holder.outranked = false, s.taken
		s.hub.Event("control", fmt.Sprintf("%s has taken control from %s", c.name(), holder.name()))
		return true
	}
	return false
}

// leaseholder is the exclusive client that has control, nil for none. The caller holds mu.
func (s *Server) leaseholder(but *conn) *conn {
	for c := range s.conns {
		if c != but && c.steers && c.peer.Exclusive {
			return c
		}
	}
	return nil
}

// audit tells of a request that could change the run.
func (c *conn) audit(r *request, err error) {
	if c.server.o.Audit == nil || r.Read != nil || r.kinds() == 0 {
		return
	}
	c.server.o.Audit(Audited{At: time.Now(), Who: c.name(), Level: c.peer.Rights, What: r.text(), Err: err})
}

// text says a request in one line.
func (r *request) text() string {
	if r.Command != nil {
		return r.Command.text()
	}
	bare := *r
	bare.ID = 0
	line, err := json.Marshal(bare)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(line), `{"id":0,`), "}")
}

// text says a command in one line, with the members that its kind uses.
func (k *command) text() string {
	text := k.Op.String()
	add := func(name string, value uint32) { text += fmt.Sprintf(" %s=%d", name, value) }
	switch k.Op {
	case megakernel.OpPauseTask, megakernel.OpResumeTask, megakernel.OpReap:
		add("task", k.Task)
	case megakernel.OpRequeueTask, megakernel.OpReprioritize:
		add("task", k.Task)
		add("priority", k.Arg)
	case megakernel.OpPauseWorker, megakernel.OpResumeWorker:
		add("worker", k.Worker)
	case megakernel.OpStepWorker:
		add("worker", k.Worker)
		add("steps", k.Arg)
	case megakernel.OpEditTask, megakernel.OpEditControl, megakernel.OpEditBuffer:
		switch k.Op {
		case megakernel.OpEditTask:
			add("task", k.Task)
		case megakernel.OpEditBuffer:
			add("binding", k.Slot)
		}
		add("word", k.Arg)
		add("expected", k.Expected)
		add("desired", k.Desired)
	}
	return text
}
