//go:build cgo && egl

package gl

import (
	"fmt"

	"vyretop/engine"
)

// limits are the device's limits that decide whether a program or a dispatch can run at all.
type limits struct {
	engine.Limits
	bindings    uint32 // binding numbers are below it
	blocks      uint32 // storage blocks of one program
	bufferBytes uint64
}

// checkProgram refuses what the driver would refuse, with a reason that names the number.
func (l *limits) checkProgram(op string, p *engine.Program) error {
	if err := l.CheckProgram(p); err != nil {
		return err
	}
	if uint64(len(p.Buffers)) > uint64(l.blocks) {
		return invalid(op, fmt.Sprintf("%d storage blocks, the device takes %d in one program", len(p.Buffers), l.blocks),
			"put several arrays into one block")
	}
	for _, b := range p.Buffers {
		if b.Binding >= l.bindings {
			return invalid(op, fmt.Sprintf("buffer %q has binding %d, the device has bindings 0 to %d", b.Name, b.Binding, l.bindings-1),
				"use a smaller binding number")
		}
	}
	return nil
}
