package vm_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

// sample uses every kind of operand.
const sample = `#version 450
layout(local_size_x = 3, local_size_y = 2) in;
layout(std430, binding = 0) buffer B { uint head; uvec4 v; uint data[]; };
shared uint total[4];
uint pick(uint a[3], uint i) { if (i > 2u) return 7u; return a[i]; }
void main() {
  uint i = gl_LocalInvocationIndex, a[3];
  for (uint k = 0u; k < 3u; k++) {
    if (k == i) continue;
    a[k % 3u] = data[k] / (k + 1u) + data.length();
    if (a[k] > 100u) break;
  }
  switch (i) { case 0u: a[0] = 1u; case 1u: total[i] = pick(a, i); break; default: v[i] = bitfieldInsert(i, 3u, 1, 2); }
  barrier();
  data[i] = atomicAdd(total[i & 3u], i) + atomicCompSwap(head, i, 5u) + uint(dot(vec3(v.xyz), vec3(1.0)));
  v.zx += packUnorm2x16(vec2(0.5)) * uvec2(i, head);
}
`

func sampleCode(t testing.TB) *vm.Code {
	t.Helper()
	u, err := glsl.Compile(&source.File{Name: "sample.comp", Text: sample}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := lower.Lower(u.Program)
	if err != nil {
		t.Fatal(err)
	}
	return r.Code
}

func cloned(c *vm.Code) *vm.Code {
	d := *c
	d.Instrs = slices.Clone(c.Instrs)
	d.Where = slices.Clone(c.Where)
	d.Sites = slices.Clone(c.Sites)
	d.Calls = slices.Clone(c.Calls)
	d.Consts = slices.Clone(c.Consts)
	d.Accesses = slices.Clone(c.Accesses)
	d.Spaces = slices.Clone(c.Spaces)
	return &d
}

// first finds the first instruction with an operation.
func first(t testing.TB, c *vm.Code, op vm.Op) *vm.Instr {
	for i := range c.Instrs {
		if c.Instrs[i].Op == op {
			return &c.Instrs[i]
		}
	}
	t.Fatalf("no %s in the sample:\n%s", op, vm.Disassemble(c))
	return nil
}

func TestVerifyAcceptsWhatLoweringMakes(t *testing.T) {
	if _, err := vm.Verify(sampleCode(t)); err != nil {
		t.Fatalf("%v\n%s", err, vm.Disassemble(sampleCode(t)))
	}
}

func TestVerifyRejectsCorruptCode(t *testing.T) {
	base := sampleCode(t)
	at := func(op vm.Op, corrupt func(*vm.Instr)) func(*vm.Code) {
		return func(c *vm.Code) { corrupt(first(t, c, op)) }
	}
	tests := []struct {
		name, detail string
		corrupt      func(*vm.Code)
	}{
		{"no instructions", "0 instructions", func(c *vm.Code) { c.Instrs, c.Where = nil, nil }},
		{"no end", "not end", func(c *vm.Code) { c.Instrs = c.Instrs[:len(c.Instrs)-1]; c.Where = c.Where[1:] }},
		{"missing source places", "source places", func(c *vm.Code) { c.Where = c.Where[1:] }},
		{"wild source place", "source place", func(c *vm.Code) { c.Where[3] = 1 << 30 }},
		{"wild call", "call", func(c *vm.Code) { c.Sites[0].Call = 99 }},
		{"call inside itself", "inside call", func(c *vm.Code) { c.Calls[0].Parent = 0 }},
		{"no lanes", "local size", func(c *vm.Code) { c.LocalSize[1] = 0 }},
		{"too many lanes", "lanes", func(c *vm.Code) { c.LocalSize = [3]uint32{1024, 2, 1} }},
		{"too few registers", "registers", func(c *vm.Code) { c.Regs = 3 }},
		{"more constants than registers", "registers", func(c *vm.Code) { c.Consts = make([]uint32, c.Regs) }},
		{"too few masks", "masks", func(c *vm.Code) { c.Masks = 1 }},
		{"unknown operation", "unknown operation", func(c *vm.Code) { c.Instrs[0].Op = 9999 }},
		{"register out of range", "reads registers", at(vm.OpAdd, func(in *vm.Instr) { in.A = 1 << 20 })},
		{"negative register", "reads registers", at(vm.OpAdd, func(in *vm.Instr) { in.B = -1 })},
		{"vector past the end", "registers", at(vm.OpAdd, func(in *vm.Instr) { in.N = 60000 })},
		{"no components", "registers", at(vm.OpAdd, func(in *vm.Instr) { in.N = 0 })},
		{"write to an input", "writes", at(vm.OpAdd, func(in *vm.Instr) { in.D = 2 })},
		{"write to a constant", "writes", func(c *vm.Code) { first(t, c, vm.OpAdd).D = int32(c.Regs - 1) }},
		{"mask out of range", "mask", at(vm.OpIf, func(in *vm.Instr) { in.B = 500 })},
		{"mask of the active lanes", "mask", at(vm.OpEnter, func(in *vm.Instr) { in.A = vm.MaskActive })},
		{"jump out of the code", "jump", at(vm.OpTest, func(in *vm.Instr) { in.C = 1 << 20 })},
		{"jump backwards", "jump", at(vm.OpTest, func(in *vm.Instr) { in.C = 0 })},
		{"jump into a body", "jump to", at(vm.OpTest, func(in *vm.Instr) { in.C-- })},
		{"repeat forwards", "jump back", at(vm.OpRepeat, func(in *vm.Instr) { in.C = 1 << 19 })},
		{"repeat out of its loop", "repeat leaves", at(vm.OpRepeat, func(in *vm.Instr) { in.C = 0 })},
		{"leave into no construct's set", "no open construct", at(vm.OpLeave, func(in *vm.Instr) { in.D = vm.FixedMasks })},
		{"merge of another construct", "merge does not match", at(vm.OpMerge, func(in *vm.Instr) { in.D++ })},
		{"unclosed construct", "", at(vm.OpMerge, func(in *vm.Instr) { *in = vm.Instr{Op: vm.OpMove, N: 1, D: vm.InputRegs, A: 0} })},
		{"access out of range", "access", at(vm.OpLoad, func(in *vm.Instr) { in.C = 1000 })},
		{"access of another width", "components through", at(vm.OpLoad, func(in *vm.Instr) { in.N++ })},
		{"access to an unknown space", "out of range", func(c *vm.Code) { c.Accesses[0].Space = 9 }},
		{"fixed access past its memory", "reaches word", func(c *vm.Code) {
			for i := range c.Accesses {
				if !c.Accesses[i].Runtime {
					c.Accesses[i].Base += 1 << 20
				}
			}
		}},
		{"element larger than its stride", "past its element", func(c *vm.Code) {
			for i := range c.Accesses {
				if c.Accesses[i].Runtime {
					c.Accesses[i].Base += 5
				}
			}
		}},
		{"runtime access without an index", "needs an index", func(c *vm.Code) {
			for i := range c.Instrs {
				if in := &c.Instrs[i]; in.Op == vm.OpLoad && c.Accesses[in.C].Runtime {
					in.A = vm.None
				}
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := cloned(base)
			test.corrupt(c)
			_, err := vm.Verify(c)
			if !errors.Is(err, vm.ErrInvalid) || !strings.Contains(err.Error(), test.detail) {
				t.Errorf("error %v, want one about %q", err, test.detail)
			}
		})
	}
}

// Every name in the table must be there and unlike the others, so that a disassembly can be read.
func TestOperationsHaveDistinctNames(t *testing.T) {
	seen := map[string]bool{}
	for op, info := range vm.Ops {
		if info.Name == "" || seen[info.Name] {
			t.Errorf("operation %d is called %q", op, info.Name)
		}
		seen[info.Name] = true
	}
}

func TestLinkChecksMemories(t *testing.T) {
	v, err := vm.Verify(sampleCode(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, memory := range [][]vm.Memory{nil, {{}, {}}, {{Words: make([]uint32, 7)}, {}}} {
		if _, err := v.Link(memory); err == nil {
			t.Errorf("linked with %d memories", len(memory))
		}
	}
}

// FuzzVerify changes single words of good code and runs it on memories extra words larger than needed. Verify must not panic, and what it accepts must run
// without panicking.
func FuzzVerify(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0}, uint8(0))
	f.Add([]byte{10, 1, 3, 255, 255, 255, 7, 3, 4, 1, 0, 0}, uint8(9))
	base := sampleCode(f)
	f.Fuzz(func(t *testing.T, edits []byte, extra uint8) {
		c := cloned(base)
		for ; len(edits) >= 6; edits = edits[6:] {
			edit(c, edits)
		}
		text := vm.Disassemble(c)
		v, err := vm.Verify(c)
		if err != nil {
			return
		}
		run(v, int(extra))
		if len(text) == 0 {
			t.Error("accepted code that cannot be printed")
		}
	})
}

// edit applies one change: which word, and its new value or the difference to the old one.
func edit(c *vm.Code, e []byte) {
	value := int32(int16(uint16(e[2])|uint16(e[3])<<8)) + int32(e[4]&1)<<20
	if e[5]&1 == 1 {
		a := &c.Accesses[int(e[0])%len(c.Accesses)]
		field := []*int32{&a.Space, &a.Base, &a.Stride, &a.Len, &a.Origin, &a.N}[int(e[1])%6]
		*field = value
		a.Runtime = a.Runtime != (e[5]&2 != 0)
		return
	}
	in := &c.Instrs[(int(e[0])|int(e[5])>>2<<8)%len(c.Instrs)]
	switch e[1] % 6 {
	case 0:
		in.Op = vm.Op(value) % vm.Op(len(vm.Ops))
	case 1:
		in.N = uint16(value)
	default:
		field := []*int32{&in.D, &in.A, &in.B, &in.C}[e[1]%6-2]
		if e[4]&2 != 0 {
			value += *field
		}
		*field = value
	}
}

func run(v *vm.Verified, extra int) {
	memory := make([]vm.Memory, len(v.Code().Spaces))
	for i, s := range v.Code().Spaces {
		memory[i] = vm.Memory{Words: make([]uint32, s.Words+extra), Contended: i&1 == 0}
	}
	p, err := v.Link(memory)
	if err != nil {
		return
	}
	g := p.NewGroup(nil)
	g.Start([3]uint32{1, 2, 3}, [3]uint32{4, 4, 4}, 100)
	g.Run(20000)
}
