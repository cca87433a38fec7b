package stage

import (
	"fmt"
	"strings"

	"vyretop/engine"
	"vyretop/engine/glsl/emit"
)

// workerNames are the inputs that differ for a worker, with what the text uses in their place.
var workerNames = map[string]string{
	"gl_WorkGroupID":        "vts_WorkGroupID",
	"gl_NumWorkGroups":      "vts_NumWorkGroups",
	"gl_GlobalInvocationID": "vts_GlobalInvocationID",
}

const workerDeclarations = "uvec3 vts_WorkGroupID; uvec3 vts_NumWorkGroups; uvec3 vts_GlobalInvocationID; "

// checkWorkers refuses programs that a worker cannot run several times over.
func (b *builder) checkWorkers() error {
	why := ""
	switch {
	case b.program.Tree == nil:
		why = "it is outside the kernel language"
	case b.sections() > 1:
		why = "its workgroups wait for each other"
	}
	if why == "" {
		return nil
	}
	return &engine.Error{Code: engine.CodeUnsupportedFeature, Op: fmt.Sprintf("compile %q", b.program.Name), Feature: "persistent-thread dispatch",
		Detail: "workers cannot run the program: " + why, Fix: "let the backend choose (auto), or change the program"}
}

// renamed puts the worker's own inputs in the place of the device's. The functions before the kernel's own lines are
// left alone: what they ask the device is set before a worker begins.
func (b *builder) renamed() []edit {
	var edits []edit
	own := max(0, strings.Index(b.program.Text, emit.OwnLines))
	for _, w := range b.words {
		if name, ok := workerNames[w.text]; ok && w.from >= own {
			edits = append(edits, edit{w.from, w.to, name})
		}
	}
	return edits
}

// worker is the main that takes workgroups until none is left. What a workgroup finds zero or set at its
// start, the text of the kernel language sets in main.
func (b *builder) worker() string {
	size := b.program.WorkgroupSize
	var t strings.Builder
	t.WriteString(" void main() { " + b.idle() + "vts_NumWorkGroups = uvec3(vts_extent[0], vts_extent[1], vts_extent[2]); ")
	t.WriteString("uint vts_total = vts_extent[0] * vts_extent[1] * vts_extent[2]; for (;;) { ")
	t.WriteString("if (gl_LocalInvocationIndex == 0u) { vts_halt = atomicAdd(vts_next, 1u) % (vts_total + gl_NumWorkGroups.x); ")
	if b.options.Stop {
		t.WriteString("if (vts_stop != 0u) vts_halt = vts_total; ")
	}
	t.WriteString("} ")
	t.WriteString("barrier(); uint vts_number = vts_halt; ")
	t.WriteString("barrier(); if (vts_number >= vts_total) break; ")
	t.WriteString("vts_WorkGroupID = uvec3(vts_number % vts_extent[0], vts_number / vts_extent[0] % vts_extent[1], vts_number / vts_extent[0] / vts_extent[1]); ")
	fmt.Fprintf(&t, "vts_GlobalInvocationID = vts_WorkGroupID * uvec3(%du, %du, %du) + gl_LocalInvocationID; ", size[0], size[1], size[2])
	t.WriteString("vts_body(); ")
	if b.options.Stop {
		t.WriteString(countEnd)
	}
	t.WriteString("} " + b.watch() + "}")
	return t.String()
}
