// Package glsl is the front end of the kernel language: it compiles GLSL 4.50 compute source to a
// typed tree (package tree) and to the text an OpenGL driver gets, both from one token stream.
//
// The kernel language is the subset of GLSL 4.50 on bool, int, uint and float: docs/kernel-language.md
// lists it. What GLSL itself forbids is reported as Malformed; GLSL that the subset does not cover as
// OutsideSubset, and such a kernel may still run on a driver. Parsing and checking happen in one
// pass; package preprocess has run before, and package fold gives constant expressions their values.
package glsl

import (
	"maps"
	"slices"

	"vyretop/engine/glsl/narrow"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Options says how Compile works; the zero value compiles a text without includes.
type Options struct {
	preprocess.Options

	// SharedWithHost names the buffer blocks (by block name) that the host, or anything else outside
	// the kernel, writes while the kernel runs; nil names none. Plain reads of them in loops are
	// warned about.
	SharedWithHost func(block string) bool

	// LocalSize, when not zero, is the workgroup size in the place of what the text says. gl_WorkGroupSize
	// follows it; what else depends on the size does not: see Unit.FixedLocalSize.
	LocalSize [3]uint32

	// Spec gives specialization constants (constant_id, local_size_x_id and their like) other values than the text, as
	// GLSL writes them.
	Spec map[uint32]string

	// Subgroup is how many invocations a subgroup has, a power of two up to MaxSubgroup; 0 means DefaultSubgroup.
	Subgroup int

	IndexChecks IndexChecks

	// Marks are statements to be added. Each line has one on which a statement begins (StatementLines).
	Marks []Mark

	// Touches are the values whose writes the kernel notices.
	Touches []Touch

	// NoInline says which functions drivers are to compile on their own, by Function.NoInline; nil names none. A function that
	// calls such a one, main, and one that shares its name with another cannot be one. `#pragma vyretop noinline` names all.
	NoInline func(*tree.Function) bool

	// TreeOnly leaves Unit.Text out where there is a Program: nothing but the tree is used then.
	TreeOnly bool

	// Header is put after the #version and #extension lines of Unit.Text.
	Header []string
}

// Unit is a compiled kernel.
type Unit struct {
	Program  *tree.Program      // nil when the kernel is outside the subset
	Text     string             // GLSL 4.50 for a driver; "" where Options.TreeOnly leaves it out
	Lines    preprocess.LineMap // from lines of Text to source positions
	Formats  []string           // debugf formats; the index is the format id
	Files    []string           // every file that contributed, the kernel's own first
	Warnings source.Diagnostics

	// What a driver's caller must know of a kernel outside the subset too: the blocks that were
	// understood, and the workgroup size, zero when the kernel gives it in a way that was not.
	Buffers   []*tree.Buffer
	LocalSize [3]uint32

	// FixedLocalSize says that the kernel names its workgroup size, by a macro or a constant, or by
	// #pragma vyretop fixed_workgroup, so that other lines may depend on it.
	FixedLocalSize bool
}

// fixedPragma is the line by which a kernel says that it depends on its workgroup size.
const fixedPragma = "vyretop fixed_workgroup"

// noInlinePragma is the line by which a kernel says that drivers are to compile its functions on their own.
const noInlinePragma = "vyretop noinline"

// Compile preprocesses, parses and checks f. The error is a source.Diagnostics with every error and
// warning, in the order in which they were found. When all its errors are OutsideSubset the Unit is
// returned too, without Program: a driver may be able to run its Text. An error of the preprocessor
// always means no Unit, because there is not text then.
func Compile(f *source.File, o Options) (*Unit, error) {
	pre, diags, ok := preprocessed(f, o.Options)
	if !ok {
		return nil, diags
	}
	says := func(text string) bool {
		return slices.ContainsFunc(pre.Pragmas, func(p preprocess.Pragma) bool { return p.Text == text })
	}
	fixed := fixedLocalSize(pre.Tokens) || says(fixedPragma)
	if o.NoInline == nil && says(noInlinePragma) {
		o.NoInline = func(*tree.Function) bool { return true }
	}
	if o.LocalSize != [3]uint32{} {
		pre.Apply(localSizeEdits(pre.Tokens, o.LocalSize))
	}
	p := newParser(pre, o)
	p.diags, p.errors = diags, len(diags.Errors())
	p.run(f.Name)
	u, err := p.unit(pre)
	if u != nil {
		u.FixedLocalSize = fixed
	}
	return u, err
}

// preprocessed runs the preprocessor. A text whose #error asks for an extension is read again with the macros
// of the extensions it asked for, so that a driver that has them may be given the text; the error stays. false: the result is of
// a text with other errors.
func preprocessed(f *source.File, o preprocess.Options) (*preprocess.Result, source.Diagnostics, bool) {
	o.Supported = slices.Sorted(maps.Keys(coreExtensions))
	o.Supported = slices.AppendSeq(o.Supported, maps.Keys(subgroupExtensions))
	pre, diags := preprocess.Run(f, o)
	errs := diags.Errors()
	if len(errs) == 0 {
		return pre, diags, true
	}
	malformed := func(d source.Diagnostic) bool { return d.Kind != source.OutsideSubset }
	if slices.ContainsFunc(errs, malformed) {
		return pre, diags, false
	}
	o.Supported = append(o.Supported, pre.Asked...)
	pre, again := preprocess.Run(f, o)
	if more := again.Errors(); len(more) > 0 {
		return pre, append(diags, more...), false
	}
	return pre, diags, true
}

// newParser prepares a parser for preprocessed tokens.
func newParser(pre *preprocess.Result, o Options) *parser {
	p := &parser{
		opts:   o,
		pre:    pre,
		toks:   withImages(pre.Tokens),
		prog:   &tree.Program{Formats: pre.Formats, Files: pre.Files},
		scopes: []*scope{inputScope(), {names: map[string]*symbol{}}},
		layout: layoutState{spec: map[uint32]bool{}},
	}
	if enabled(p, variableSizeExtension) {
		p.scopes[0].names[variableSizeInput] = &symbol{kind: symLocalSize}
	}
	withAliases(p)
	withPacking(p)
	withSubgroups(p)
	return p
}

// run parses the module and then checks what only the whole text shows.
func (p *parser) run(file string) {
	p.checkVersion(file)
	p.checkExtensions()
	p.module()
	end := p.toks[len(p.toks)-1].Pos
	p.recovering = p.failed
	copyFunctions(p)
	p.popScope(end)
	p.checkModule(end)
	checkSpec(p, file)
	checkMarks(p)
	if p.errors == 0 {
		p.finish()
	}
}

// finish completes the tree of a kernel without errors.
func (p *parser) finish() {
	pruneLibrary(p)
	for i, f := range p.prog.Functions {
		f.ID = i
	}
	p.prog.LocalSize = p.layout.localSize
	assignBindings(p)
	p.checkAccesses()
	addTouches(p)
	checkIndexes(p.prog, p.opts.IndexChecks, p.noted.marked)
	if p.noted.narrow || slices.ContainsFunc(p.prog.Buffers, func(b *tree.Buffer) bool { return b.Layout.Scalar }) {
		for _, d := range narrow.Rewrite(p.prog) {
			p.add(d)
		}
	}
	p.prog.Operations = tree.CollectOperations(p.prog)
}

// unit makes the result of Compile.
func (p *parser) unit(pre *preprocess.Result) (*Unit, error) {
	errs := p.diags.Errors()
	for _, d := range errs {
		if d.Kind != source.OutsideSubset {
			return nil, p.diags
		}
	}
	u := &Unit{Formats: pre.Formats, Files: pre.Files, Warnings: p.diags.Warnings(),
		Buffers: storageBlocks(p, len(errs) > 0), LocalSize: p.layout.localSize}
	if len(errs) > 0 || !p.opts.TreeOnly {
		u.Text, u.Lines = pre.Emit(preprocess.EmitOptions{ExtraHeader: p.opts.Header})
	}
	if len(errs) > 0 {
		return u, p.diags
	}
	u.Program = p.prog
	if p.opts.NoInline != nil {
		u.Program.SetNoInline(p.opts.NoInline)
	}
	return u, nil
}

// versions are those whose compute shaders are read, by the rules of 4.50, and their profiles.
var versions = map[int]string{420: "core", 430: "core", 440: "core", 450: "core", 460: "core", 310: "es", 320: "es"}

// checkVersion: the kernel language is GLSL 4.50 core; what differs in versions beside it is a matter of extensions.
func (p *parser) checkVersion(file string) {
	pos := p.pre.VersionPos
	if !pos.IsValid() {
		p.malformed(source.Pos{File: file, Line: 1, Col: 1}, "#version", "begin the kernel with: #version 450", "the kernel has no #version")
		return
	}
	profile, known := versions[p.pre.Version]
	if p.pre.Profile == "compatibility" && profile == "core" { // what it adds for compute kernels are names, each outside of the language
		return
	}
	if !known || p.pre.Profile != profile && (p.pre.Profile != "" || profile == "es") {
		p.foreign = true
		p.outside(pos, "#version", "write: #version 450", "the kernel language is GLSL 4.50 core, not %d %s", p.pre.Version, p.pre.Profile)
	}
}

// The extensions by which attributes stand before statements, images that are read need no format, and the workgroup size is that of
// the dispatch.
const (
	attributesExtension   = "GL_EXT_control_flow_attributes"
	formattedExtension    = "GL_EXT_shader_image_load_formatted"
	variableSizeExtension = "GL_ARB_compute_variable_group_size"
)

// coreExtensions are part of GLSL 4.50, or about #include, and change nothing; or they are taken here.
var coreExtensions = wordSet(`GL_ARB_compute_shader GL_ARB_shader_storage_buffer_object GL_ARB_gpu_shader5
	GL_ARB_shading_language_420pack GL_ARB_shading_language_packing GL_ARB_shader_bit_encoding
	GL_ARB_arrays_of_arrays GL_ARB_explicit_attrib_location GL_ARB_enhanced_layouts
	GL_ARB_shader_image_load_store GL_ARB_shader_image_size GL_ARB_texture_gather GL_ARB_texture_query_levels
	GL_ARB_texture_cube_map_array GL_ARB_texture_rectangle GL_ARB_texture_buffer_object GL_ARB_uniform_buffer_object
	GL_ARB_explicit_uniform_location GL_ARB_separate_shader_objects GL_ARB_shader_precision GL_ARB_texture_buffer_range
	GL_ARB_texture_storage GL_ARB_program_interface_query GL_KHR_vulkan_glsl
	GL_EXT_control_flow_attributes GL_EXT_shader_image_load_formatted GL_EXT_samplerless_texture_functions
	GL_EXT_scalar_block_layout GL_ARB_compute_variable_group_size
	GL_OES_shader_image_atomic GL_EXT_gpu_shader5 GL_OES_gpu_shader5 GL_EXT_texture_cube_map_array GL_OES_texture_cube_map_array
	GL_EXT_texture_buffer GL_OES_texture_buffer GL_OES_texture_storage_multisample_2d_array GL_EXT_shader_implicit_conversions
	GL_EXT_shader_non_constant_global_initializers GL_ARB_texture_multisample GL_ARB_shader_texture_image_samples
	GL_GOOGLE_include_directive GL_GOOGLE_cpp_style_line_directive GL_ARB_shading_language_include`)

// enabled reports whether the text enables an extension.
func enabled(p *parser, name string) bool {
	on := false
	for _, x := range p.pre.Extensions {
		if x.Name == name || x.Name == "all" {
			on = x.Behavior != "disable"
		}
	}
	return on
}

// checkExtensions: an extension that is only wished for (warn) or switched off does not matter.
func (p *parser) checkExtensions() {
	for _, x := range p.pre.Extensions {
		if x.Behavior != "require" && x.Behavior != "enable" {
			continue
		}
		p.foreign = p.foreign || x.Name == ballotExtension
		if coreExtensions[x.Name] || subgroupExtensions[x.Name] || x.Name == "all" {
			p.prog.Extensions = append(p.prog.Extensions, x.Name)
			continue
		}
		if typeExtensions[x.Name] {
			p.foreign = true // what else it adds is outside of the language
			p.prog.Extensions = append(p.prog.Extensions, x.Name)
			continue
		}
		p.foreign = true
		if x.Behavior == "enable" { // GLSL 4.50 section 3.3: a warning where it is not supported
			p.suspicious(x.Pos, x.Name, "write the kernel without it", "the extension %s is outside the kernel language, and so is what it adds", x.Name)
			continue
		}
		p.outside(x.Pos, x.Name, "write the kernel without it", "the extension %s is outside the kernel language", x.Name)
	}
}
