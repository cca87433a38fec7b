package kernel

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
)

// opcodes defines a macro for each handler, by which other handlers spawn tasks of it: OPCODE_TURN for "turn". A name that the
// protocol has keeps the protocol's number, one that several handlers would have is not defined, and one that a handler file
// declares is the file's own.
func (c *Config) opcodes() (list []preprocess.Define) {
	for _, h := range c.Handlers {
		name := OpcodeConstant(h.Name)
		if name == "" || isShared(name) || c.declares(name) {
			continue
		}
		other := func(x Handler) bool { return x.Opcode != h.Opcode && OpcodeConstant(x.Name) == name }
		if !slices.ContainsFunc(c.Handlers, other) {
			list = append(list, preprocess.Define{Name: name, Body: fmt.Sprintf("%du", h.Opcode)})
		}
	}
	return list
}

// OpcodeConstant is what an opcode with a name is called in handler files; "" where the name makes no identifier.
func OpcodeConstant(name string) string {
	constant := "OPCODE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	if !constantName.MatchString(constant) || strings.Contains(constant, "__") {
		return "" // GLSL reserves two underscores in a row
	}
	return constant
}

var constantName = regexp.MustCompile(`^[A-Z0-9_]+$`)

// isShared reports whether a name is one of the constants that kernels and host share.
func isShared(name string) bool {
	for _, g := range megakernel.Constants() {
		if slices.ContainsFunc(g.Constants, func(c megakernel.Constant) bool { return c.Name == name }) {
			return true
		}
	}
	return false
}

// declares reports whether a handler file defines a name, as a macro or a constant.
func (c *Config) declares(name string) bool {
	declared := regexp.MustCompile(`(#[ \t]*define|\buint)\s+` + name + `\b`)
	return slices.ContainsFunc(c.Sources, func(f *source.File) bool { return declared.MatchString(f.Text) })
}
