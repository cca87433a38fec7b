package workload

import (
	"path"
	"slices"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/megakernel/kernel"
)

// editedLanes is the workgroup size of a kernel whose handlers are edited: that of vyretop check.
const editedLanes = 8

// Editing is the kernel that handler files are part of, while one of them is edited.
type Editing struct {
	Main    *source.File
	Options glsl.Options
	// Check finds what is wrong with a kernel whose text has no error. The error is source.Diagnostics, or about the whole.
	Check func(*tree.Program) error
}

// Edit gives the kernel of the workload, with the texts that override gives in place of those on disk, by their names in positions.
// The file also is part of it even if the manifest does not name it. Errors match ErrManifest or kernel.ErrConfig.
func (m *Manifest) Edit(override func(name string) (text string, ok bool), also string) (*Editing, error) {
	s, err := m.handlers(func(name string) (*source.File, error) {
		shown := path.Join(m.shown, name)
		if text, ok := override(shown); ok {
			return &source.File{Name: shown, Text: text}, nil
		}
		return m.source(name)
	})
	if err != nil {
		return nil, err
	}
	for i := range m.Buffers {
		s.Buffers = append(s.Buffers, Buffer{Name: m.Buffers[i].Name, Binding: m.Buffers[i].Binding, Pos: m.bindingPos(i)})
	}
	c := s.Config()
	c.Pages = m.Driver != "" // drivers may ask for them
	check := func(p *tree.Program) error {
		if err := kernel.CheckHandlers(c, p); err != nil || m.Driver != "" {
			return err // drivers have buffers that the manifest does not name
		}
		return s.CheckBindings(p)
	}
	return edit(c, check, override, also)
}

// EditHandler gives a kernel of one handler file, of no manifest.
func EditHandler(override func(name string) (text string, ok bool), file string) (*Editing, error) {
	return edit(kernel.Config{Name: "handler", Operations: true}, nil, override, file)
}

func edit(c kernel.Config, check func(*tree.Program) error, override func(name string) (string, bool), also string) (*Editing, error) {
	named := func(f *source.File) bool { return f.Name == also }
	if text, ok := override(also); ok && !slices.ContainsFunc(c.Sources, named) && !kernel.IsOwnFile(also) {
		c.Sources = append(c.Sources, &source.File{Name: also, Text: text})
		check = nil
	}
	c.WorkgroupSize = editedLanes
	main, o, err := kernel.Source(c)
	if err != nil {
		return nil, err
	}
	return &Editing{Main: main, Options: o, Check: check}, nil
}
