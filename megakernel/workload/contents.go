package workload

import (
	"fmt"
	"iter"

	"vyretop/engine"
	"vyretop/engine/glsl/source"
	"vyretop/tasks"
)

// Setup says what the kernel needs for the manifest, with the given value of every flag.
func (m *Manifest) Setup(flags map[string]uint32) (*Setup, error) {
	s, err := m.handlers(m.source)
	if err != nil {
		return nil, err
	}
	for i := range m.Buffers {
		b, err := m.buffer(i, flags)
		if err != nil {
			return nil, err
		}
		s.Buffers = append(s.Buffers, b)
	}
	return s, nil
}

// Handlers is the setup with the handlers as their files are now, and with the names and bindings of buffers alone.
func (m *Manifest) Handlers() (*Setup, error) {
	s, err := m.handlers(m.source)
	if err != nil {
		return nil, err
	}
	for i := range m.Buffers {
		s.Buffers = append(s.Buffers, Buffer{Name: m.Buffers[i].Name, Binding: m.Buffers[i].Binding, Pos: m.bindingPos(i)})
		s.sizes = append(s.sizes, m.Buffers[i].Words)
	}
	return s, nil
}

// handlers is the setup without buffers; read gives the text of a handler file.
func (m *Manifest) handlers(read func(name string) (*source.File, error)) (*Setup, error) {
	s := &Setup{Name: m.Name, Iterations: m.Iterations, UnorderedSpawns: m.UnorderedSpawns, UnorderedResults: m.UnorderedResults, Operations: m.Operations, Observables: m.Observables, Automaton: m.Automaton}
	files := map[string]*source.File{}
	for _, o := range m.Opcodes {
		f := files[o.File]
		if f == nil {
			var err error
			if f, err = read(o.File); err != nil {
				return nil, err
			}
			files[o.File] = f
			s.Sources = append(s.Sources, f)
		}
		s.Handlers = append(s.Handlers, Handler{Opcode: o.Number, Name: o.Name, Function: o.Function, File: f.Name, Cooperative: o.Cooperative})
	}
	return s, nil
}

// bindingPos is where the binding of buffer i is written.
func (m *Manifest) bindingPos(i int) source.Pos {
	return source.Pos{File: m.file, Line: m.lines.find(itemKey("buffer", i) + ".binding"), Col: 1}
}

// buffer makes buffer i with its initial contents.
func (m *Manifest) buffer(i int, flags map[string]uint32) (Buffer, error) {
	spec := &m.Buffers[i]
	b := Buffer{Name: spec.Name, Binding: spec.Binding, HostVisible: spec.HostVisible, Unordered: spec.Unordered, Initial: spec.Values}
	b.Pos = m.bindingPos(i)
	var err error
	if spec.File != "" {
		words, err := m.words(spec.File)
		if err != nil {
			return b, err
		}
		b.Initial = words
	}
	b.Words = len(b.Initial)
	if spec.HasWords {
		n, err := spec.Words.Eval(Env{Flags: flags})
		if err != nil {
			return b, m.evalError("buffer", i, "words", err)
		}
		if n == 0 || n > MaxBufferWords || int(n) < len(b.Initial) {
			return b, m.sizeError("buffer", i, "words", fmt.Sprintf("%d words, of which the contents need %d", n, len(b.Initial)), fmt.Sprintf("use %d..%d words", max(1, len(b.Initial)), MaxBufferWords))
		}
		b.Words = int(n)
	}
	if b.Picture, err = m.picture(i, b.Words, flags); err != nil || !spec.HasFill {
		return b, err
	}
	b.Initial = make([]uint32, b.Words)
	for k := range b.Initial {
		v, err := spec.Fill.Eval(Env{Index: uint32(k), Flags: flags})
		if err != nil {
			return b, m.evalError("buffer", i, "fill", err)
		}
		b.Initial[k] = v
	}
	return b, nil
}

func (m *Manifest) evalError(list string, i int, key string, err error) error {
	return Invalid(ErrValue, Where(m.file, m.lines.find(itemKey(list, i)+"."+key), ""), key+" has no value", err, "change the expression or the flags in it")
}

func (m *Manifest) sizeError(list string, i int, key, detail, fix string) error {
	return Invalid(ErrSize, Where(m.file, m.lines.find(itemKey(list, i)+"."+key), ""), detail, nil, fix)
}

// words reads a file of little-endian words.
func (m *Manifest) words(name string) ([]uint32, error) {
	data, err := m.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(data)%4 != 0 || len(data) == 0 {
		return nil, Invalid(ErrSize, Where(m.file, 0, name), fmt.Sprintf("%d bytes are no whole number of 32-bit words", len(data)), nil, "pad the file to a multiple of 4 bytes")
	}
	return engine.DecodeWords(data), nil
}

// countTasks adds up the counts of the initial tasks.
func (m *Manifest) countTasks(flags map[string]uint32) (int64, error) {
	var total int64
	for i, t := range m.Tasks {
		n, err := t.Count.Eval(Env{Flags: flags})
		if err != nil {
			return 0, m.evalError("task", i, "count", err)
		}
		if total += int64(n); total > MaxTasks {
			return 0, m.sizeError("task", i, "count", fmt.Sprintf("there are more than %d initial tasks", MaxTasks), "let handlers spawn tasks instead")
		}
	}
	if total == 0 {
		return 0, m.sizeError("task", 0, "count", "the manifest has no initial task", "give a count of at least 1")
	}
	return total, nil
}

// initialTasks makes the initial tasks in order, without ids.
func (m *Manifest) initialTasks(flags map[string]uint32) iter.Seq2[tasks.Task, error] {
	return func(yield func(tasks.Task, error) bool) {
		for i := range m.Tasks {
			n, err := m.Tasks[i].Count.Eval(Env{Flags: flags})
			if err != nil {
				yield(tasks.Task{}, m.evalError("task", i, "count", err))
				return
			}
			for k := range n {
				t, err := m.makeTask(i, Env{Index: k, Flags: flags})
				if !yield(t, err) || err != nil {
					return
				}
			}
		}
	}
}

func (m *Manifest) makeTask(i int, env Env) (tasks.Task, error) {
	spec := &m.Tasks[i]
	t := tasks.Task{State: tasks.Ready, Opcode: spec.Opcode, Tenant: spec.Tenant, Priority: spec.Priority}
	for _, f := range []struct {
		key string
		e   Expr
		to  *uint32
	}{{"input", spec.Input, &t.InputHandle}, {"output", spec.Output, &t.OutputHandle}, {"param", spec.Param, &t.Param}} {
		v, err := f.e.Eval(env)
		if err != nil {
			return t, m.evalError("task", i, f.key, err)
		}
		*f.to = v
	}
	return t, nil
}
