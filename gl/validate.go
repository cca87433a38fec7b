//go:build cgo && egl

package gl

import (
	"fmt"

	"vyretop/engine"
)

// axes name the components of sizes in messages.
var axes = [3]string{"x", "y", "z"}

// limits are the device's limits that decide whether a program or a dispatch can run at all.
type limits struct {
	groups, size [3]uint32
	invocations  uint32
	bindings     uint32 // binding numbers are below it
	blocks       uint32 // storage blocks of one program
	sharedBytes  uint32
	bufferBytes  uint64
}

// checkProgram refuses what the driver would refuse, with a reason that names the number.
func (l limits) checkProgram(op string, p *engine.Program) error {
	total := uint64(1)
	for i, n := range p.WorkgroupSize {
		if n == 0 || n > l.size[i] {
			return invalid(op, fmt.Sprintf("workgroup size %s is %d, the device takes 1 to %d", axes[i], n, l.size[i]),
				"choose a workgroup size within the device's limits")
		}
		total *= uint64(n)
	}
	if total > uint64(l.invocations) {
		return invalid(op, fmt.Sprintf("a workgroup of %d invocations, the device takes %d", total, l.invocations),
			"choose a smaller workgroup size")
	}
	return l.checkBuffers(op, p.Buffers)
}

func (l limits) checkBuffers(op string, specs []engine.BufferSpec) error {
	if uint64(len(specs)) > uint64(l.blocks) {
		return invalid(op, fmt.Sprintf("%d storage blocks, the device takes %d in one program", len(specs), l.blocks),
			"put several arrays into one block")
	}
	seen := map[uint32]string{}
	for _, b := range specs {
		if b.Binding >= l.bindings {
			return invalid(op, fmt.Sprintf("buffer %q has binding %d, the device has bindings 0 to %d", b.Name, b.Binding, l.bindings-1),
				"use a smaller binding number")
		}
		if other, dup := seen[b.Binding]; dup {
			return invalid(op, fmt.Sprintf("buffers %q and %q share binding %d", other, b.Name, b.Binding),
				"give every storage block its own binding")
		}
		seen[b.Binding] = b.Name
	}
	return nil
}

// checkGrid refuses an empty or too large grid.
func (l limits) checkGrid(op string, grid [3]uint32) error {
	for i, n := range grid {
		if n == 0 || n > l.groups[i] {
			return invalid(op, fmt.Sprintf("grid %s is %d workgroups, the device takes 1 to %d", axes[i], n, l.groups[i]),
				"choose a grid within the device's limits")
		}
	}
	return nil
}

// checkBindings wants every declared buffer bound exactly once, large enough, and nothing else.
func checkBindings(op string, specs []engine.BufferSpec, bindings []engine.Binding) error {
	bound := map[uint32]engine.Buffer{}
	for _, b := range bindings {
		if b.Buffer == nil {
			return invalid(op, fmt.Sprintf("binding %d has no buffer", b.Index), "bind an allocated buffer")
		}
		if _, dup := bound[b.Index]; dup {
			return invalid(op, fmt.Sprintf("binding %d is bound twice", b.Index), "bind every buffer once")
		}
		bound[b.Index] = b.Buffer
	}
	for _, s := range specs {
		buf, ok := bound[s.Binding]
		if !ok {
			return invalid(op, fmt.Sprintf("buffer %q at binding %d is not bound", s.Name, s.Binding), "bind every buffer that the program declares")
		}
		if buf.Size() < s.MinWords {
			return invalid(op, fmt.Sprintf("buffer %q at binding %d has %d words, the program needs %d", s.Name, s.Binding, buf.Size(), s.MinWords),
				"allocate a larger buffer")
		}
		delete(bound, s.Binding)
	}
	for index, buf := range bound {
		return invalid(op, fmt.Sprintf("the program has no buffer at binding %d, where %q is bound", index, buf.Name()),
			"bind only what the program declares")
	}
	return nil
}
