package taskcheck

import (
	"path/filepath"
	"strings"
	"testing"

	"vyretop/megakernel/run"
)

// TestExamples: of the bugs in docs/examples the checkers find the race, and end the run that waits for an epoch that nothing advances: it
// ran for the whole time that it had. The mended ones have no findings.
func TestExamples(t *testing.T) {
	for name, want := range map[string]struct {
		kind    string
		stalled string
	}{
		"total":            {},
		"relay":            {stalled: "stalled: 8 tasks wait for epoch 1, and the epoch is 0"},
		"histogram":        {kind: "data-race"},
		"total/mended":     {},
		"relay/mended":     {},
		"histogram/mended": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := run.OpenWorkload(filepath.Join("..", "..", "docs", "examples", filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(t.Context(), Config{Definition: d})
			if err != nil || r.Stalled != want.stalled || r.Ended != (want.stalled == "") || r.Verified != strings.HasSuffix(name, "mended") {
				t.Errorf("%+v, %v", r, err)
			}
			found := ""
			for _, f := range r.Findings {
				found += string(f.Kind)
			}
			if found != want.kind {
				t.Errorf("found %q, want %q", found, want.kind)
			}
		})
	}
}
