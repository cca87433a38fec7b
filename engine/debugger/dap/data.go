package dap

import (
	"fmt"
	"strings"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
)

// dataPlaces are the places that a client may watch, by the ID that dataBreakpointInfo gave.
type dataPlaces struct {
	known map[string]*debugger.Watchpoint
	order []string // IDs, the oldest first
	last  int
	set   []string // IDs of those that are watched
}

// maxPlaces bounds the places kept; the oldest that is not watched goes first.
const maxPlaces = 2 * maxBreakpoints

// firstDataID keeps the numbers of data breakpoints apart from those of line breakpoints.
const firstDataID = 1 << 20

// add keeps a place and gives its ID.
func (d *dataPlaces) add(w *debugger.Watchpoint) string {
	if d.known == nil {
		d.known = map[string]*debugger.Watchpoint{}
	}
	for i := 0; len(d.known) >= maxPlaces && i < len(d.order); i++ {
		if id := d.order[i]; !d.watched(id) {
			delete(d.known, id)
			d.order = append(d.order[:i:i], d.order[i+1:]...)
			break
		}
	}
	d.last++
	id := fmt.Sprintf("%d: %s", d.last, w.Expr)
	d.known[id], d.order = w, append(d.order, id)
	return id
}

func (d *dataPlaces) watched(id string) bool {
	for _, s := range d.set {
		if s == id {
			return true
		}
	}
	return false
}

// ids are the numbers of the data breakpoints on a place.
func (d *dataPlaces) ids(w *debugger.Watchpoint) []int {
	var list []int
	for i, id := range d.set {
		if d.known[id] == w {
			list = append(list, firstDataID+i)
		}
	}
	return list
}

// dataBreakpointInfo finds the place of a child of a node, or of an expression. What cannot be watched is an answer, too.
func dataBreakpointInfo(s *server, a dap.DataBreakpointInfoArguments) (any, error) {
	in, expr := debugger.Context{}, a.Name
	var err error
	if a.VariablesReference != 0 && s.program != nil {
		var n node
		if n, err = s.refs.node(a.VariablesReference); err == nil {
			in = n.in
			expr, err = s.childExpr(n, a.Name)
		}
	} else if s.program != nil {
		in, err = s.frame(a.FrameId)
	}
	if err == nil && len(expr) > maxExpression {
		err = invalid("the expression is longer than 4096 bytes", "name a place")
	}
	if err == nil && s.live != nil {
		if body, none := s.onRun().liveWatch(expr); none == nil || s.program == nil {
			return body, nil
		}
	}
	var w *debugger.Watchpoint
	if err == nil {
		err = debugger.In(s.program.Session, in, func() (err error) {
			w, err = debugger.FindWatchpoint(s.program.Session, expr)
			return err
		})
	}
	if err != nil {
		return dap.DataBreakpointInfoResponseBody{Description: brief(err)}, nil
	}
	return dap.DataBreakpointInfoResponseBody{DataId: s.data.add(w), Description: expr, AccessTypes: []dap.DataBreakpointAccessType{"write"}}, nil
}

// setDataBreakpoints makes the watched places those that the client lists.
func setDataBreakpoints(s *server, a dap.SetDataBreakpointsArguments) (any, error) {
	body := dap.SetDataBreakpointsResponseBody{Breakpoints: []dap.Breakpoint{}}
	var list []*debugger.Watchpoint
	var inRun []dap.Breakpoint
	if s.live != nil {
		inRun = s.onRun().list(dataBreaks, s.onRun().liveData(a))
	}
	s.data.set = nil
	for i, want := range a.Breakpoints {
		if s.live != nil && strings.HasPrefix(want.DataId, watchID) {
			body.Breakpoints, inRun = append(body.Breakpoints, inRun[0]), inRun[1:]
			continue
		}
		w, why := s.data.known[want.DataId], ""
		switch {
		case i >= maxBreakpoints:
			why = fmt.Sprintf("there can be %d data breakpoints", maxBreakpoints)
		case w == nil:
			why = "the place is of another session: select it again"
		case want.AccessType != "" && want.AccessType != "write":
			why = "only writes can be watched"
		case want.Condition != "" || want.HitCondition != "":
			why = "data breakpoints have no conditions"
		case s.launch.NoDebug:
			why = "launched without debugging"
		}
		if why != "" {
			body.Breakpoints = append(body.Breakpoints, dap.Breakpoint{Message: why})
			continue
		}
		body.Breakpoints = append(body.Breakpoints, dap.Breakpoint{Id: firstDataID + len(s.data.set), Verified: true})
		s.data.set = append(s.data.set, want.DataId)
		list = append(list, w)
	}
	if s.program != nil {
		debugger.SetWatchpoints(s.program.Session, list...)
	}
	return body, nil
}
