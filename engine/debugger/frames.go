package debugger

import (
	"fmt"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// Context says where names have their meaning.
type Context struct {
	Group uint64
	Lane  int
	Frame int // open call, 0 for the innermost
}

// Selected is the context of the selected lane.
func Selected(s *Session) Context { return Context{s.groupAt, s.lane, 0} }

// In calls f with a context selected, and selects again what was before. f must not move the session. A workgroup that
// has not begun, and one that has gone, is ErrRequest, as is a lane that does not exist.
func In(s *Session, c Context, f func() error) error {
	switch lanes := s.code().Lanes(); {
	case c.Group != s.groupAt && s.m.group(c.Group) == nil:
		return unsupported(fmt.Sprintf("workgroup %d is not under way at this time", c.Group), "select one that is, or go to another time")
	case c.Lane < 0 || c.Lane >= lanes:
		return unsupported(fmt.Sprintf("lane %d does not exist", c.Lane), fmt.Sprintf("use lanes below %d", lanes))
	}
	before := Context{s.groupAt, s.lane, s.frame}
	s.groupAt, s.lane, s.frame = c.Group, c.Lane, c.Frame
	defer func() { s.groupAt, s.lane, s.frame = before.Group, before.Lane, before.Frame }()
	return f()
}

// TypeOf is the type of an expression for the selected lane.
func TypeOf(s *Session, expr string) (*tree.Type, error) {
	x, err := s.scope().parse(expr)
	if err != nil {
		return nil, err
	}
	return x.Type(), nil
}

// IsPlace reports whether members, components and elements of an expression can be evaluated one by one.
func IsPlace(s *Session, expr string) bool {
	x, err := s.scope().parse(expr)
	if err != nil {
		return false
	}
	if ref, ok := x.(*tree.VarRef); ok && ref.Var.Value != nil {
		return x.Type().IsArray()
	}
	_, err = s.scope().locate(x)
	return err == nil
}

// SharedNames lists the shared variables of the kernel.
func SharedNames(s *Session) []string { return names(s.tree.Shared) }

// ConstantNames lists the constants of the kernel.
func ConstantNames(s *Session) []string { return names(s.tree.Constants) }

func names(list []*tree.Variable) []string {
	var out []string
	for _, v := range list {
		out = append(out, v.Name)
	}
	return out
}

// UnderWay lists the numbers of the workgroups that have begun and not ended, ascending.
func UnderWay(s *Session) []uint64 {
	var list []uint64
	for _, n := range s.run().order(0) {
		if g := s.m.groups[n]; g.State() != vm.Ended {
			list = append(list, n)
		}
	}
	return list
}

// Finished reports whether every workgroup of the dispatch has ended.
func Finished(s *Session) bool {
	_, more := s.run().unbegun()
	return !more && len(UnderWay(s)) == 0
}
