package taskcheck

import (
	"testing"

	"vyretop/megakernel/workload/catalog"
)

// TestShippedWorkloadsHaveNoFindings: what the shipped handlers do is defined, and their accesses are ordered.
func TestShippedWorkloadsHaveNoFindings(t *testing.T) {
	for name, values := range map[string]map[string]string{
		"collatz": {"count": "200"},
		"bfs":     {"generate": "kronecker:6"},
		"render":  {"width": "16", "height": "12", "samples": "2"},
		"scan":    {"path": "."},
		"grep":    {"path": ".", "pattern": "func"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := catalog.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(t.Context(), Config{Definition: d, Values: values})
			if err != nil || !r.Verified || r.Unwatched {
				t.Fatalf("%+v, %v", r, err)
			}
			for _, f := range r.Findings {
				t.Errorf("%+v", f)
			}
		})
	}
}
