//go:build cgo && egl

package gl

import (
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/engine/units"
	"vyretop/gl/internal/glapi"
)

// reconcile compares what a program says of its text with what the driver read in it, on the owner's
// thread: a wrong workgroup size or an undeclared buffer would otherwise show as wrong results. A
// program outside the kernel language says what the front end understood; the driver completes it.
func (b *Backend) reconcile(s *glState, op string, h uint32, p *engine.Program) (*engine.Program, error) {
	size, blocks := s.api.LocalSize(h), s.api.StorageBlocks(h)
	if len(p.Outside) > 0 {
		p = completed(p, size, blocks)
		return p, b.limits.checkProgram(op, p)
	}
	if size != p.WorkgroupSize {
		return nil, invalid(op, fmt.Sprintf("the text has workgroup size %s, the program says %s", units.Extent(size), units.Extent(p.WorkgroupSize)),
			"make Program.WorkgroupSize and the layout of the text agree")
	}
	for _, block := range blocks {
		if !lists(p.Buffers, block.Binding) {
			return nil, invalid(op, fmt.Sprintf("the text uses a storage block at binding %d that the program does not list", block.Binding),
				"list every storage block in Program.Buffers")
		}
	}
	return p, nil
}

// completed is a copy of p with what the driver found in its text.
func completed(p *engine.Program, size [3]uint32, blocks []glapi.StorageBlock) *engine.Program {
	q := *p
	q.WorkgroupSize = size
	q.Buffers = slices.Clone(p.Buffers)
	for _, block := range blocks {
		if !lists(p.Buffers, block.Binding) {
			q.Buffers = append(q.Buffers, engine.BufferSpec{Name: block.Name, Binding: block.Binding, MinWords: max(1, (block.Bytes+3)/4)})
		}
	}
	slices.SortStableFunc(q.Buffers, func(a, b engine.BufferSpec) int { return int(a.Binding) - int(b.Binding) })
	return &q
}

func lists(specs []engine.BufferSpec, binding uint32) bool {
	return slices.ContainsFunc(specs, func(b engine.BufferSpec) bool { return b.Binding == binding })
}
