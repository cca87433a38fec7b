package profile

import (
	"cmp"
	"slices"
)

// Row is what a line or a function has executed.
type Row struct {
	Frame             // of a line: File and Line; of a function: Func
	Counts            // its own
	Cumulative uint64 `json:"cumulative_steps"` // with what it called
}

// Lines are the lines that have executed something or called what has, those with the most steps first.
func (p *Profile) Lines() []Row {
	rows := p.rows(func(f Frame) Frame { return Frame{File: f.File, Line: f.Line} })
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Steps, a.Steps), cmp.Compare(b.Cumulative, a.Cumulative), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return rows
}

// Functions are the functions that have executed something, those with the most steps, callees included, first.
func (p *Profile) Functions() []Row {
	rows := p.rows(func(f Frame) Frame { return Frame{Func: f.Func} })
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Cumulative, a.Cumulative), cmp.Compare(b.Steps, a.Steps), cmp.Compare(a.Func, b.Func))
	})
	return rows
}

// Handlers are the functions that everything else was called from, main or those of tasks, by what was executed in all of their calls.
func (p *Profile) Handlers() []Row {
	outer := &Profile{}
	for i := range p.Samples {
		s := &p.Samples[i]
		outer.Samples = append(outer.Samples, Sample{Stack: s.Stack[len(s.Stack)-1:], Counts: s.Counts})
	}
	return outer.Functions()
}

// rows sums the samples by what key makes of their frames.
func (p *Profile) rows(key func(Frame) Frame) []Row {
	at := map[Frame]int{}
	var rows []Row
	for i := range p.Samples {
		s := &p.Samples[i]
		var seen []Frame
		for depth, f := range s.Stack {
			k := key(f)
			n, ok := at[k]
			if !ok {
				n = len(rows)
				at[k] = n
				rows = append(rows, Row{Frame: k})
			}
			if depth == 0 {
				rows[n].add(s.Counts)
			}
			if !slices.Contains(seen, k) { // recursion, and calls of one line, count once
				seen = append(seen, k)
				rows[n].Cumulative += s.Steps
			}
		}
	}
	return rows
}
