//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"fmt"

	"vyretop/engine"
)

// Grids of the probes.
const (
	probeGridGroups  = 8
	probeCountGroups = 3 * 2
)

// probeGridSync divides a kernel at its grid barrier and sees whether its workgroups found each other's
// values.
func (b *Backend) probeGridSync(ctx context.Context) error {
	text, err := probeTexts.ReadFile("probes/grid.comp")
	if err != nil {
		return err
	}
	p, err := engine.CompileText("probe grid", string(text))
	if err != nil {
		return err
	}
	words, err := b.tryOut(ctx, p, make([]uint32, 2*probeGridGroups), engine.DispatchConfig{Grid: [3]uint32{probeGridGroups, 1, 1}})
	if err != nil {
		return err
	}
	works := true
	for g := range uint32(probeGridGroups) {
		works = works && words[probeGridGroups+g] == probeGridGroups-1+200
	}
	b.profile.GridSync = engine.Known(works)
	return nil
}

// probeIndirect takes a grid from device-local memory and counts the workgroups that ran.
func (b *Backend) probeIndirect(ctx context.Context) error {
	grid, err := b.Allocate(ctx, "probe indirect", 4, engine.DeviceLocal)
	if err != nil {
		return err
	}
	err = grid.Upload(ctx, 1, []uint32{3, 1, 2})
	if err != nil {
		return errors.Join(err, grid.Free())
	}
	p, err := probeProgram("count", 8, 1)
	if err != nil {
		return errors.Join(err, grid.Free())
	}
	words, err := b.tryOut(ctx, p, []uint32{0}, engine.DispatchConfig{Indirect: engine.IndirectGrid{Buffer: grid, Offset: 1}})
	if err == nil {
		b.profile.IndirectDispatch = engine.Known(words[0] == probeCountGroups)
		b.profile.Speculation = b.profile.IndirectDispatch // the unspeculated way needs it
	}
	return errors.Join(err, grid.Free())
}

// tryOut runs a program of one buffer and returns what the buffer holds then.
func (b *Backend) tryOut(ctx context.Context, p *engine.Program, words []uint32, cfg engine.DispatchConfig) ([]uint32, error) {
	pl, err := b.Compile(ctx, p)
	if err != nil {
		return nil, err
	}
	l := &lab{ctx: ctx, pipeline: pl}
	buf, err := b.Allocate(ctx, "probe", len(words), engine.HostVisible)
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	l.buffers = append(l.buffers, buf)
	if err := buf.Upload(ctx, 0, words); err != nil {
		return nil, errors.Join(err, l.close())
	}
	pending, err := pl.Start(ctx, []engine.Binding{{Buffer: buf}}, cfg)
	if err == nil {
		_, err = pending.Wait(ctx)
	}
	if err == nil {
		err = buf.Download(ctx, 0, words)
	}
	return words, errors.Join(err, l.close())
}

// settleCapabilities concludes from what the queries and the other probes found. What no kernel can reach
// through the kernel language was not tried, and stays absent.
func (b *Backend) settleCapabilities(context.Context) error {
	p := &b.profile
	out, tried := p.HostSeesDeviceStores.Get()
	in, alsoTried := p.DeviceSeesHostStores.Get()
	if tried && alsoTried { // a worker loops for as long as there is work, so nothing may end its loops
		b.limits.PersistentThread = out && in && p.LoopIterationLimit.IsZero()
		p.PersistentThread = engine.Known(b.limits.PersistentThread)
	}
	software := p.SoftwareDevice.Or(false)
	p.SharedMemory = engine.Known(!software)
	if p.LoopIterationLimit.IsZero() { // else a workgroup cannot wait for another for as long as that takes
		p.CooperativeWorkgroups = p.ComputeUnits // one workgroup fits each unit, whatever its size
	}
	b.limits.Cooperative = p.CooperativeWorkgroups
	p.VectorWidth = p.SubgroupSize
	if bits := rendererBits(p.Identity.Renderer); software && bits >= 32 {
		p.VectorWidth = engine.Known(bits / 32)
	}
	return nil
}

// rendererBits is the width of a vector that llvmpipe names: "llvmpipe (LLVM 15.0.6, 256 bits)". 0: none is named.
func rendererBits(renderer string) uint32 {
	var version string
	var bits uint32
	if _, err := fmt.Sscanf(renderer, "llvmpipe (LLVM %s %d bits)", &version, &bits); err != nil {
		return 0
	}
	return bits
}
