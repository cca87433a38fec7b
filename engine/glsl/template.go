package glsl

import (
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// A parameter that is an image or a texture can only stand for one of those at module scope (GLSL 4.50 section 4.1.7). So a
// function that has such parameters is checked where it is defined, and parsed again for each combination of images with
// which it is called. The program has these copies in its place.

// maxCopiedTokens bounds the tokens that are parsed again.
const maxCopiedTokens = 1 << 18

// opaqueTypes are the types of images and textures in the parameters of functions. No value has one.
var opaqueTypes = buildOpaqueTypes()

func buildOpaqueTypes() map[string]*tree.Type {
	m := map[string]*tree.Type{}
	for word := range outsideTypes {
		if !IsOpaque(word) {
			continue
		}
		if _, ok := imageType(word); ok {
			m[word] = &tree.Type{Class: tree.ClassStruct, Struct: &tree.Struct{Name: word}}
		}
	}
	for word := range separateTextures {
		m[word] = &tree.Type{Class: tree.ClassStruct, Struct: &tree.Struct{Name: word}}
	}
	for _, word := range []string{samplerWord, shadowSamplerWord} {
		m[word] = &tree.Type{Class: tree.ClassStruct, Struct: &tree.Struct{Name: word}}
	}
	return m
}

// isOpaqueType reports whether t is the type of a parameter that is an image or a texture.
func isOpaqueType(t *tree.Type) bool {
	return t.Class == tree.ClassStruct && opaqueTypes[t.Struct.Name] == t
}

// imageArg is an image or a texture where a function of the kernel takes it as an argument.
type imageArg struct {
	tree.Node
	image *symbol
}

// functionCopy is a function with images in the place of its parameters.
type functionCopy struct {
	of     *overload
	fn     *tree.Function
	images []*symbol // in the order of the parameters
	next   int       // of images: that of the next parameter
}

// copying is what a parser keeps of functions with images as parameters.
type copying struct {
	now    *functionCopy // being parsed, or nil
	limit  int           // token up to which names at module scope are declared for it
	open   []*functionCopy
	made   map[*overload]map[string]*tree.Function
	places map[*overload]int // in Program.Functions
	tokens int               // parsed again

	qualifiers []qualifiers // of the parameters parsed last
}

// place notes where a function with images as parameters stands.
func (c *copying) place(o *overload, at int) {
	if c.places == nil {
		c.places = map[*overload]int{}
	}
	c.places[o] = at
}

// visible reports whether a name at module scope is declared for the text that is parsed.
func (c *copying) visible(at int) bool { return c.now == nil || at <= c.limit }

// hasImages reports whether a function takes images or textures.
func hasImages(params []tree.Param) bool {
	return slices.ContainsFunc(params, func(q tree.Param) bool { return isOpaqueType(q.Type) })
}

// argument parses an argument of a function, which may be an image.
func argument(p *parser) tree.Expr {
	t := p.tok()
	if s := p.lookup(t.Text); t.Kind == source.Ident && s != nil && s.kind == symSampler {
		p.next()
		return &imageArg{Node: tree.Node{T: opaqueType(s), At: t.Pos}, image: s}
	} else if !isCombination(p) && (t.Kind != source.Ident || s == nil || s.kind != symImage) {
		return p.assignment()
	}
	s := image(p)
	switch {
	case s == nil:
		return broken(t.Pos)
	case s.index != nil:
		p.outside(t.Pos, t.Text, "use a constant index", "an image that is passed to a function has a constant index")
		return broken(t.Pos)
	}
	return &imageArg{Node: tree.Node{T: opaqueType(s), At: t.Pos}, image: s}
}

// image parses the name of an image or a texture; nil when it names something else, which is reported.
func image(p *parser) *symbol {
	t := p.tok()
	if isCombination(p) {
		return combined(p)
	}
	if t.Kind != source.Ident || isKeyword(t.Text) {
		if x := p.assignment(); !isBroken(x) {
			p.malformed(t.Pos, t.Text, "name an image or a sampler", "this is not an image")
		}
		return nil
	}
	p.next()
	s := p.lookup(t.Text)
	switch {
	case p.recovering:
		return nil
	case s == nil:
		p.undeclared(t)
		return nil
	case s.kind == symBroken:
		return nil
	case p.inspecting && s.kind == symInstance && s.buffer.Image != nil:
		s = &symbol{kind: symImage, buffer: s.buffer, buffers: s.buffers}
	case s.kind != symImage:
		p.malformed(t.Pos, t.Text, "name an image or a sampler", "%q is not an image", t.Text)
		return nil
	}
	p.names.used(t, s)
	if s.buffers == nil {
		return s
	}
	return imageElement(p, s, t)
}

// imageParameter parses a parameter that is an image or a texture, behind its qualifiers.
func imageParameter(p *parser, q qualifiers, im tree.Image) *tree.Variable {
	word := p.next()
	name := source.Token{Pos: word.Pos}
	if p.tok().Kind == source.Ident {
		name = p.ident("the name of a parameter")
	}
	if p.is("[") {
		p.outside(p.pos(), word.Text, "pass one image each", "arrays of images as parameters are outside the kernel language")
		p.dimensions()
	}
	v := &tree.Variable{Name: name.Text, Kind: tree.VarParam, Type: opaqueTypes[word.Text], Const: true, Pos: name.Pos}
	s := &symbol{kind: symImage, variable: v, access: q.memory}
	if c := p.noted.copying.now; c != nil {
		s.buffer = c.images[c.next].buffer
		c.next++
	} else {
		imageParameterQualifiers(p, q, &im)
		s.buffer = imageBuffer(name, q.memory, im)
	}
	in := p.innermost()
	v.Scope.Start = p.pos()
	in.vars = append(in.vars, v)
	p.declare(name, s)
	return v
}

// imageParameterQualifiers checks the qualifiers of a parameter that is an image, and notes its format. One that has none takes images of every format.
func imageParameterQualifiers(p *parser, q qualifiers, im *tree.Image) {
	if q.storage != "" && q.storage != "in" && q.storage != "const" {
		p.malformed(q.pos, q.storage, "remove it", "a parameter that is an image cannot be %q", q.storage)
	}
	if im.Sampled && q.memory != 0 {
		p.malformed(q.pos, "qualifier", "remove it", "a texture takes no memory qualifier")
	}
	im.Unit, im.Components, im.Format = freeBinding, 4, ""
	for _, id := range q.layout {
		if f, format := imageFormats[id.name]; format && !im.Sampled && imageKind(id.name) == im.Kind {
			im.Format, im.Components = id.name, f.components
			continue
		}
		p.malformed(id.pos, id.name, "remove it", "a parameter that is an image has no layout but a format")
	}
}

// copyCall calls the copy of a function for the images among its arguments.
func copyCall(p *parser, o *overload, name source.Token, passed []tree.Arg) tree.Expr {
	call := &tree.Call{Node: tree.Node{T: o.fn.Result, At: name.Pos}, Func: o.fn, Inserted: name.Inserted}
	var images []*symbol
	good := true
	for i, a := range passed {
		x, is := a.X.(*imageArg)
		if !is {
			call.Args = append(call.Args, a)
			continue
		}
		good = passImage(p, o, i, x) && good
		images = append(images, x.image)
	}
	switch {
	case !good:
		return broken(name.Pos)
	case p.fn != nil && p.noted.copying.now == nil && hasImages(p.fn.params):
		p.noteCall(o, o.fn, name.Pos) // its copies call copies
		return call
	}
	call.Func = copyOf(p, o, images)
	p.noteCall(o, call.Func, name.Pos)
	return call
}

// passImage checks that a parameter keeps the qualifiers of an image, and has its format if it has one.
func passImage(p *parser, o *overload, i int, x *imageArg) bool {
	q, b := o.imageQualifiers[i], x.image.buffer
	if b == nil {
		return true // a sampler
	}
	if lost := x.image.access &^ tree.Restrict &^ q.memory; lost != 0 && !b.Image.Sampled {
		p.malformed(x.At, b.Name, "add the qualifier to the parameter", "the image %q has memory qualifiers that the parameter of %s lacks", b.Name, o.fn.Name)
		return false
	}
	for _, id := range q.layout {
		if b.Image.Format != "" && id.name != b.Image.Format {
			p.malformed(x.At, b.Name, "use one format", "the image %q has the format %s, and the parameter of %s has %s", b.Name, b.Image.Format, o.fn.Name, id.name)
			return false
		}
	}
	b.Memory |= q.memory & (tree.Coherent | tree.Volatile)
	return true
}

// copyOf finds the copy of a function for some images, or plans it.
func copyOf(p *parser, o *overload, images []*symbol) *tree.Function {
	c := &p.noted.copying
	ids := make([]string, len(images))
	for i, s := range images {
		if ids[i] = s.sampler; s.kind == symImage {
			ids[i] = strconv.Itoa(s.buffer.ID)
		}
	}
	key := strings.Join(ids, ",")
	if c.made == nil {
		c.made = map[*overload]map[string]*tree.Function{}
	}
	if c.made[o] == nil {
		c.made[o] = map[string]*tree.Function{}
	}
	if f := c.made[o][key]; f != nil {
		return f
	}
	f := &tree.Function{Name: o.fn.Name, Result: o.fn.Result, Pos: o.fn.Pos}
	c.made[o][key] = f
	c.open = append(c.open, &functionCopy{of: o, fn: f, images: images})
	return f
}

// copyFunctions parses the copies that are called, when the module has been parsed.
func copyFunctions(p *parser) {
	c := &p.noted.copying
	made := map[int][]*tree.Function{}
	for len(c.open) > 0 && p.errors == 0 {
		f := c.open[0]
		c.open = c.open[1:]
		if !f.of.defined {
			continue // reported with the call
		}
		f.parse(p)
		at := c.places[f.of]
		made[at] = append(made[at], f.fn)
	}
	c.now = nil
	if len(made) == 0 {
		return
	}
	var list []*tree.Function
	for i, f := range p.prog.Functions {
		list = append(append(list, made[i]...), f)
	}
	p.prog.Functions = append(list, made[len(p.prog.Functions)]...)
}

// parse parses the definition of a function again, from its parameters on.
func (f *functionCopy) parse(p *parser) {
	c := &p.noted.copying
	if c.tokens += f.of.to - f.of.from; c.tokens > maxCopiedTokens {
		p.outside(f.fn.Pos, f.fn.Name, "call it with fewer images", "functions with images as parameters have more than %d tokens, counted again for each combination of images", maxCopiedTokens)
		return
	}
	at, names, marks := p.at, p.names, p.noted.marks
	p.at, p.names, p.noted.marks, p.operators = f.of.from, nil, nil, 0
	c.now, c.limit = f, f.of.body
	p.pushScope()
	given := 0
	for _, v := range p.parameters() {
		if isOpaqueType(v.Type) {
			s := f.images[given]
			if given++; s.kind == symImage {
				f.fn.Images = append(f.fn.Images, tree.ImageParam{Name: v.Name, Place: v.ID, Buffer: s.buffer, Pos: v.Pos})
			}
			continue
		}
		v.ID = len(f.fn.Params)
		f.fn.Params = append(f.fn.Params, v)
	}
	o := &overload{fn: f.fn, params: f.of.params, defined: true}
	p.fn, p.body = o, p.pos()
	f.fn.Body = p.blockBody()
	f.fn.End = f.fn.Body.To
	p.fn, p.loops, p.switches = nil, 0, nil
	p.popScope(f.fn.End)
	p.at, p.names, p.noted.marks = at, names, marks
	p.recovering = p.failed
}

// pruneLibrary leaves out the own functions that nothing calls.
func pruneLibrary(p *parser) {
	called := map[*tree.Function]bool{}
	var visit func(f *tree.Function)
	visit = func(f *tree.Function) {
		if !called[f] {
			called[f] = true
			for _, g := range f.Calls {
				visit(g)
			}
		}
	}
	for _, f := range p.prog.Functions {
		if f.Pos.File != ImageFile {
			visit(f)
		}
	}
	p.prog.Functions = slices.DeleteFunc(p.prog.Functions, func(f *tree.Function) bool { return !called[f] })
}
