//go:build cgo && egl

package gl

import (
	"context"
	"fmt"

	"vyretop/engine"
)

// subgroupExtension is the extension of a device's own subgroups.
const subgroupExtension = "GL_KHR_shader_subgroup"

// subgroupKernel stores what each invocation of two subgroups, of which every third one takes part, gets of the others.
const subgroupKernel = `#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = %d) in;
layout(std430, binding = 0) buffer Out { uvec4 found[]; };
void main()
{
	uint i = gl_LocalInvocationIndex;
	if (i %% 3u == 0u) found[i] = uvec4(subgroupBallot(i %% 2u == 0u).x, subgroupShuffle(i, gl_SubgroupInvocationID ^ 3u), subgroupShuffle(i, 0u), gl_SubgroupInvocationID);
}
`

// probeSubgroups tries the device's own subgroups: neighbors by gl_LocalInvocationIndex, as many as the device says. On a
// device without, neighbors that run in step exchange values through shared memory.
func probeSubgroups(b *Backend, ctx context.Context) error {
	width := b.profile.SubgroupSize.Or(0)
	native := b.has[subgroupExtension] && width > 1
	if !native {
		width = b.profile.LockstepInvocations.Or(0)
	}
	if width < 2 {
		settleSubgroups(b, false)
		return nil
	}
	if !native { // that was tried by the probe of invocations in step
		settleSubgroups(b, true)
		return nil
	}
	b.float.subgroups = true
	ok, err := trySubgroups(b, ctx, int(width))
	b.float.subgroups = ok
	settleSubgroups(b, ok)
	return err
}

func settleSubgroups(b *Backend, works bool) {
	b.profile.SubgroupOperations, b.profile.Shuffle = engine.Known(works), engine.Known(works)
}

// trySubgroups compares what the kernel finds with what it should.
func trySubgroups(b *Backend, ctx context.Context, width int) (ok bool, err error) {
	lanes := 2 * width
	p, err := engine.CompileText("probe subgroups", fmt.Sprintf(subgroupKernel, lanes))
	if err == nil {
		p, err = p.WithSubgroup(width)
	}
	if err != nil {
		return false, err
	}
	got, err := b.tryOut(ctx, p, make([]uint32, 4*lanes), engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}})
	if err != nil {
		return false, err
	}
	for i := 0; i < lanes; i += 3 {
		base, ballot, other, first := i/width*width, uint32(0), uint32(0), uint32(0)
		for k := base; k < min(base+width, base+32); k++ {
			if k%6 == 0 {
				ballot |= 1 << (k - base)
			}
		}
		if k := base + (i % width) ^ 3; k%3 == 0 {
			other = uint32(k)
		}
		if base%3 == 0 {
			first = uint32(base)
		}
		if [4]uint32(got[4*i:]) != [4]uint32{ballot, other, first, uint32(i % width)} {
			return false, nil
		}
	}
	return true, nil
}

// checkSubgroups refuses programs whose subgroups the device does not have.
func checkSubgroups(b *Backend, op string, p *engine.Program) error {
	n := uint32(p.Subgroup())
	width := b.profile.SubgroupWidth()
	if n <= 1 || n == width || !b.float.subgroups && n < width {
		return nil
	}
	fix := "use --subgroup 1, which is what each invocation for itself does, or the reference backend"
	if width == 0 {
		return unsupported(op, subgroupExtension, "the device lacks the extension "+subgroupExtension, fix)
	}
	return unsupported(op, subgroupExtension, fmt.Sprintf("subgroups of the device have %d invocations, not %d", width, n), fmt.Sprintf("use --subgroup %d, or the reference backend", width))
}
