package pane

import (
	"maps"

	"vyretop/megakernel/policy"
	"vyretop/megakernel/tune"
)

// LaunchState is what the user asks in the launch view.
type LaunchState struct {
	Selected int
	WhatIf   map[int]uint64   // by number in policy.Members: the value that takes the place of the observed one
	Compared *tune.Comparison // the last comparison of two shapes, or nil
	Steers   bool             // the target can be given shapes
	Top      int              // rows of the reasons that are scrolled away
}

// Suppose puts a value in the place of the observed one.
func (s *LaunchState) Suppose(i int, value uint64) {
	s.WhatIf = maps.Clone(s.WhatIf)
	if s.WhatIf == nil {
		s.WhatIf = map[int]uint64{}
	}
	s.WhatIf[i] = min(value, policy.Members[i].Most)
}

// topInput is the first input that is drawn in a number of rows: the selected one is among them.
func (s *LaunchState) topInput(rows int) int { return max(s.Selected+1-max(rows, 1), 0) }
