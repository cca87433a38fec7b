package dap

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/attach"
)

// liveBreak is a breakpoint of the client in a run.
type liveBreak struct {
	id   int          // for the client
	want attach.Break // with its number in the run when it is set
	of   string       // what lists it: the name of a file, dataBreaks or exceptions
	set  bool         // the run has acknowledged it
	gone bool         // the client does not list it any longer
	why  string       // it could not be set
}

// What lists breakpoints besides files.
const (
	dataBreaks = "data breakpoints"
	exceptions = "exceptions"
)

// liveSet is what became of a breakpoint that was to be set.
type liveSet struct {
	b   *liveBreak
	got attach.Break
	err error
}

// compiling is said of a breakpoint that is not in force yet.
const compiling = "not in force yet: the run compiles a kernel for it"

// place is a breakpoint without its number.
func place(b attach.Break) attach.Break {
	b.ID = 0
	return b
}

// breakOf is the client's breakpoint that holds a task. It may be in force before the session knows its number.
func (s *view) breakOf(b attach.Break) *liveBreak {
	i := slices.IndexFunc(s.live.breaks, func(x *liveBreak) bool { return x.want.ID == b.ID && x.set || !x.set && place(x.want) == place(b) })
	if i < 0 {
		return nil
	}
	return s.live.breaks[i]
}

// list makes the breakpoints of a list those that the client wants; each is found or an error.
func (s attached) list(of string, wanted []wantedBreak) []dap.Breakpoint {
	before := map[*liveBreak]bool{}
	for _, b := range s.live.breaks {
		if b.of == of && !b.gone && b.why == "" {
			before[b] = true
		}
	}
	body := []dap.Breakpoint{}
	for i, w := range wanted {
		if i >= maxBreakpoints {
			w.err = invalid(fmt.Sprintf("there can be %d breakpoints", maxBreakpoints), "remove some")
		}
		body = append(body, s.want(of, w, before))
	}
	for b, unwanted := range before {
		if unwanted {
			s.unset(b)
		}
	}
	if s.program != nil {
		s.mirrorBreaks()
	}
	return body
}

// wantedBreak is a breakpoint that a client lists, or why it cannot be.
type wantedBreak struct {
	attach.Break
	line int // as the client has it
	err  error
}

// want finds or sets a breakpoint; one that is found is taken out of those to remove.
func (s attached) want(of string, w wantedBreak, before map[*liveBreak]bool) dap.Breakpoint {
	if w.err == nil && s.launch.NoDebug {
		return dap.Breakpoint{Message: "attached without debugging"}
	}
	if w.err == nil {
		w.Break, w.err = s.live.run.Find(w.Break)
	}
	if w.err != nil {
		return dap.Breakpoint{Message: reason(w.err), Source: s.source(w.File), Line: w.line}
	}
	for b, free := range before {
		if free && place(b.want) == place(w.Break) {
			before[b] = false
			return s.describe(b)
		}
	}
	s.live.lastID++
	b := &liveBreak{id: s.live.lastID, want: w.Break, of: of}
	s.live.breaks = append(s.live.breaks, b)
	l, run, ctx, want := s.live, s.live.run, s.ctx, b.want
	l.changes.Add(1)
	go func() {
		got, err := run.Set(ctx, want)
		l.changes.Done()
		select {
		case l.results <- liveSet{b, got, err}:
		case <-ctx.Done():
		}
	}()
	return s.describe(b)
}

// reason is an error as a breakpoint shows it: with what to do, as a list of names may be in it.
func reason(err error) string {
	text := whole(err).Error()
	if _, after, ok := strings.Cut(text, string(ErrRequest)+": "); ok {
		text = after
	}
	return text
}

// unset removes a breakpoint from the run, without waiting for it.
func (s attached) unset(b *liveBreak) {
	b.gone = true
	s.live.breaks = slices.DeleteFunc(s.live.breaks, func(x *liveBreak) bool { return x == b && x.set })
	run, ctx, want := s.live.run, s.ctx, b.want
	s.live.changes.Go(func() {
		if err := run.Clear(ctx, want); err != nil && ctx.Err() == nil {
			s.say("stderr", err.Error())
		}
	})
}

// describe tells the client of a breakpoint.
func (s *view) describe(b *liveBreak) dap.Breakpoint {
	out := dap.Breakpoint{Id: b.id, Verified: b.set, Message: b.why}
	if b.want.Line != 0 {
		out.Source, out.Line = s.source(b.want.File), s.lineOut(b.want.Line)
	}
	switch {
	case !b.set && b.why == "":
		out.Message = compiling
	case b.set && b.want.Asked != 0:
		out.Message = fmt.Sprintf("no statement begins on line %d, the breakpoint is at line %d", s.lineOut(b.want.Asked), out.Line)
	}
	return out
}

// wasSet takes note of what became of a breakpoint, and tells the client.
func (s attached) wasSet(r liveSet) {
	b := r.b
	b.set, b.want.ID = r.err == nil, r.got.ID
	if r.err != nil {
		b.why = reason(r.err)
	}
	if b.gone && b.set {
		s.unset(b)
	}
	if b.gone || r.err != nil {
		s.live.breaks = slices.DeleteFunc(s.live.breaks, func(x *liveBreak) bool { return x == b })
	}
	if !b.gone && s.phase < over {
		s.out.event("breakpoint", dap.BreakpointEventBody{Reason: "changed", Breakpoint: s.describe(b)})
	}
}

// takeResults takes note of all that is known by now.
func (s attached) takeResults() {
	for {
		select {
		case r := <-s.live.results:
			s.wasSet(r)
		default:
			return
		}
	}
}

// clearPending removes the breakpoints that the run has not acknowledged, and waits for all changes that are under way; those that
// it has are removed on detaching.
func (s attached) clearPending(ctx context.Context, run attach.Run) {
	s.takeResults()
	for _, b := range s.live.breaks {
		if !b.set {
			if err := run.Clear(ctx, b.want); err != nil {
				s.say("stderr", err.Error())
			}
		}
	}
	changed := make(chan struct{})
	go func() {
		s.live.changes.Wait()
		close(changed)
	}()
	select {
	case <-changed:
	case <-ctx.Done():
	}
}

// mirrorBreaks has the open session stop at the lines at which the run holds tasks. Hits of the run are activations, and the
// session cannot count these.
func (s attached) mirrorBreaks() {
	session := s.program.Session
	for _, b := range session.Breakpoints() {
		if !b.Statement {
			session.Clear(b.ID)
		}
	}
	s.live.mirror = map[int]int{}
	for _, b := range s.live.breaks {
		if b.want.Line == 0 || b.gone || b.want.Hits.Op != "" || b.want.Log != "" {
			continue
		}
		if own, err := session.Break(b.want.File, b.want.Line, debugger.BreakOptions{Condition: b.want.If}); err == nil {
			s.live.mirror[own.ID] = b.id
		}
	}
}

// setLiveBreakpoints makes the breakpoints of a file those that the client lists.
func (s attached) setLiveBreakpoints(file string, a dap.SetBreakpointsArguments) []dap.Breakpoint {
	s.openAs(file, a.Source.Path)
	var list []wantedBreak
	for _, x := range a.Breakpoints {
		o, err := breakOptions(x)
		list = append(list, wantedBreak{attach.Break{File: file, Line: s.lineIn(x.Line), If: o.Condition, Hits: o.Hits, Log: o.Log}, x.Line, err})
	}
	return s.list(file, list)
}

// watchID begins the ID of a value that is watched in the run; it means the same in another session.
const watchID = "run: "

// liveWatch is the answer about a value that the run can watch; false where it cannot.
func (s attached) liveWatch(expr string) (dap.DataBreakpointInfoResponseBody, error) {
	_, err := s.live.run.Find(attach.Break{Watch: expr})
	if err != nil {
		return dap.DataBreakpointInfoResponseBody{Description: reason(err)}, err
	}
	return dap.DataBreakpointInfoResponseBody{DataId: watchID + expr, Description: expr + ", in the run", AccessTypes: []dap.DataBreakpointAccessType{"write"}, CanPersist: true}, nil
}

// liveData are the data breakpoints of a list that are of the run.
func (s attached) liveData(a dap.SetDataBreakpointsArguments) (list []wantedBreak) {
	for _, x := range a.Breakpoints {
		expr, ok := strings.CutPrefix(x.DataId, watchID)
		if !ok {
			continue
		}
		o, err := breakOptions(dap.SourceBreakpoint{Condition: x.Condition, HitCondition: x.HitCondition})
		if x.AccessType != "" && x.AccessType != "write" {
			err = invalid("only writes can be watched", "choose write")
		}
		list = append(list, wantedBreak{Break: attach.Break{Watch: expr, If: o.Condition, Hits: o.Hits}, err: err})
	}
	return list
}
