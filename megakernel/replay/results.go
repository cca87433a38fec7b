package replay

import (
	"maps"
	"slices"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Results compares the words with which published tasks ended.
type Results struct {
	Compared  int               `json:"compared"` // tasks
	Different int               `json:"different"`
	First     *ResultDifference `json:"first,omitempty"`   // of the task with the lowest ID; nil where all are equal
	Skipped   string            `json:"skipped,omitempty"` // why they were not compared; "" where they were
}

// ResultDifference is a word with which a task ended that differs.
type ResultDifference struct {
	Task     uint32 `json:"task"`
	Word     string `json:"word"` // state, or as package tasks calls a word of the slot
	Recorded uint32 `json:"recorded"`
	Now      uint32 `json:"now"`
}

// results are how published tasks ended, by ID. Two tasks of the same ID cannot be told apart and are left out.
type results struct {
	by    map[uint32]megakernel.Completion
	twice map[uint32]bool
}

func newResults() *results {
	return &results{by: map[uint32]megakernel.Completion{}, twice: map[uint32]bool{}}
}

func (r *results) add(c megakernel.Completion) {
	c.Worker = 0
	if _, ok := r.by[c.Task]; ok || r.twice[c.Task] {
		delete(r.by, c.Task)
		r.twice[c.Task] = true
		return
	}
	r.by[c.Task] = c
}

// count is how many tasks have ended.
func (r *results) count() int { return len(r.by) + len(r.twice) }

// recordedResults are those of a recording.
func recordedResults(rec *fixtures.Recording) *results {
	r := newResults()
	for c := range rec.Results() {
		r.add(c)
	}
	return r
}

// compareResults compares the results that the recording has.
func (r *Result) compareResults(p *plan, recorded, now *results) {
	out := &r.Results
	switch {
	case p.header.Start.UnorderedResults:
		out.Skipped = "they depend on the order in which tasks ran"
		return
	case len(recorded.by) == 0:
		out.Skipped = "the recording does not have them"
		return
	}
	for _, id := range slices.Sorted(maps.Keys(recorded.by)) {
		is, ok := now.by[id]
		if !ok {
			continue // the count of tasks tells
		}
		out.Compared++
		d, ok := resultsDiffer(recorded.by[id], is)
		if !ok {
			continue
		}
		if out.Different++; out.First == nil {
			out.First = &d
		}
		r.note(place{task: d.Task, word: d.Word, recorded: d.Recorded, now: d.Now})
	}
}

// resultsDiffer finds the first word that differs.
func resultsDiffer(was, is megakernel.Completion) (ResultDifference, bool) {
	for _, w := range []struct {
		word     string
		was, now uint32
	}{
		{tasks.WordNames[tasks.WordState], uint32(was.State), uint32(is.State)},
		{tasks.WordNames[tasks.WordContinuationData], was.Code, is.Code},
		{tasks.WordNames[tasks.WordOutputHandle], was.Output, is.Output},
		{tasks.WordNames[tasks.WordParam], was.Param, is.Param},
	} {
		if w.was != w.now {
			return ResultDifference{was.Task, w.word, w.was, w.now}, true
		}
	}
	return ResultDifference{}, false
}
