package glsl

import (
	"maps"
	"slices"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// typeExtensions add types and functions on them. A text that enables one without a use of what is not in the language is taken:
// the types of 32 bits are names of others.
var typeExtensions = wordSet(`GL_EXT_shader_explicit_arithmetic_types GL_EXT_shader_explicit_arithmetic_types_int8
	GL_EXT_shader_explicit_arithmetic_types_int16 GL_EXT_shader_explicit_arithmetic_types_int32 GL_EXT_shader_explicit_arithmetic_types_int64
	GL_EXT_shader_explicit_arithmetic_types_float16 GL_EXT_shader_explicit_arithmetic_types_float32
	GL_EXT_shader_explicit_arithmetic_types_float64 GL_EXT_shader_8bit_storage GL_EXT_shader_16bit_storage
	GL_ARB_gpu_shader_int64 GL_ARB_gpu_shader_fp64 GL_EXT_shader_subgroup_extended_types_int8
	GL_EXT_shader_subgroup_extended_types_int16 GL_EXT_shader_subgroup_extended_types_int64
	GL_EXT_shader_subgroup_extended_types_float16 GL_EXT_nonuniform_qualifier
	GL_EXT_shader_atomic_float GL_EXT_shader_atomic_float2 GL_NV_shader_atomic_float GL_NV_shader_atomic_float64
	GL_INTEL_shader_atomic_float_minmax GL_EXT_shader_atomic_int64 GL_NV_shader_atomic_int64 GL_AMD_gpu_shader_half_float GL_AMD_gpu_shader_int16
	GL_AMD_shader_trinary_minmax`)

// trinaryExtension adds min3, mid3 and max3.
const trinaryExtension = "GL_AMD_shader_trinary_minmax"

// narrowExtensions add types of 8 and 16 bits. Those for storage only add their arithmetic here as well.
var narrowExtensions = map[string][]tree.Kind{
	"GL_EXT_shader_explicit_arithmetic_types":         tree.NarrowKinds(),
	"GL_EXT_shader_explicit_arithmetic_types_int8":    {tree.KindInt8, tree.KindUint8},
	"GL_EXT_shader_explicit_arithmetic_types_int16":   {tree.KindInt16, tree.KindUint16},
	"GL_EXT_shader_explicit_arithmetic_types_float16": {tree.KindFloat16},
	"GL_EXT_shader_8bit_storage":                      {tree.KindInt8, tree.KindUint8},
	"GL_EXT_shader_16bit_storage":                     {tree.KindInt16, tree.KindUint16, tree.KindFloat16},
	"GL_EXT_shader_subgroup_extended_types_int8":      {tree.KindInt8, tree.KindUint8},
	"GL_EXT_shader_subgroup_extended_types_int16":     {tree.KindInt16, tree.KindUint16},
	"GL_EXT_shader_subgroup_extended_types_float16":   {tree.KindFloat16},
	"GL_AMD_gpu_shader_half_float":                    {tree.KindFloat16},
	"GL_AMD_gpu_shader_int16":                         {tree.KindInt16, tree.KindUint16},
}

// narrowKinds are the kinds of 8 and 16 bits that the text enables; nil means none.
func narrowKinds(p *parser) map[tree.Kind]bool {
	var m map[tree.Kind]bool
	for _, x := range p.pre.Extensions {
		if kinds := narrowExtensions[x.Name]; kinds != nil && enabled(p, x.Name) {
			m = withKinds(m, kinds)
		}
	}
	return m
}

func withKinds(m map[tree.Kind]bool, kinds []tree.Kind) map[tree.Kind]bool {
	if m == nil {
		m = map[tree.Kind]bool{}
	}
	for _, k := range kinds {
		m[k] = true
	}
	return m
}

// typeAliases are other names that they add for types of the language.
var typeAliases = map[string]string{
	"int32_t": "int", "i32vec2": "ivec2", "i32vec3": "ivec3", "i32vec4": "ivec4",
	"uint32_t": "uint", "u32vec2": "uvec2", "u32vec3": "uvec3", "u32vec4": "uvec4",
	"float32_t": "float", "f32vec2": "vec2", "f32vec3": "vec3", "f32vec4": "vec4",
	"float64_t": "double", "f64vec2": "dvec2", "f64vec3": "dvec3", "f64vec4": "dvec4",
}

// nonuniform says that an index differs between invocations, which it may everywhere here.
const nonuniform = "nonuniformEXT"

// withAliases puts the language's own words in the place of those of extensions that the text enables.
func withAliases(p *parser) {
	p.int64 = slices.ContainsFunc(int64Extensions, func(x string) bool { return enabled(p, x) })
	p.narrow = narrowKinds(p)
	used := func(x string) bool { return enabled(p, x) }
	if !slices.ContainsFunc(slices.Collect(maps.Keys(typeExtensions)), used) {
		return
	}
	out := make([]source.Token, 0, len(p.toks))
	for i, t := range p.toks {
		if t.Kind == source.Ident {
			if t.Text == nonuniform && i+1 < len(p.toks) && p.toks[i+1].Text == "(" {
				continue
			}
			if alias := typeAliases[t.Text]; alias != "" {
				t.Text = alias
			}
		}
		out = append(out, t)
	}
	p.toks = out
}
