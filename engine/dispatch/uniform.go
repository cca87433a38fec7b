package dispatch

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/fold"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/units"
)

// patch is one word that a buffer has when a dispatch begins, whatever its input says.
type patch struct {
	word  int
	value uint32
	mask  uint32 // bits that it changes
}

// patches are the values of the uniforms of a program by binding: what the text initializes, then what the request gives.
func (r *Request) patches(p *engine.Program) (map[uint32][]patch, error) {
	if p.Tree == nil {
		if len(r.Uniforms) > 0 {
			return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the uniforms of %q are not known, because it is outside the kernel language", p.Name), Fix: "leave --uniform out, or keep to docs/kernel-language.md"}
		}
		return nil, nil
	}
	list := map[uint32][]patch{}
	for _, b := range p.Tree.Buffers {
		for _, initial := range b.Initial {
			m := &b.Block.Members[initial.Member]
			list[uint32(b.Binding)] = appendValue(list[uint32(b.Binding)], m.Type, m.Offset, initial.Value.Bits)
		}
	}
	for _, name := range keys(r.Uniforms) {
		b, t, offset, err := findUniform(p.Tree, name)
		if err != nil {
			return nil, err
		}
		bits, err := values(name, t, r.Uniforms[name])
		if err != nil {
			return nil, err
		}
		list[uint32(b.Binding)] = appendValue(list[uint32(b.Binding)], t, offset, bits)
	}
	return list, nil
}

// appendValue adds the words of a value that begins offset bytes into its buffer.
func appendValue(list []patch, t *tree.Type, offset int, bits []uint32) []patch {
	i := 0
	t.EachComponent(offset, func(offset int, k tree.Kind) {
		for n := range k.Words() {
			value, mask := fold.Stored(k, offset, bits[i])
			list = append(list, patch{word: offset/wordBytes + n, value: value, mask: mask})
			i++
		}
	})
	return list
}

// findUniform finds what a name such as light.color, pc.size or weights[2] means.
func findUniform(p *tree.Program, name string) (b *tree.Buffer, t *tree.Type, offset int, err error) {
	steps := strings.FieldsFunc(strings.ReplaceAll(name, "[", ".["), func(r rune) bool { return r == '.' })
	b, t, steps = uniformBlock(p, steps)
	if b == nil || len(steps) == 0 {
		return nil, nil, 0, unknownUniform(p, name)
	}
	for _, step := range steps {
		var ok bool
		if t, offset, ok = stepInto(t, offset, step); !ok {
			return nil, nil, 0, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("--uniform %s: a value of type %s has no %s", name, t, step), Fix: "name one of its members or elements"}
		}
	}
	return b, t, offset, nil
}

// uniformBlock finds the block that a path begins in, its type, and what of the path is inside the block.
func uniformBlock(p *tree.Program, steps []string) (*tree.Buffer, *tree.Type, []string) {
	if len(steps) == 0 {
		return nil, nil, nil
	}
	for _, b := range p.Buffers {
		first := steps[0]
		if len(steps) > 1 && strings.HasPrefix(steps[1], "[") && strings.HasSuffix(b.Instance, "]") {
			first += steps[1]
		}
		body := &tree.Type{Class: tree.ClassStruct, Struct: b.Block}
		switch {
		case !b.Uniform:
		case b.Instance == "" && b.Block.Find(steps[0]) >= 0:
			return b, body, steps
		case first != "" && (first == b.Instance || first == b.Name):
			if first != steps[0] {
				return b, body, steps[2:]
			}
			return b, body, steps[1:]
		}
	}
	return nil, nil, nil
}

// stepInto selects a member by its name, or an element by [index].
func stepInto(t *tree.Type, offset int, step string) (*tree.Type, int, bool) {
	if index, element := strings.CutPrefix(step, "["); element {
		index, closed := strings.CutSuffix(index, "]")
		i, err := strconv.Atoi(index)
		if !closed || err != nil || t.Class != tree.ClassArray || t.Matrix || i < 0 || i >= t.Len {
			return t, 0, false
		}
		return t.Elem, offset + i*t.Stride(), true
	}
	if t.Class != tree.ClassStruct {
		return t, 0, false
	}
	i := t.Struct.Find(step)
	if i < 0 {
		return t, 0, false
	}
	m := &t.Struct.Members[i]
	return m.Type, offset + m.Offset, true
}

// unknownUniform lists the uniforms that a kernel has.
func unknownUniform(p *tree.Program, name string) error {
	var have []string
	for _, b := range p.Buffers {
		if !b.Uniform {
			continue
		}
		for i := range b.Block.Members {
			m := b.Block.Members[i].Name
			if b.Instance != "" {
				m = b.Instance + "." + m
			}
			have = append(have, m)
		}
	}
	slices.Sort(have)
	fix := "leave it out: the kernel has no uniforms"
	if len(have) > 0 {
		fix = "use one of " + strings.Join(have, ", ")
	}
	return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("unknown --uniform %q", name), Fix: fix}
}

// values reads the components of a value, separated by commas or blanks; brackets only group them.
func values(name string, t *tree.Type, text string) ([]uint32, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\n(){}[]", r) })
	n := 0
	t.EachComponent(0, func(int, tree.Kind) { n++ })
	if len(words) != n {
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("--uniform %s: %s has %s, and %q gives %d", name, t, units.Plural(n, "component"), text, len(words)), Fix: fmt.Sprintf("give %s, separated by commas", units.Plural(n, "value"))}
	}
	var bits []uint32
	var wrong error
	t.EachComponent(0, func(_ int, k tree.Kind) {
		word := words[0]
		words = words[1:]
		v, err := glsl.ParseScalar(word, k)
		if err != nil && wrong == nil {
			wrong = &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("--uniform %s: %q is not a value of type %s", name, word, k), Fix: "write numbers as GLSL does, and bools as true or false"}
		}
		bits = append(bits, v...)
	})
	return bits, wrong
}

// apply writes the patches of a buffer.
func (bl *block) apply(ctx context.Context, buf engine.Buffer) error {
	for _, at := range bl.patches {
		if at.word >= buf.Size() {
			return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the uniform at byte %d of %q is beyond its %d bytes", at.word*wordBytes, bl.spec.Name, bl.bytes), Fix: "give a larger --size or a longer --in, or leave them out"}
		}
		if err := at.apply(ctx, buf); err != nil {
			return err
		}
	}
	return nil
}

// apply writes the bits of a patch; those beside them stay.
func (at patch) apply(ctx context.Context, buf engine.Buffer) error {
	word := []uint32{0}
	if at.mask != ^uint32(0) {
		if err := buf.Download(ctx, at.word, word); err != nil {
			return err
		}
	}
	word[0] = word[0]&^at.mask | at.value
	return buf.Upload(ctx, at.word, word)
}
