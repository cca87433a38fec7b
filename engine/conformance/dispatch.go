package conformance

import (
	"time"

	"vyretop/engine"
)

// addKernel adds the number of its invocation to a word of its own, so that it shows how often and in
// how many invocations it ran.
const addKernel = `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { uint source[16]; };
layout(std430, binding = 1) buffer Out { uint sums[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < uint(sums.length())) sums[i] = sums[i] * 3u + source[i & 15u] + i;
}
`

// dispatchRow is one way to dispatch the kernel, right or wrong.
type dispatchRow struct {
	name   string
	change func(c *Case)
}

// configured changes the policy only.
func configured(change func(cfg *engine.DispatchConfig)) func(*Case) {
	return func(c *Case) { change(&c.Config) }
}

var dispatchRows = []dispatchRow{
	{"plain", func(*Case) {}},
	{"profile.stress", configured(func(cfg *engine.DispatchConfig) { cfg.Profile = engine.ProfileStress })},
	{"profile.unknown", configured(func(cfg *engine.DispatchConfig) { cfg.Profile = "no such profile" })},
	{"fixpoint.many", configured(func(cfg *engine.DispatchConfig) { cfg.FixpointIterations = engine.Known(uint32(5)) })},
	{"fixpoint.zero", configured(func(cfg *engine.DispatchConfig) { cfg.FixpointIterations = engine.Known(uint32(0)) })},
	{"workgroup.other", configured(func(cfg *engine.DispatchConfig) { cfg.WorkgroupOverride = engine.Known([3]uint32{5, 1, 1}) })},
	{"workgroup.zero", configured(func(cfg *engine.DispatchConfig) { cfg.WorkgroupOverride = engine.Known([3]uint32{8, 0, 1}) })},
	{"workgroup.oversized", configured(func(cfg *engine.DispatchConfig) { cfg.WorkgroupOverride = engine.Known([3]uint32{1 << 30, 1, 1}) })},
	{"output.limit", configured(func(cfg *engine.DispatchConfig) { cfg.MaxOutputBytes = engine.Known(uint64(8)) })},
	{"timeout.negative", configured(func(cfg *engine.DispatchConfig) { cfg.Timeout = -time.Second })},
	{"grid.derived", func(c *Case) { c.Grid = [3]uint32{} }},
	{"grid.zero", func(c *Case) { c.Grid[1] = 0 }},
	{"grid.oversized", func(c *Case) { c.Grid[2] = 1<<32 - 1 }},
	{"buffer.missing", func(c *Case) { c.Buffers = c.Buffers[:1] }},
	{"buffer.short", func(c *Case) { c.Buffers[0].Words = c.Buffers[0].Words[:15] }},
	{"buffer.twice", func(c *Case) { c.Buffers = append(c.Buffers, c.Buffers[1]) }},
	{"buffer.unknown", func(c *Case) {
		c.Buffers = append(c.Buffers, Buffer{Binding: 7, Words: make([]uint32, 4)})
	}},
	{"buffer.empty", func(c *Case) { c.Buffers[1].Words = nil }},
}

// dispatchCases dispatch one kernel with each choice of the policy and with each mistake: the backends
// must do the same, or fail with the same kind of error and change nothing.
func dispatchCases() []Case {
	var list []Case
	for _, row := range dispatchRows {
		c := Case{Name: "dispatch." + row.name, Text: addKernel, Grid: [3]uint32{3, 1, 1}, MayFail: true,
			Buffers: []Buffer{{Binding: 0, Words: filled(16, 5)}, {Binding: 1, Words: filled(60, untouched)}}}
		row.change(&c)
		list = append(list, c)
	}
	return list
}
