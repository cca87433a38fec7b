package engine

import (
	"vyretop/engine/glsl/emit"
)

// Floats is what a backend knows of its device's float arithmetic. The zero value trusts the device
// with integers, and with precise additions, subtractions and multiplications of doubles.
type Floats struct {
	// IEEE: single precise additions, subtractions, multiplications and comparisons of floats, and
	// conversions between float and double, are those of IEEE 754, denormals included.
	IEEE bool
	// Wide: conversions between float and double, and comparisons of doubles, are those of IEEE 754, denormals
	// included. Additions, subtractions and multiplications of floats are then right when made with doubles.
	Wide bool
	// Doubles: divisions, square roots and comparisons of doubles are those of IEEE 754, denormals included.
	Doubles bool
	// Elements: variables with components of 64 bits may be indexed with what is not constant.
	Elements bool
	// Subgroups: the device has GL_KHR_shader_subgroup.
	Subgroups bool
	// Bounds is the error of the device's own functions, by name (see emit.Device.WithNative), in units in the
	// last place: for normal arguments within the domain that GLSL gives the function, and normal
	// results. A function that is not listed has no known bound.
	Bounds map[string]uint8
}

// UsesFloats reports whether p's text depends on what is known of a device's floats.
func (p *Program) UsesFloats() bool { return p.usesFloats }

// UsesDoubles reports whether p computes with doubles.
func (p *Program) UsesDoubles() bool { return p.usesDoubles }

// UsesElements reports whether p indexes variables with components of 64 bits.
func (p *Program) UsesElements() bool { return p.usesElements }

// For returns p with its text written for a device whose floats are as f says, and for dispatches that
// allow an error of that many units in the last place. Lines stay where they are. A program whose text
// does not depend on it, or is outside the kernel language, is returned as it is.
func (p *Program) For(f Floats, ulpBudget uint8) *Program {
	d := emit.Device{IEEE: f.IEEE, Wide: f.Wide && !f.IEEE, Doubles: f.Doubles && p.usesDoubles, Elements: f.Elements || !p.usesElements, Subgroups: f.Subgroups && p.Subgroup() > 1}
	for name, bound := range f.Bounds {
		if bound <= ulpBudget {
			d = d.WithNative(name)
		}
	}
	if !p.usesFloats && !p.usesElements && !d.Subgroups || d == textDevice {
		return p
	}
	q := *p
	out := emit.Text(p.Tree, d)
	q.Text, q.Shared = withHeader(out.Text, p.header), out.Shared
	return &q
}

// textDevice is the device that Program.Text is written for: most are such.
var textDevice = emit.Device{IEEE: true, Elements: true}
