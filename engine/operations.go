package engine

import (
	"slices"

	"vyretop/engine/glsl/tree"
)

// NativeOperations lists the operations of the kernel language (tree.OperationName) that a backend runs
// without further lowering, sorted: all of them, but for gridBarrier() where dispatches are divided at it.
func NativeOperations(b interface{ Profile() DeviceProfile }) []string {
	all := tree.AllOperations()
	if b.Profile().NativeGridSync.Or(false) {
		return all
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == gridBarrierOperation })
}
