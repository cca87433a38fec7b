package kernel

import (
	"strings"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/megakernel"
)

// Source gives the generated text that includes all others of a megakernel, and how it is compiled: what an editor checks
// while handler files have errors. Errors match ErrConfig.
func Source(c Config) (*source.File, glsl.Options, error) {
	c.setDefaults()
	if err := c.validate(); err != nil {
		return nil, glsl.Options{}, err
	}
	k := &Kernel{Config: c, Layout: megakernel.NewSchedLayout(c.Slots)}
	return k.mainFile(), k.options(), nil
}

// CheckHandlers refuses what Assemble refuses of handlers whose text has no error. Errors match ErrConfig.
func CheckHandlers(c Config, p *tree.Program) error { return c.checkBarriers(p) }

// OwnFile is the text of one of the kernel's own files, by its name in positions.
func OwnFile(name string) (text string, ok bool) {
	if !IsOwnFile(name) {
		return "", false
	}
	f, err := ownFile(nil, name)
	if err != nil {
		return "", false
	}
	return f.Text, true
}

// IsOwnFile reports whether a name in positions is that of a file of the kernel, a generated one included.
func IsOwnFile(name string) bool { return strings.HasPrefix(name, prefix) }
