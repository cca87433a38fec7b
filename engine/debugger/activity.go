package debugger

import (
	"slices"

	"vyretop/engine/fault"
	"vyretop/engine/profile"
	"vyretop/engine/reference/vm"
)

// activity counts what a session has executed: a machine of its own runs the history once more, with hooks around the instructions.
type activity struct {
	m       *machine
	counts  *profile.Profiler
	entries int // of the history that it has
}

// Activity is what each line has executed in the history of a session: up to the latest time at which it has been since a value was
// set, whether it stands there or was moved back. What is skipped is not counted.
func Activity(s *Session) (*profile.Profile, error) {
	a, err := activityNow(s)
	if err != nil {
		return nil, err
	}
	a.m.log, a.m.end, a.entries = s.m.log, s.m.end, len(s.m.log)
	a.m.at, _ = slices.BinarySearchFunc(a.m.log, a.m.now, func(e entry, now uint64) int {
		if e.start <= now {
			return -1
		}
		return 1
	})
	a.m.at = max(0, a.m.at-1)
	none := make([]bool, len(s.code().Instrs))
	for a.m.past() {
		if s.ctx.Err() != nil {
			return nil, &fault.Error{Kind: ErrRequest, Detail: "counting what the lines have executed was interrupted", Fix: "try again"}
		}
		a.m.forward(0, turn, none)
	}
	p := a.counts.Profile()
	p.Samples = slices.DeleteFunc(p.Samples, func(x profile.Sample) bool { return s.skip(x.Stack[0].File) })
	return p, nil
}

// activityNow is the count that was made up to some time, or one that begins again: values that were set, and a history that was cut,
// are not in the one there is.
func activityNow(s *Session) (*activity, error) {
	a := s.activity
	if a != nil && a.m.now <= s.m.end && !slices.ContainsFunc(s.m.log[min(a.entries, len(s.m.log)):], func(e entry) bool { return e.act == actPoke }) {
		return a, nil
	}
	buffers := map[uint32][]uint32{}
	first := s.m.points.list[0]
	for i, x := range s.code().Spaces {
		if !x.Shared {
			buffers[x.Binding] = join(first.memory[i])
		}
	}
	linked, memory, err := link(s.m.verified, s.m.lowered, buffers)
	if err != nil {
		return nil, err
	}
	counts := profile.New(profile.Roles{})
	m := &machine{lowered: s.m.lowered, verified: s.m.verified, written: slices.Clone(s.m.written), grid: s.m.grid, total: s.m.total, budget: s.m.budget, groups: map[uint64]*vm.Group{}}
	m.linked, m.memory = linked.Hooked(counts.Hooks(s.tree, s.m.lowered)), memory
	s.activity = &activity{m: m, counts: counts}
	return s.activity, nil
}

// Executed is what one line has executed.
type Executed struct {
	Steps uint64
	Share float64 // of the steps of all lines
	Lanes float64 // that took part on average
}

// ExecutedLines is the Activity of the lines of a file, by number, and the lanes of a workgroup.
func ExecutedLines(s *Session, file string) (lines map[int]Executed, of int, err error) {
	p, err := Activity(s)
	if err != nil {
		return nil, 0, err
	}
	lines = map[int]Executed{}
	total := float64(p.Total().Steps)
	for _, l := range p.Lines() {
		if l.File == file && l.Steps > 0 {
			lines[l.Line] = Executed{l.Steps, float64(l.Steps) / total, l.Active()}
		}
	}
	return lines, p.Width, nil
}
