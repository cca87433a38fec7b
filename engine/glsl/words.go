package glsl

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/tree"
)

// typeWords are the keywords that name a type of the subset.
var typeWords = buildTypeWords()

func buildTypeWords() map[string]*tree.Type {
	m := map[string]*tree.Type{"void": tree.Void}
	for columns := 2; columns <= 4; columns++ {
		for rows := 2; rows <= 4; rows++ {
			for prefix, k := range map[string]tree.Kind{"": tree.KindFloat, "d": tree.KindDouble} {
				t := tree.Matrix(k, columns, rows)
				m[t.String()] = t
				m[fmt.Sprintf("%smat%dx%d", prefix, columns, rows)] = t
			}
		}
	}
	addVectors(m, tree.KindBool, tree.KindInt, tree.KindUint, tree.KindFloat, tree.KindDouble)
	return m
}

// addVectors adds the words for scalars and vectors of some kinds.
func addVectors(m map[string]*tree.Type, kinds ...tree.Kind) {
	for _, k := range kinds {
		for w := 1; w <= 4; w++ {
			t := tree.Vector(k, w)
			m[t.String()] = t
		}
	}
}

// int64Words name the types of integers of 64 bits; they are keywords only while an extension adds them.
var int64Words = func() map[string]*tree.Type {
	m := map[string]*tree.Type{}
	addVectors(m, tree.KindInt64, tree.KindUint64)
	return m
}()

// int64Extensions add these types.
var int64Extensions = []string{"GL_ARB_gpu_shader_int64", "GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_explicit_arithmetic_types_int64", "GL_EXT_shader_subgroup_extended_types_int64"}

// narrowWords name the types of 8 and 16 bits; they are keywords only while an extension adds them.
var narrowWords = func() map[string]*tree.Type {
	m := map[string]*tree.Type{}
	addVectors(m, tree.NarrowKinds()...)
	for columns := 2; columns <= 4; columns++ {
		for rows := 2; rows <= 4; rows++ {
			t := tree.Matrix(tree.KindFloat16, columns, rows)
			m[t.String()] = t
			m[fmt.Sprintf("f16mat%dx%d", columns, rows)] = t
		}
	}
	return m
}()

// typeWord is the type that a word names by the language and the extensions that are enabled, or nil.
func typeWord(p *parser, word string) *tree.Type {
	if t := typeWords[word]; t != nil {
		return t
	}
	if p.narrow != nil {
		if t := narrowWords[word]; t != nil && p.narrow[t.ComponentKind()] {
			p.noted.narrow = true
			return t
		}
	}
	if p.int64 {
		if t := int64Words[word]; t != nil {
			need(p, int64Extensions[0])
			return t
		}
	}
	return nil
}

// wordSet is a set of words written as one text.
func wordSet(text string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		m[w] = true
	}
	return m
}

// outsideTypes are the keywords that name a type GLSL has and the subset has not (section 3.6).
var outsideTypes = buildOutsideTypes()

func buildOutsideTypes() map[string]bool {
	m := wordSet("atomic_uint")
	dims := strings.Fields("1D 2D 3D Cube 1DArray 2DArray CubeArray 2DRect Buffer 2DMS 2DMSArray")
	for _, p := range []string{"", "i", "u"} {
		for _, d := range dims {
			m[p+"sampler"+d] = true
			m[p+"image"+d] = true
		}
	}
	for _, d := range strings.Fields("1D 2D Cube 1DArray 2DArray CubeArray 2DRect") {
		m["sampler"+d+"Shadow"] = true
	}
	return m
}

// IsOpaque reports whether word is the type of an image or a sampler.
func IsOpaque(word string) bool {
	return outsideTypes[word] && (strings.Contains(word, "image") || strings.Contains(word, "sampler"))
}

// extensionTypes are type names that extensions add; they are keywords only while one is enabled.
var extensionTypes = wordSet(`int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
	float16_t float32_t float64_t i8vec2 i8vec3 i8vec4 u8vec2 u8vec3 u8vec4 i16vec2 i16vec3 i16vec4
	u16vec2 u16vec3 u16vec4 i64vec2 i64vec3 i64vec4 u64vec2 u64vec3 u64vec4 f16vec2 f16vec3 f16vec4
	f16mat2 f16mat3 f16mat4 f16mat2x2 f16mat2x3 f16mat2x4 f16mat3x2 f16mat3x3 f16mat3x4 f16mat4x2 f16mat4x3 f16mat4x4`)

// outsideQualifiers are qualifiers GLSL has and the subset has not, or not at module scope.
var outsideQualifiers = wordSet(`attribute varying centroid flat smooth noperspective patch
	sample invariant subroutine`)

var memoryWords = map[string]tree.Memory{
	"coherent": tree.Coherent, "volatile": tree.Volatile, "restrict": tree.Restrict,
	"readonly": tree.ReadOnly, "writeonly": tree.WriteOnly,
}

var precisionWords = wordSet("lowp mediump highp")

// plainQualifiers are the other qualifier keywords of the subset.
var plainQualifiers = wordSet("const in out inout uniform buffer shared precise layout")

var statementWords = wordSet(`break continue do for while switch case default if else true false
	discard return struct precision`)

// reservedWords may not be used at all (section 3.6, the last list).
var reservedWords = wordSet(`common partition active asm class union enum typedef template this resource
	goto inline noinline public static extern external interface long short half fixed unsigned superp
	input output hvec2 hvec3 hvec4 fvec2 fvec3 fvec4 sampler3DRect filter sizeof cast namespace using`)

// isKeyword reports whether word cannot name anything a kernel declares.
func isKeyword(word string) bool {
	return typeWords[word] != nil || outsideTypes[word] || isQualifier(word) || statementWords[word] ||
		reservedWords[word]
}

// isQualifier reports whether word can begin or continue a list of qualifiers.
func isQualifier(word string) bool {
	return plainQualifiers[word] || precisionWords[word] || outsideQualifiers[word] || memoryWords[word] != 0
}

// outsideFunctions are built-in functions GLSL has and the subset has not.
var outsideFunctions = wordSet(`textureQueryLod textureSamples
	imageSamples
	atomicCounter atomicCounterIncrement atomicCounterDecrement
	memoryBarrierAtomicCounter
	noise1 noise2 noise3 noise4
	anyInvocation allInvocations allInvocationsEqual atomicCounterAdd atomicCounterSubtract atomicCounterMin
	atomicCounterMax atomicCounterAnd atomicCounterOr atomicCounterXor atomicCounterExchange atomicCounterCompSwap`)

// WordKind is what a word of a kernel's text is to a reader.
type WordKind int

// The kinds of words.
const (
	WordName      WordKind = iota // that the kernel declares, or that is unknown
	WordType                      // of GLSL, within the kernel language or not
	WordQualifier                 // as in, buffer, coherent
	WordStatement                 // as for, return, true
	WordFunction                  // that is built in
)

// KindOf says what a word is by the language alone: a kernel may declare a function with the name of a built-in one.
func KindOf(word string) WordKind {
	switch {
	case typeWords[word] != nil || outsideTypes[word] || extensionTypes[word]:
		return WordType
	case isQualifier(word):
		return WordQualifier
	case statementWords[word] || reservedWords[word]:
		return WordStatement
	case tree.LookupBuiltin(word) != nil || outsideFunctions[word] || packingNames[word] || imageFunctions[word].call != nil && !strings.HasPrefix(word, "vt_"):
		return WordFunction
	}
	return WordName
}
