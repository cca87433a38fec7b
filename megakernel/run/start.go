package run

import (
	"fmt"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/workload"
)

// startOf is what a recording says of how a run begins, so that it can be executed again.
func startOf(setup *workload.Setup, devices int) *fixtures.Start {
	s := &fixtures.Start{Activation: setup.Iterations, Observables: setup.Observables, UnorderedSpawns: setup.UnorderedSpawns, UnorderedResults: setup.UnorderedResults, Incomplete: setup.HostDriven}
	words := 0
	for _, b := range setup.Buffers {
		words += len(b.Initial)
		s.Buffers = append(s.Buffers, fixtures.StartBuffer{
			Name: b.Name, Binding: b.Binding, Words: b.Words, Initial: len(b.Initial), HostVisible: b.HostVisible, Unordered: b.Unordered,
		})
	}
	switch {
	case s.Incomplete != "":
	case devices > 1:
		s.Incomplete = "which of its devices got which task is not recorded"
	case setup.Pages != nil:
		s.Incomplete = "the contents of the files that its tasks read are not recorded"
	case words > fixtures.KeptOfAll:
		s.Incomplete = fmt.Sprintf("its buffers begin with %d words, and at most %d are recorded", words, fixtures.KeptOfAll)
	}
	if s.Incomplete != "" {
		for i := range s.Buffers {
			s.Buffers[i].Initial = 0
		}
	}
	return s
}

// recordResults records how published tasks ended.
func (r *Run) recordResults(list []megakernel.Completion) {
	r.injected.ended(list)
	if r.recorder != nil {
		r.recorder.Completed(list)
	}
}

// recordStart records what the buffers held before the first slice, as far as that is of use.
func recordStart(w *fixtures.Writer, setup *workload.Setup, s *fixtures.Start) {
	for i, b := range setup.Buffers {
		w.Initial(b.Name, b.Initial[:s.Buffers[i].Initial])
	}
}
