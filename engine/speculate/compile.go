package speculate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// Backend is what the package needs of an engine.Backend.
type Backend interface {
	Allocate(ctx context.Context, name string, words int, want engine.Placement) (engine.Buffer, error)
	Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error)
}

// The mains of the dispatches. They follow the kernel's own text, so its lines keep their numbers.
const (
	ledger = `
layout(std430, binding = %d) buffer vts_Ledger { uint vts_items; uint vts_committed; uint vts_rolled_back; uint vts_candidates; uint vts_grid[3]; uint vts_list[]; };
`
	prefilterMain = `
void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item < vts_items && prefilter(item)) {
        uint place = atomicAdd(vts_candidates, 1u);
        vts_list[place] = item;
        atomicMax(vts_grid[0], place / gl_WorkGroupSize.x + 1u);
    }
}
`
	confirmMain = `
void main() {
    uint place = gl_GlobalInvocationID.x;
    if (place < vts_candidates) {
        uint item = vts_list[place];
        uint value = 0u;
        if (confirm(item, value)) {
            commit(item, value);
            atomicAdd(vts_committed, 1u);
        }
    }
}
`
	fusedMain = `
void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item < vts_items && prefilter(item)) {
        uint value = 0u;
        if (confirm(item, value)) {
            commit(item, value);
            atomicAdd(vts_committed, 1u);
        } else {
            atomicAdd(vts_rolled_back, 1u);
        }
    }
}
`
)

// Words of the ledger.
const (
	wordItems      = 0
	wordCommitted  = 1
	wordRolledBack = 2
	wordCandidates = 3
	wordGrid       = 4
	wordList       = 7
)

// signatures of the functions that a kernel must have.
var signatures = []string{"prefilter(uint)", "confirm(uint,out uint)", "commit(uint,uint)"}

// Compile makes a pipeline of a kernel without main.
func Compile(ctx context.Context, b Backend, name string, f *source.File, o glsl.Options) (*Pipeline, error) {
	bare, err := inspect(name, f, o)
	if err != nil {
		return nil, err
	}
	p := &Pipeline{memory: b, name: name, ledger: freeBinding(bare.Buffers), adaptive: NewAdaptive(DefaultThresholdPct)}
	for _, stage := range []struct {
		main     string
		pipeline *engine.Pipeline
	}{{prefilterMain, &p.prefilter}, {confirmMain, &p.confirm}, {fusedMain, &p.fused}} {
		program, err := extended(name, f, o, fmt.Sprintf(ledger, p.ledger)+stage.main)
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		if *stage.pipeline, err = b.Compile(ctx, program); err != nil {
			return nil, errors.Join(err, p.close())
		}
	}
	own := *p.fused.Program()
	own.Buffers = bare.Buffers
	p.program = &own
	return p, nil
}

// inspect compiles the kernel with an empty main, to learn its buffers and see that its functions are there.
func inspect(name string, f *source.File, o glsl.Options) (*engine.Program, error) {
	bare, err := extended(name, f, o, "void main() { }\n")
	if err != nil {
		return nil, err
	}
	if bare.Tree == nil {
		return nil, &engine.Error{Code: engine.CodeUnsupportedFeature, Op: fmt.Sprintf("compile %q", name), Feature: "speculation",
			Detail: "the kernel is outside the kernel language", Err: bare.Outside, Fix: "keep to docs/kernel-language.md"}
	}
	var have []string
	for _, fn := range bare.Tree.Functions {
		have = append(have, fn.Signature())
	}
	for _, want := range signatures {
		if !slices.Contains(have, want) {
			return nil, &engine.Error{Code: engine.CodeInvalidProgram, Op: fmt.Sprintf("compile %q", name),
				Detail: "the kernel has no function " + want, Fix: "define prefilter, confirm and commit, and leave main out"}
		}
	}
	return bare, nil
}

// extended compiles the kernel with more text behind its own.
func extended(name string, f *source.File, o glsl.Options, more string) (*engine.Program, error) {
	p, _, err := engine.CompileProgram(name, &source.File{Name: f.Name, Text: f.Text + "\n" + more}, o)
	return p, err
}

func freeBinding(specs []engine.BufferSpec) uint32 {
	n := uint32(0)
	for slices.ContainsFunc(specs, func(s engine.BufferSpec) bool { return s.Binding == n }) {
		n++
	}
	return n
}
