package contract

import (
	"encoding/json"
	"slices"
	"testing"

	"vyretop/engine"
)

// TestIdentity: the id is unique in the process, the rest equal for the same device.
func TestIdentity(t *testing.T) {
	for name, open := range backends {
		t.Run(name, func(t *testing.T) {
			a, b := use(t, open).Identity(), use(t, open).Identity()
			if a.ID == b.ID || a.Name != name {
				t.Errorf("%+v and %+v", a, b)
			}
			b.ID = a.ID
			if a != b || a.Version == "" || a.Device == "" || a.Renderer == "" || a.Driver == "" {
				t.Errorf("%+v and %+v", a, b)
			}
		})
	}
}

// TestOperations: a backend names the operations that it runs without further lowering, and a program
// those that it uses.
func TestOperations(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		native := engine.NativeOperations(b)
		for _, op := range program(t, "step", step).Operations() {
			if !slices.Contains(native, op) {
				t.Errorf("%s is not among what the backend runs", op)
			}
		}
		grid := slices.Contains(native, "builtin.gridBarrier")
		if want := b.Profile().NativeGridSync.Or(false); grid != want {
			t.Errorf("gridBarrier native: %v, the profile says %v", grid, want)
		}
	})
}

// TestCapabilities: what is claimed is there, and what is not known is not claimed.
func TestCapabilities(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		c := b.Profile().Capabilities
		for name, v := range map[string]engine.Optional[bool]{
			"indirect dispatch": c.IndirectDispatch, "speculation": c.Speculation, "grid sync": c.GridSync,
		} {
			if !v.Or(false) {
				t.Errorf("%s: %v, and the tests of this package use it", name, v)
			}
		}
		for name, v := range map[string]engine.Optional[bool]{
			"f16": c.Float16, "bf16": c.BFloat16, "tensor cores": c.TensorCores,
			"async compute": c.AsyncCompute, "distributed": c.Distributed,
		} {
			claimed, tried := v.Get()
			if claimed {
				t.Errorf("%s: %v, and the kernel language has none", name, v)
			}
			if known := b.Identity().Name == "reference"; tried != known { // which is made so; nothing tries it on a device
				t.Errorf("%s: tried %v", name, tried)
			}
		}
	})
}

const subgroupKernel = `#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer B { uint b[64]; };
void main() { b[gl_LocalInvocationIndex] = subgroupAdd(gl_LocalInvocationIndex); }
`

// TestSubgroups: a backend that claims subgroups compiles a kernel that has them, of the width that it claims.
func TestSubgroups(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		profile := b.Profile()
		works, tried := profile.SubgroupOperations.Get()
		if !tried || works != profile.Shuffle.Or(!works) {
			t.Errorf("subgroup operations: %v, shuffle: %v", profile.SubgroupOperations, profile.Shuffle)
		}
		width := max(int(profile.SubgroupWidth()), 1)
		p, err := program(t, "subgroups", subgroupKernel).WithSubgroup(width)
		check(t, err)
		pl, err := b.Compile(t.Context(), p)
		check(t, err)
		check(t, pl.Close())
	})
}

// TestDeviceProfile: the limits that decide about programs are known and obeyed, and what was not read is
// absent from the record.
func TestDeviceProfile(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := b.Profile()
		size, known := p.MaxWorkgroupSize.Get()
		groups, alsoKnown := p.MaxWorkgroups.Get()
		if !known || !alsoKnown || p.MaxInvocations.Or(0) < 1024 || p.MaxSharedBytes.Or(0) < 32<<10 || p.MaxStorageBufferBytes.Or(0) < 16<<20 ||
			size[0] < 1024 || size[1] < 1024 || size[2] < 64 || groups[0] < 65535 || groups[1] < 65535 || groups[2] < 65535 {
			t.Errorf("less than OpenGL 4.5 guarantees: %+v", p)
		}
		text, err := json.Marshal(p)
		check(t, err)
		var fields map[string]any
		check(t, json.Unmarshal(text, &fields))
		for name, v := range fields {
			if v == nil {
				t.Errorf("%s is null", name)
			}
		}
		if _, there := fields["tensor_cores"]; there && b.Identity().Name != "reference" {
			t.Error("tensor_cores is there, and nothing tries it")
		}
		var again engine.DeviceProfile
		check(t, json.Unmarshal(text, &again))
		if again.MaxWorkgroupSize != p.MaxWorkgroupSize || again.Identity != p.Identity || again.GridSync != p.GridSync {
			t.Errorf("the record changes on its way through JSON: %+v", again)
		}
	})
}

// TestPersistentThread forces and forbids resident workgroups, with equal results. A device that ends loops
// cannot be forced.
func TestPersistentThread(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "where", where)
		for _, mode := range []engine.PersistentThread{engine.PersistentAuto, engine.PersistentForce, engine.PersistentDisable} {
			buf := allocate(t, b, make([]uint32, wWords)...)
			pending, err := p.Start(within(t), bind(buf), engine.DispatchConfig{Grid: [3]uint32{5, 2, 2}, PersistentThread: mode})
			if able, tried := b.Profile().PersistentThread.Get(); mode == engine.PersistentForce && tried && !able {
				wants(t, "forced", err, engine.ErrUnsupportedFeature)
				continue
			}
			check(t, err)
			_, err = pending.Wait(within(t))
			check(t, err)
			if w := contents(t, buf); w[wGroups] != 20 || w[wLanes] != 160 || w[wLast] != 39 || [3]uint32(w[wGrid:wGrid+3]) != [3]uint32{5, 2, 2} {
				t.Errorf("mode %d: %v", mode, w)
			}
		}
		_, err := p.Start(within(t), bind(allocate(t, b, make([]uint32, wWords)...)), engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}, PersistentThread: 9})
		wants(t, "an unknown mode", err, engine.ErrInvalidProgram)
	})
}

// TestCooperative launches as many workgroups as can be resident at once, which wait for each other by
// spinning, and refuses more. A device that cannot promise that refuses all but gridBarrier(), which
// TestGridBarrier runs with the same flag.
func TestCooperative(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "meet", meet)
		most, known := b.Profile().CooperativeWorkgroups.Get()
		if !known {
			_, err := p.Start(within(t), bind(allocate(t, b, 0, 0)), engine.DispatchConfig{Grid: [3]uint32{2, 1, 1}, Cooperative: true})
			wants(t, "cooperative dispatch", err, engine.ErrUnsupportedFeature)
			return
		}
		n := min(most, 8)
		came := together(t, b, p, n)
		for ctx := within(t); came[1] != n && ctx.Err() == nil; { // those that come may wait less long than a busy machine makes the others wait
			came = together(t, b, p, n)
		}
		same(t, "workgroups that came, and that saw all others", came, []uint32{n, n})
		_, err := p.Start(within(t), bind(allocate(t, b, 0, 0)), engine.DispatchConfig{Grid: [3]uint32{most + 1, 1, 1}, Cooperative: true})
		wants(t, "more than are resident", err, engine.ErrResidencyExceeded)
	})
}

// together dispatches n workgroups of meet and returns its counts.
func together(t *testing.T, b device, p engine.Pipeline, n uint32) []uint32 {
	t.Helper()
	buf := allocate(t, b, 0, 0)
	pending, err := p.Start(within(t), bind(buf), engine.DispatchConfig{Grid: [3]uint32{n, 1, 1}, Cooperative: true})
	check(t, err)
	_, err = pending.Wait(within(t))
	check(t, err)
	return contents(t, buf)
}

// meet lets each workgroup wait until all have come, or for as long as a loop may run anywhere.
const meet = `layout(local_size_x = 8) in;
layout(std430, binding = 0) coherent volatile buffer M { uint here; uint met; };
void main() {
	if (gl_LocalInvocationIndex != 0u) return;
	atomicAdd(here, 1u);
	for (uint i = 0u; i < 60000u; i++) {
		if (here >= gl_NumWorkGroups.x) { atomicAdd(met, 1u); break; }
	}
}
`
