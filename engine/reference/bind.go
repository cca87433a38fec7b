package reference

import (
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// bind finds the buffer of each block, by block ID, and keeps all of them from being freed.
func (p *Pipeline) bind(op string, bindings []engine.Binding) ([]*buffer, error) {
	blocks := p.program.Tree.Buffers
	list := make([]*buffer, len(blocks))
	for _, binding := range bindings {
		i := blockAt(blocks, binding.Index)
		if i < 0 {
			return nil, invalid(op, fmt.Sprintf("binding %d is not in the kernel", binding.Index), "bind what the kernel declares")
		}
		if list[i] != nil {
			return nil, invalid(op, fmt.Sprintf("binding %d is given twice", binding.Index), "bind each buffer once")
		}
		b, ok := binding.Buffer.(*buffer)
		if !ok || b.backend != p.backend {
			return nil, invalid(op, fmt.Sprintf("the buffer of binding %d belongs to another backend", binding.Index), "allocate it from this backend")
		}
		list[i] = b
	}
	for i, block := range blocks {
		if err := checkBuffer(op, block, list[i]); err != nil {
			return nil, err
		}
	}
	return list, acquireAll(op, list)
}

func blockAt(blocks []*tree.Buffer, index uint32) int {
	for i, b := range blocks {
		if b.Binding == int(index) {
			return i
		}
	}
	return -1
}

func checkBuffer(op string, block *tree.Buffer, b *buffer) error {
	if b == nil {
		return invalid(op, fmt.Sprintf("no buffer for binding %d (%s)", block.Binding, block.Name), "bind every buffer of the kernel")
	}
	if need := minWords(block); b.Size() < need {
		return invalid(op, fmt.Sprintf("buffer %q has %d words, %s needs %d", b.name, b.Size(), block.Name, need), "allocate a larger buffer")
	}
	return nil
}

// minWords is the fixed part of a block and one element of its runtime array.
func minWords(block *tree.Buffer) int {
	n := block.Block.Size() / 4
	if m := block.RuntimeArray(); m != nil {
		n = max(n, m.Offset/4+m.Type.Stride()/4)
	}
	return max(n, 1)
}

func acquireAll(op string, list []*buffer) error {
	for i, b := range list {
		if err := b.acquire(op); err != nil {
			for _, held := range list[:i] {
				held.release()
			}
			return err
		}
	}
	return nil
}

// session is a program linked to its buffers, with the workgroups that have run it.
type session struct {
	buffers []*buffer
	linked  *vm.Linked
	groups  []*vm.Group // not in use
}

// session links the program to buffers, or takes the one of an earlier dispatch on the same ones.
func (p *Pipeline) session(buffers []*buffer) (*session, error) {
	p.mu.Lock()
	s := p.idle
	p.idle = nil
	p.mu.Unlock()
	if s != nil && slices.Equal(s.buffers, buffers) {
		return s, nil
	}
	spaces := p.Code().Spaces
	memory := make([]vm.Memory, len(spaces))
	for i, b := range buffers {
		memory[i] = vm.Memory{Words: b.words, Contended: b.place == engine.HostVisible || p.backend.opts.Parallel > 0}
	}
	linked, err := p.code.Link(memory)
	return &session{buffers: buffers, linked: linked}, err
}

// keep stores a session for the next dispatch, until one of its buffers is freed.
func (p *Pipeline) keep(s *session) {
	p.mu.Lock()
	if !p.closed {
		p.idle = s
	}
	p.mu.Unlock()
	for _, b := range s.buffers {
		b.hold(p)
	}
}

// forget drops the session if it holds the memory of b.
func (p *Pipeline) forget(b *buffer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle != nil && slices.Contains(p.idle.buffers, b) {
		p.idle = nil
	}
}

// group takes an idle workgroup or makes one.
func (s *session) group(observer vm.Observer) *vm.Group {
	if n := len(s.groups); n > 0 {
		g := s.groups[n-1]
		s.groups = s.groups[:n-1]
		g.Observe(observer)
		return g
	}
	return s.linked.NewGroup(observer)
}
