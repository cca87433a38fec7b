package run

import (
	"fmt"
	"strings"

	"vyretop/megakernel"
)

// lostKinds names the kinds of log records that were lost, nil for none.
func lostKinds(counts *[megakernel.NumEvents]uint64) map[string]uint64 {
	var out map[string]uint64
	for e, n := range counts {
		if n > 0 {
			if out == nil {
				out = map[string]uint64{}
			}
			out[megakernel.Event(e).String()] = n
		}
	}
	return out
}

// lostText is lostKinds for people: " (7 yield, 3 done)".
func lostText(counts *[megakernel.NumEvents]uint64) string {
	var parts []string
	for e, n := range counts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, megakernel.Event(e)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
