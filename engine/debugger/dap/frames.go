package dap

import (
	"fmt"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
)

// stackTrace lists the open calls of a lane, innermost first.
func stackTrace(s *server, a dap.StackTraceArguments) (any, error) {
	if a.ThreadId < 1 {
		return nil, unknownThread(a.ThreadId)
	}
	body := dap.StackTraceResponseBody{StackFrames: []dap.StackFrame{}}
	if s.program == nil {
		return body, nil
	}
	c := s.context(a.ThreadId)
	err := debugger.In(s.program.Session, c, func() error {
		all := s.program.Session.Stack()
		body.TotalFrames = len(all)
		from := min(max(a.StartFrame, 0), len(all))
		to := len(all)
		if a.Levels > 0 {
			to = min(to, from+min(a.Levels, to))
		}
		for i := from; i < to; i++ {
			body.StackFrames = append(body.StackFrames, s.stackFrame(c, i, all[i]))
		}
		return nil
	})
	return body, err
}

func (s *view) stackFrame(c debugger.Context, depth int, f debugger.Frame) dap.StackFrame {
	c.Frame = depth
	out := dap.StackFrame{
		Id: s.refs.id(node{kind: frameNode, in: c}), Name: f.Func, Source: s.source(f.Pos.File),
		Line: s.lineOut(f.Pos.Line), Column: s.columnOut(f.Pos.Col),
	}
	if _, listed := s.references[f.Pos.File]; !listed && !s.onDisk() {
		out.PresentationHint = "subtle" // of the kernel around handlers, whose text no client has
	}
	if pc, ok := debugger.PC(s.program.Session); ok && depth == 0 {
		out.InstructionPointerReference = address(pc)
	}
	return out
}

// scopes lists what a frame sees.
func scopes(s *server, a dap.ScopesArguments) (any, error) {
	c, err := s.frame(a.FrameId)
	if err != nil {
		return nil, err
	}
	session := s.program.Session
	body := dap.ScopesResponseBody{Scopes: []dap.Scope{}}
	add := func(name, hint string, k nodeKind, n int) {
		if n > 0 {
			body.Scopes = append(body.Scopes, dap.Scope{Name: name, PresentationHint: hint, VariablesReference: s.refs.id(node{kind: k, in: c}), NamedVariables: n})
		}
	}
	err = debugger.In(session, c, func() error {
		body.Scopes = append(body.Scopes, dap.Scope{Name: "Locals", PresentationHint: "locals", VariablesReference: s.refs.id(node{kind: localScope, in: c}), NamedVariables: len(localNames(session))})
		add("Shared", "", sharedScope, len(debugger.SharedNames(session)))
		add("Buffers", "", bufferScope, len(session.Buffers()))
		add("Constants", "", constantScope, len(debugger.ConstantNames(session)))
		add("Built-ins", "registers", builtinScope, len(debugger.Builtins))
		return nil
	})
	return body, err
}

// localNames lists the variables in scope by name, each once.
func localNames(session *debugger.Session) []string {
	var list []string
	seen := map[string]bool{}
	for _, v := range session.Locals() {
		if !seen[v.Name] {
			seen[v.Name] = true
			list = append(list, v.Name)
		}
	}
	return list
}

// lineIn and lineOut convert between the client's lines and those from 1 on; columnOut does so for columns.
func (s *view) lineIn(line int) int {
	if s.client.LinesStartAt1 {
		return line
	}
	return line + 1
}

func (s *view) lineOut(line int) int {
	if s.client.LinesStartAt1 || line == 0 {
		return line
	}
	return line - 1
}

func (s *view) columnOut(column int) int {
	if s.client.ColumnsStartAt1 || column == 0 {
		return column
	}
	return column - 1
}

func quote(text string) string { return fmt.Sprintf("%.60q", text) }
