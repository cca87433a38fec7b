package conformance

import "regexp"

// unsettled lists the operations that are not yet the same on every backend, by the names that
// Features gives them. Cases that use one are left out and counted; the random programs avoid them.
// A row goes away when its operations are made exact.
var unsettled = []struct {
	operations *regexp.Regexp
	reason     string
}{
	{regexp.MustCompile(`^(binary|assign)\.[-+*/]=?\((float|vec)`), nanBits},
	{regexp.MustCompile(`^(unary\.-|step\.[-+x]+)\((float|vec)`), nanBits},
	{regexp.MustCompile(`^builtin\.(abs|floor|ceil|trunc|round|roundEven|fract|modf|dot|cross|packHalf2x16|unpackHalf2x16|packSnorm2x16|packSnorm4x8)\((float|vec|uint\))`), nanBits},
	{regexp.MustCompile(`^builtin\.(min|max|clamp|mix|step|sign|fma|frexp|ldexp|mod)\((float|vec)`), "drivers differ in zeros, NaN, denormals or rounding"},
	{regexp.MustCompile(`^builtin\.[iu]mulExtended\(`), "llvmpipe with LLVM 15 computes or compiles it wrongly, see docs/kernel-language.md"},
	{regexp.MustCompile(`^builtin\.(radians|degrees|a?(sin|cos|tan)h?|pow|exp2?|log2?|sqrt|inversesqrt|smoothstep|length|distance|normalize)\(`), "GLSL leaves the last bits open"},
}

const nanBits = "the bits of a NaN depend on the driver"

// Unsettled reports whether an operation is left out, and why.
func Unsettled(feature string) (reason string, off bool) {
	for _, u := range unsettled {
		if u.operations.MatchString(feature) {
			return u.reason, true
		}
	}
	return "", false
}

// unsettledIn finds the first operation of a program that is left out.
func unsettledIn(features []string) (feature, reason string) {
	for _, f := range features {
		if reason, off := Unsettled(f); off {
			return f, reason
		}
	}
	return "", ""
}
