package workload

import (
	"fmt"
	"slices"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/megakernel"
)

// CheckBindings compares the buffers of the manifest with the blocks that handler files declare: each needs
// the other. A program outside the kernel language, which has no tree, is not checked. The error is
// source.Diagnostics.
func (s *Setup) CheckBindings(p *tree.Program) error {
	if p == nil {
		return nil
	}
	var found source.Diagnostics
	for _, b := range s.Buffers {
		if !slices.ContainsFunc(p.Buffers, func(block *tree.Buffer) bool { return block.Binding == int(b.Binding) }) {
			found = append(found, unbound(b.Pos, "remove the buffer, or correct the binding here or there",
				"buffer %q has binding %d, and no handler file declares a block with that", b.Name, b.Binding))
		}
	}
	for _, block := range p.Buffers {
		own := block.Binding >= megakernel.FirstUserBinding
		if own && !slices.ContainsFunc(s.Buffers, func(b Buffer) bool { return int(b.Binding) == block.Binding }) {
			found = append(found, unbound(block.Pos, fmt.Sprintf("add a [[buffer]] with binding = %d and words = N to %s, or correct the binding here or there", block.Binding, ManifestName),
				"block %s has binding %d, and no buffer of the manifest has that", block.Name, block.Binding))
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

func unbound(at source.Pos, fix, format string, args ...any) source.Diagnostic {
	return source.Diagnostic{Pos: at, Severity: source.Error, Kind: source.Malformed, Construct: "binding", Message: fmt.Sprintf(format, args...), Fix: fix}
}
