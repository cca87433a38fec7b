package stage

import (
	"fmt"
	"strings"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
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
	switch t := b.program.Tree; {
	case t == nil:
		why = "it is outside the kernel language"
	case b.sections() > 1:
		why = "its workgroups wait for each other"
	default:
		for _, g := range t.Globals {
			if _, constant := g.Init.(*tree.Const); g.Init != nil && !constant {
				why = fmt.Sprintf("%s does not begin with a constant", g.Var.Name)
			}
		}
	}
	if why == "" {
		return nil
	}
	return &engine.Error{Code: engine.CodeUnsupportedFeature, Op: fmt.Sprintf("compile %q", b.program.Name), Feature: "persistent-thread dispatch",
		Detail: "workers cannot run the program: " + why, Fix: "use PersistentAuto, or change the program"}
}

// renamed puts the worker's own inputs in the place of the device's.
func (b *builder) renamed() []edit {
	var edits []edit
	for _, w := range b.words {
		if name, ok := workerNames[w.text]; ok {
			edits = append(edits, edit{w.from, w.to, name})
		}
	}
	return edits
}

// worker is the main that takes workgroups until none is left. Everything that a workgroup finds zero or
// set is made so again for each.
func (b *builder) worker() string {
	size := b.program.WorkgroupSize
	lanes := size[0] * size[1] * size[2]
	var t strings.Builder
	t.WriteString(" void main() { vts_NumWorkGroups = uvec3(vts_grid[0], vts_grid[1], vts_grid[2]); ")
	t.WriteString("uint vts_total = vts_grid[0] * vts_grid[1] * vts_grid[2]; for (;;) { ")
	t.WriteString("if (gl_LocalInvocationIndex == 0u) { vts_halt = atomicAdd(vts_next, 1u) % (vts_total + gl_NumWorkGroups.x); ")
	if b.options.Stop {
		t.WriteString("if (vts_stop != 0u) vts_halt = vts_total; ")
	}
	t.WriteString("} ")
	t.WriteString("barrier(); uint vts_number = vts_halt; ")
	t.WriteString(b.clearShared(lanes))
	t.WriteString("barrier(); if (vts_number >= vts_total) break; ")
	t.WriteString("vts_WorkGroupID = uvec3(vts_number % vts_grid[0], vts_number / vts_grid[0] % vts_grid[1], vts_number / vts_grid[0] / vts_grid[1]); ")
	fmt.Fprintf(&t, "vts_GlobalInvocationID = vts_WorkGroupID * uvec3(%du, %du, %du) + gl_LocalInvocationID; ", size[0], size[1], size[2])
	t.WriteString(b.resetGlobals())
	t.WriteString("vts_body(); ")
	if b.options.Stop {
		t.WriteString(countEnd)
	}
	t.WriteString("} }")
	return t.String()
}

func (b *builder) clearShared(lanes uint32) string {
	l := live{}
	for _, v := range b.program.Tree.Shared {
		l.shared = append(l.shared, slot{v, 0})
	}
	return l.eachShared(lanes, func(t *strings.Builder, target string, kind tree.Kind, _ string) {
		fmt.Fprintf(t, "%s = %s; ", target, fromBits(kind, "0u"))
	})
}

func (b *builder) resetGlobals() string {
	var t strings.Builder
	for _, g := range b.program.Tree.Globals {
		bits := make([]uint32, g.Var.Type.Components())
		if c, ok := g.Init.(*tree.Const); ok {
			bits = c.Bits
		}
		n := 0
		components(g.Var.Name, g.Var.Type, func(target string, kind tree.Kind) {
			fmt.Fprintf(&t, "%s = %s; ", target, fromBits(kind, fmt.Sprintf("%du", bits[n])))
			n++
		})
	}
	return t.String()
}
