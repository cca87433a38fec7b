package run

import (
	"fmt"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/workload"
)

// startOf is what a recording says of how a run begins, so that it can be executed again.
func startOf(setup *workload.Setup, devices int) *fixtures.Start {
	s := &fixtures.Start{Activation: setup.Iterations, Observables: setup.Observables, UnorderedSpawns: setup.UnorderedSpawns, UnorderedResults: setup.UnorderedResults}
	words := 0
	for _, b := range setup.Buffers {
		words += len(b.Initial)
		s.Buffers = append(s.Buffers, fixtures.StartBuffer{
			Name: b.Name, Binding: b.Binding, Words: b.Words, Initial: len(b.Initial), HostVisible: b.HostVisible, Unordered: b.Unordered,
		})
	}
	switch {
	case setup.HostDriven != "" && setup.HostWrites == 0:
		s.Incomplete = setup.HostDriven
	case setup.HostWrites > fixtures.KeptOfAll:
		s.Incomplete = fmt.Sprintf("the host writes some %d MiB into its buffers, and at most %d MiB are recorded", setup.HostWrites>>18, mostHostInputs>>20)
	case devices > 1:
		s.Incomplete = "which of its devices got which task is not recorded"
	case words > fixtures.KeptOfAll:
		s.Incomplete = fmt.Sprintf("its buffers begin with %d words, and at most %d are recorded", words, fixtures.KeptOfAll)
	}
	if s.Incomplete == "" && setup.Pages != nil {
		startPages(s, setup.Pages)
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
