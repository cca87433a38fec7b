package megakernel

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"vyretop/engine/fault"
)

// ErrOtherWorkload is matched by errors about two runs that are not of versions of one workload.
const ErrOtherWorkload fault.Kind = "different workloads"

// SameWorkload reports that two targets are not of versions of one workload: neither the name nor the operations are the same.
func SameWorkload(a, b *Target) error {
	if a.Workload == b.Workload || maps.Equal(a.Opcodes, b.Opcodes) {
		return nil
	}
	return &fault.Error{
		Kind: ErrOtherWorkload, Op: "compare", Detail: fmt.Sprintf("A is %s, B is %s: these are different workloads", workloadText(a), workloadText(b)),
		Fix: "give two versions or two runs of one workload",
	}
}

// workloadText names a workload with some of its operations.
func workloadText(t *Target) string {
	const most = 4
	var names []string
	for _, op := range slices.Sorted(maps.Keys(t.Opcodes)) {
		if len(names) == most {
			names = append(names, "…")
			break
		}
		names = append(names, t.Opcodes[op])
	}
	if len(names) == 0 {
		return t.Workload
	}
	return fmt.Sprintf("%s (%s)", t.Workload, strings.Join(names, ", "))
}
