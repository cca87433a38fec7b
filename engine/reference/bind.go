package reference

import (
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// bind finds the buffer of each block, by block ID, and of the indirect grid, and keeps all of them
// from being freed. The bindings have been admitted.
func (d *Dispatch) bind(op string, bindings []engine.Binding) error {
	blocks := d.pipeline.program.Tree.Buffers
	d.buffers = make([]*buffer, len(blocks), len(blocks)+1)
	for _, binding := range bindings {
		i := slices.IndexFunc(blocks, func(b *tree.Buffer) bool { return b.Binding == int(binding.Index) })
		b, err := d.pipeline.backend.own(op, binding.Buffer)
		if err != nil {
			return err
		}
		d.buffers[i] = b
	}
	held := d.buffers
	if d.cfg.Indirect.Buffer != nil {
		b, err := d.pipeline.backend.own(op, d.cfg.Indirect.Buffer)
		if err != nil {
			return err
		}
		d.indirect = b
		held = append(held, b)
	}
	d.held = held
	return acquireAll(op, held)
}

// own gives a buffer of this backend as what it is.
func (b *Backend) own(op string, any engine.Buffer) (*buffer, error) {
	buf, ok := any.(*buffer)
	if !ok || buf.backend != b {
		return nil, invalid(op, fmt.Sprintf("buffer %q belongs to another backend", any.Name()), "allocate it on this backend")
	}
	return buf, b.survived(op, buf.generation)
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
	if w := p.backend.opts.Watcher; w != nil && err == nil {
		linked = linked.Hooked(w.Hooks(p.program.Tree, p.lowered))
	}
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
