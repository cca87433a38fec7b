package inspect

import (
	"context"
	"fmt"
	"strings"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/command"
)

// BreakpointsSchema names the document of the breakpoints of a target.
const BreakpointsSchema = "vyretop.breakpoints/1"

// BreakpointTable is the table of breakpoints.
var BreakpointTable = Table[breakpoint.Status]{
	{"id", func(b *breakpoint.Status) any { return num(b.ID) }},
	{"enabled", func(b *breakpoint.Status) any { return b.Enabled }},
	{"pending", func(b *breakpoint.Status) any { return b.Pending }},
	{"compiling", func(b *breakpoint.Status) any { return b.Compiling }},
	{"action", func(b *breakpoint.Status) any { return b.Action.String() }},
	{"hits", func(b *breakpoint.Status) any { return b.Hits }},
	{"workers", func(b *breakpoint.Status) any { return byWorker(b) }},
	{"task", func(b *breakpoint.Status) any {
		if b.Hits == 0 {
			return nil
		}
		return taskID(b.Task)
	}},
	{"every", func(b *breakpoint.Status) any { return num(b.Every) }},
	{"after", func(b *breakpoint.Status) any { return num(b.After) }},
	{"armed_us", func(b *breakpoint.Status) any { return num(uint64(b.Latency.Microseconds())) }},
	{"condition", func(b *breakpoint.Status) any { return b.Condition }},
}

// byWorker says how often each worker has hit a breakpoint: "0:12 3:7".
func byWorker(b *breakpoint.Status) any {
	if len(b.Workers) == 0 {
		return nil
	}
	words := make([]string, len(b.Workers))
	for i, w := range b.Workers {
		words[i] = fmt.Sprintf("%d:%d", w.Worker, w.Hits)
	}
	return strings.Join(words, " ")
}

// Breakpoints lists the breakpoints of a live target as of its newest snapshot, which was taken.
func Breakpoints(s Subject) ([]breakpoint.Status, error) {
	if b, ok := s.(interface{ Breakpoints() []breakpoint.Status }); ok {
		return b.Breakpoints(), nil
	}
	return nil, &fault.Error{Kind: ErrSubject, Subject: string(s.Kind()), Detail: "only a live run has breakpoints", Fix: "name one, or try a breakpoint over the recording with --dry-run"}
}

// TryBreakpoint tries a breakpoint, as command.ParseBreakpoint reads it, on the samples of a recording, or of a live run for a time;
// 0: until it ends. Errors are those of reading the breakpoint and of the subject.
func TryBreakpoint(ctx context.Context, s Subject, text string, span time.Duration) (*breakpoint.Trial, error) {
	b, err := command.ParseBreakpoint(text)
	if err != nil {
		return nil, err
	}
	if b.Program, err = command.CompileCondition(b.Condition, s.Header().Target.Opcodes); err != nil {
		return nil, err
	}
	t := &breakpoint.Trial{Breakpoint: b}
	if s.Kind() == Live {
		s = Briefly(s, span)
	}
	return t, s.Follow(ctx, func(m *fixtures.StreamMessage) error {
		if m.Snapshot != nil {
			t.Add(m.Snapshot)
		}
		return nil
	})
}
