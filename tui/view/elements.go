package view

import (
	"strconv"
	"strings"

	"vyretop/megakernel"
)

// elementName says which part of which element a word is: "[12].y", "Cell[3]+2", "head+1".
func elementName(b *megakernel.BufferInfo, i int) string {
	if b.Element == "" {
		return "+" + strconv.Itoa(i)
	}
	if i < b.HeadWords {
		return "head+" + strconv.Itoa(i)
	}
	i -= b.HeadWords
	name, part := "["+strconv.Itoa(i/b.StrideWords)+"]", i%b.StrideWords
	switch n := components(b.Element); {
	case n == 1:
		return name
	case n > part:
		return name + "." + "xyzw"[part:part+1]
	case n > 0:
		return name + " padding"
	case b.StrideWords == 1:
		return b.Element + name
	}
	return b.Element + name + "+" + strconv.Itoa(part)
}

// components is the number of components of a scalar or vector type of GLSL, 0 for any other type.
//
// Source: The OpenGL Shading Language 4.50, section 4.1, Basic Types.
func components(element string) int {
	switch element {
	case "uint", "int", "float", "bool":
		return 1
	}
	n := len(element) - 1
	if n >= 3 && strings.HasSuffix(element[:n], "vec") && element[n] >= '2' && element[n] <= '4' {
		return int(element[n] - '0')
	}
	return 0
}

// elementMeaning reads a word as the type of its element says, or is empty where decimal says it all.
func elementMeaning(b *megakernel.BufferInfo, i int, v uint32) string {
	if b.Element == "" || i < b.HeadWords {
		return ""
	}
	switch {
	case b.Element == "float" || strings.HasPrefix(b.Element, "vec"):
		return FormatWord(v, FloatFormat)
	case b.Element == "int" || strings.HasPrefix(b.Element, "ivec"):
		return FormatWord(v, SignedFormat)
	case b.Element == "bool" || strings.HasPrefix(b.Element, "bvec"):
		return strconv.FormatBool(v != 0)
	default:
		return ""
	}
}
