package debugger

import (
	"errors"
	"fmt"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/glsl/source"
)

// Report is what a breakpoint with a log message says of one hit.
type Report struct {
	Breakpoint int
	Pos        source.Pos
	Group      uint64
	Lane       int
	Time       uint64
	Text       string
}

// OnReport has reports go to a function, during the run.
func (s *Session) OnReport(f func(Report)) { s.onReport = f }

// message is a log message: texts and expressions in turn, first a text.
type message struct{ texts, exprs []string }

// parseMessage splits a message; its expressions must make sense at an instruction.
func (s scope) parseMessage(text string, pc int) (message, error) {
	var m message
	for {
		before, rest, open := strings.Cut(text, "{")
		m.texts = append(m.texts, before)
		if !open {
			return m, nil
		}
		expr, after, closed := strings.Cut(rest, "}")
		if !closed {
			return m, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("missing } after {%s", rest), Fix: "write each expression as {EXPR}"}
		}
		if _, err := s.parseAt(expr, pc); err != nil {
			return m, ofMessage(expr, err)
		}
		m.exprs = append(m.exprs, expr)
		text = after
	}
}

// ofMessage says which expression of a message an error is about.
func ofMessage(expr string, err error) error {
	if list, ok := errors.AsType[source.Diagnostics](err); ok && len(list) > 0 {
		return &fault.Error{Kind: ErrRequest, Subject: "{" + expr + "}", Detail: list[0].Message, Fix: list[0].Fix}
	}
	return err
}

// report gives the message of a breakpoint for a lane of the workgroup that ran.
func (s arrivals) report(b *Breakpoint, ran uint64, l int) {
	if s.onReport == nil {
		return
	}
	group, lane := s.groupAt, s.lane
	defer func() { s.groupAt, s.lane = group, lane }()
	s.groupAt, s.lane = ran, l
	var text strings.Builder
	for i, t := range b.log.texts {
		text.WriteString(t)
		if i < len(b.log.exprs) {
			text.WriteString(s.arrivals().reported(b, b.log.exprs[i]))
		}
	}
	here := s.Here(AtBreak)
	s.onReport(Report{b.ID, here.Pos, ran, l, s.m.now, text.String()})
}

// reported is the value of an expression of a log message, or why there is none.
func (s arrivals) reported(b *Breakpoint, expr string) string {
	x := s.arrivals().parsed(b, expr)
	if x == nil {
		return "{" + expr + ": has no value here}"
	}
	v, err := s.scope().eval(x)
	if err != nil {
		return "{" + expr + ": has no value here}"
	}
	return v.String()
}
