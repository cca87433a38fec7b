package emit

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Prefix begins the name of every function, structure and table of a prelude.
const Prefix = "vt_f_"

// Device says what is known of a device's floats; the zero value trusts it with nothing but
// integers and precise double addition, subtraction and multiplication.
type Device struct {
	// IEEE: single precise additions, subtractions, multiplications, comparisons, and the conversions
	// between float and double, are those of IEEE 754, denormals included.
	IEEE bool
	// Wide: double precise comparisons are those of IEEE 754, and so are the conversions between float and
	// double, denormals included. IEEE contains the conversions.
	Wide bool
	// Doubles: divisions, square roots and comparisons of doubles are those of IEEE 754, denormals included.
	Doubles bool
	// Elements: variables with components of 64 bits may be indexed with what is not constant.
	Elements bool
	// Subgroups: it has GL_KHR_shader_subgroup, with subgroups as large as the program's. Without, invocations of a subgroup
	// run in step.
	Subgroups bool

	native uint32 // bits by place in nativeNames
}

// WithNative leaves a function to the device, whose error the kernel's caller tolerates. A name that
// is not one of nativeNames is ignored.
func (d Device) WithNative(name string) Device {
	if i := slices.Index(nativeNames, name); i >= 0 {
		d.native |= 1 << i
	}
	return d
}

// nativeNames are the functions that may be left to a device, as a user names them.
var nativeNames = []string{"/", "sqrt", "inversesqrt", "pow", "exp", "log", "exp2", "log2", "sin", "cos", "tan",
	"asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"}

// ours are the names of the library that differ from the user's.
var ours = map[string]string{"/": "div", "inversesqrt": "inverseSqrt"}

// The libraries are read when a kernel first needs them: most commands need none.
var (
	ieeeLibraries    = librariesOf(&ieeeText)
	wideLibraries    = librariesOf(&wideText)
	guardedLibraries = librariesOf(&guardedText)
	intrinsicLibrary = sync.OnceValue(func() library { return newLibrary(intrinsicText) })
)

// librariesOf are the libraries for devices whose operations on floats a text has: that for devices whose doubles are not trusted, and
// that for those whose are.
func librariesOf(floats *string) [2]func() library {
	common := func() []string { return []string{coreText, integerText, doubleText, routinesText, *floats} }
	return [2]func() library{
		sync.OnceValue(func() library { return newLibrary(common()...) }),
		sync.OnceValue(func() library { return newLibrary(append(common(), doubleNativeText)...) }),
	}
}

// Prelude is the functions that one kernel uses.
type Prelude struct {
	Device  Device
	library library
	native  map[string]bool // functions to take from intrinsicLibrary
	have    map[use]bool
	doubles bool // a function on doubles is called
	text    strings.Builder
}

// use is a function at a width: the number of components it works on.
type use struct {
	name  string
	width int
}

// NewPrelude makes an empty prelude.
func NewPrelude(d Device) *Prelude {
	libraries, doubles := guardedLibraries, 0
	switch {
	case d.IEEE:
		libraries = ieeeLibraries
	case d.Wide:
		libraries = wideLibraries
	}
	if d.Doubles {
		doubles = 1
	}
	p := &Prelude{Device: d, library: libraries[doubles](), native: map[string]bool{}, have: map[use]bool{}}
	for i, name := range nativeNames {
		p.native[cmp.Or(ours[name], name)] = d.native>>i&1 != 0
	}
	return p
}

// doubleEnd is the end of the names of functions on doubles.
const doubleEnd = "D"

// Call adds a function, with what it needs, and gives its full name. The name is that of the library,
// without prefix; the width is that of the arguments, 1 for a function of fixed types.
func (p *Prelude) Call(name string, width int) string {
	p.doubles = p.doubles || strings.HasSuffix(name, doubleEnd)
	p.add(use{name, width})
	return Prefix + name
}

func (p *Prelude) add(u use) {
	if p.have[u] {
		return
	}
	p.have[u] = true
	it := p.library[u.name]
	if p.native[u.name] {
		it = intrinsicLibrary()[u.name]
	}
	if it == nil {
		panic("BUG: the prelude has no function " + u.name)
	}
	if u.width > 1 && !it.generic() && it.head != nil {
		p.add(use{u.name, 1})
	} else {
		for _, name := range it.needs {
			p.add(use{name, u.width})
		}
	}
	p.text.WriteString(it.at(u.name, u.width))
	p.text.WriteByte('\n')
}

// Text is the GLSL of all functions added so far, each after what it needs.
func (p *Prelude) Text() string { return p.text.String() }
