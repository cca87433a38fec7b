package dap

import (
	"fmt"
	"slices"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
)

// lanes is how many lanes a workgroup has.
func (s *view) lanes() int { return len(s.program.Session.Active()) }

// threadID numbers the lanes of all workgroups from 1 on.
func (s *view) threadID(c debugger.Context) int { return int(c.Group)*s.lanes() + c.Lane + 1 }

func (s *view) context(thread int) debugger.Context {
	n := s.lanes()
	return debugger.Context{Group: uint64((thread - 1) / n), Lane: (thread - 1) % n}
}

// selectThread makes the lane of a thread the one that moves.
func (s *server) selectThread(thread int) error {
	if s.program == nil {
		return nil // the run as a whole is held
	}
	c := s.context(thread)
	if thread < 1 {
		return unknownThread(thread)
	}
	session := s.program.Session
	if at := debugger.Selected(session); at.Group == c.Group && at.Lane == c.Lane {
		return nil
	}
	// In refuses what has not begun; Select would begin it.
	if err := debugger.In(session, c, func() error { return nil }); err != nil {
		return err
	}
	return session.Select(c.Group, c.Lane)
}

func unknownThread(thread int) error {
	return invalid(fmt.Sprintf("thread %d not found", thread), "use a thread that threads lists")
}

// threads lists the threads as they were at the last stop.
func threads(s *server, _ request) (any, error) {
	switch {
	case s.live != nil && s.program == nil:
		s.threads = s.listWorkers()
	case s.run == nil:
		s.threads = s.listThreads()
	}
	return dap.ThreadsResponseBody{Threads: s.threads}, nil
}

// listThreads lists the lanes of the selected workgroup, and a thread for each other one under way.
func (s *view) listThreads() []dap.Thread {
	switch {
	case s.live != nil && s.program == nil:
		return s.listWorkers()
	case s.live != nil:
		return s.listLanes()
	}
	session := s.program.Session
	at := debugger.Selected(session)
	under := debugger.UnderWay(session)
	var list []dap.Thread
	if !slices.Contains(under, at.Group) {
		list = append(list, dap.Thread{Id: s.threadID(at), Name: fmt.Sprintf("workgroup %d, lane %d (ended)", at.Group, at.Lane)})
	}
	for _, g := range under {
		if g != at.Group {
			list = append(list, dap.Thread{Id: s.threadID(debugger.Context{Group: g}), Name: fmt.Sprintf("workgroup %d", g)})
			continue
		}
		for lane, active := range session.Active() {
			name := fmt.Sprintf("workgroup %d, lane %d", g, lane)
			if !active {
				name += " (inactive)"
			}
			list = append(list, dap.Thread{Id: s.threadID(debugger.Context{Group: g, Lane: lane}), Name: name})
		}
	}
	return list
}
