package kernel

import (
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/megakernel/layout"
)

// Earlier is what a target whose handlers are reloaded has in memory from the texts before: numbers in records of the log, and in
// how activations began. Their entries keep their numbers, and those of this text come behind.
type Earlier struct {
	Formats []string `json:",omitempty"` // of debugf
	Files   []string `json:",omitempty"` // by their number in __FILE__
	Text    int      `json:",omitempty"` // number of this text among those of the target, from 0
}

// Reloaded is the configuration of the kernel with other handler files, number text of its target. What this kernel has left in
// memory keeps its numbers.
func (k *Kernel) Reloaded(handlers []Handler, sources []*source.File, text int) Config {
	c := k.Config
	c.Handlers, c.Sources, c.Hot, c.Core = slices.Clone(handlers), slices.Clone(sources), nil, false
	c.Earlier = Earlier{Formats: k.Program.Formats, Files: k.Program.Files, Text: text}
	return c
}

// Unlike lists in what the memory of this kernel differs from that of another one, whose handlers are to take its place. There is
// nothing to list where they can.
func (k *Kernel) Unlike(next *Kernel) (list []string) {
	list = append(k.unlikeOpcodes(next), k.unlikeConfig(next)...)
	bindings := map[uint32]bool{}
	for _, specs := range [][]engine.BufferSpec{k.Program.Buffers, next.Program.Buffers} {
		for _, b := range specs {
			if b.Binding >= megakernel.FirstUserBinding && !bindings[b.Binding] {
				bindings[b.Binding] = true
				list = append(list, k.unlikeBuffer(next, b.Binding)...)
			}
		}
	}
	return list
}

func (k *Kernel) unlikeOpcodes(next *Kernel) (list []string) {
	for _, h := range k.Config.Handlers {
		i := slices.IndexFunc(next.Config.Handlers, func(x Handler) bool { return x.Opcode == h.Opcode })
		switch {
		case i < 0:
			list = append(list, fmt.Sprintf("opcode %d (%s) has no handler: tasks of it may wait", h.Opcode, h.Name))
		case next.Config.Handlers[i].Cooperative != h.Cooperative:
			list = append(list, fmt.Sprintf("opcode %d (%s): cooperative is %t, and was %t", h.Opcode, h.Name, !h.Cooperative, h.Cooperative))
		case next.Config.Handlers[i].Name != h.Name && slices.ContainsFunc(next.Config.Handlers, func(x Handler) bool { return x.Name == h.Name }):
			list = append(list, fmt.Sprintf("opcode %d is %s, and was %s: opcodes are renumbered", h.Opcode, next.Config.Handlers[i].Name, h.Name))
		}
	}
	return list
}

func (k *Kernel) unlikeConfig(next *Kernel) (list []string) {
	a, b := &k.Config, &next.Config
	if a.Operations != b.Operations || a.Pages != b.Pages {
		list = append(list, "the operations of the protocol that the kernel runs")
	}
	if a.Automaton != b.Automaton {
		list = append(list, fmt.Sprintf("the automaton is %q, and was %q", b.Automaton, a.Automaton))
	}
	return list
}

func specOf(p *engine.Program, binding uint32) *engine.BufferSpec {
	for i := range p.Buffers {
		if p.Buffers[i].Binding == binding {
			return &p.Buffers[i]
		}
	}
	return nil
}

// unlikeBuffer compares the declarations of the buffer with a binding. Of a text outside the kernel language only the sizes are known.
func (k *Kernel) unlikeBuffer(next *Kernel, binding uint32) []string {
	was, is := specOf(k.Program, binding), specOf(next.Program, binding)
	switch {
	case is == nil:
		return []string{fmt.Sprintf("buffer %s with binding %d is not declared", was.Name, binding)}
	case was == nil:
		return []string{fmt.Sprintf("buffer %s with binding %d is new", is.Name, binding)}
	}
	at := fmt.Sprintf("buffer %s with binding %d", is.Name, binding)
	before, now := k.BufferLayout(binding), next.BufferLayout(binding)
	if before != nil && now != nil {
		if text := unlikeType(before, now, ""); text != "" {
			return []string{at + ": " + text}
		}
		return nil
	}
	if was.HeadWords != is.HeadWords || was.StrideWords != is.StrideWords || was.Count != is.Count || was.Element != is.Element {
		return []string{fmt.Sprintf("%s: elements of %d words behind %d, and they were of %d words behind %d", at, is.StrideWords, is.HeadWords, was.StrideWords, was.HeadWords)}
	}
	return nil
}

// unlikeType says where the words of two types first differ; names of members may.
func unlikeType(was, is *layout.Type, path string) string {
	describe := func(t *layout.Type) string { return fmt.Sprintf("%s of %d words", t.Name, t.Words) }
	if (was.Elem == nil) != (is.Elem == nil) || was.Kind != is.Kind || was.Width != is.Width || was.Len != is.Len || was.Stride != is.Stride {
		return fmt.Sprintf("%s is %s, and was %s", path, describe(is), describe(was))
	}
	if was.Elem != nil {
		return unlikeType(was.Elem, is.Elem, path+"[]")
	}
	for i := range min(len(was.Members), len(is.Members)) {
		a, b := &was.Members[i], &is.Members[i]
		name := b.Name
		if path != "" {
			name = path + "." + name
		}
		if a.Offset != b.Offset {
			return fmt.Sprintf("%s is at word %d, and %s was at word %d", name, b.Offset, a.Name, a.Offset)
		}
		if text := unlikeType(a.Type, b.Type, name); text != "" {
			return text
		}
	}
	switch {
	case len(is.Members) > len(was.Members):
		return fmt.Sprintf("member %s is new", is.Members[len(was.Members)].Name)
	case len(is.Members) < len(was.Members):
		return fmt.Sprintf("member %s is gone", was.Members[len(is.Members)].Name)
	}
	return ""
}

// SourceText is the text of one of the workload's files.
func (k *Kernel) SourceText(name string) (text string, ok bool) {
	i := slices.IndexFunc(k.Config.Sources, func(f *source.File) bool { return f.Name == name })
	if i < 0 {
		return "", false
	}
	return k.Config.Sources[i].Text, true
}
