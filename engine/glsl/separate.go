package glsl

import (
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Texts for Vulkan declare textures and samplers apart: "uniform texture2D t; uniform sampler s;", and combine them where they
// sample: "texture(sampler2D(t, s), p)". These types are no keywords: they are types where a name follows and nothing else has theirs.

// The types of samplers: one whose texture is compared has a type of its own.
const (
	samplerWord       = "sampler"
	shadowSamplerWord = "samplerShadow"
)

// separateTextures are the types of textures without a sampler, with those of the textures that they are combined to.
var separateTextures = buildSeparateTextures()

func buildSeparateTextures() map[string]string {
	m := map[string]string{}
	for form := range imageForms {
		for _, prefix := range []string{"", "i", "u"} {
			if form != "2DRect" {
				m[prefix+"texture"+form] = prefix + "sampler" + form
			}
		}
	}
	return m
}

// isSeparate reports whether a word may be the type of a texture without a sampler.
func isSeparate(word string) bool { return separateTextures[word] != "" }

// separateAhead is the texture whose type comes next.
func separateAhead(p *parser) (im tree.Image, ok bool) {
	t := p.tok()
	if t.Kind != source.Ident || !isSeparate(t.Text) || !named(p) {
		return im, false
	}
	im, ok = imageType(separateTextures[t.Text])
	im.Type = t.Text
	return im, ok
}

// samplerAhead reports whether a declaration of a sampler comes next.
func samplerAhead(p *parser) bool { return (p.is(samplerWord) || p.is(shadowSamplerWord)) && named(p) }

// named reports whether the word that comes next names nothing and is followed by a name.
func named(p *parser) bool {
	return p.lookup(p.tok().Text) == nil && p.peek(1).Kind == source.Ident && !isKeyword(p.peek(1).Text)
}

// declareSamplers parses "sampler a, b;".
func declareSamplers(p *parser) {
	word := p.next().Text
	for !p.recovering {
		name := p.ident("the name of a sampler")
		if p.is("[") {
			p.outside(p.pos(), word, "declare one sampler each", "arrays of samplers are outside the kernel language")
			p.dimensions()
		}
		p.declare(name, &symbol{kind: symSampler, sampler: name.Text, typ: opaqueTypes[word]})
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
}

// combined parses "sampler2D(t, s)" as the texture that it samples; nil when it is none, which is reported.
func combined(p *parser) *symbol {
	word := p.next()
	p.expect("(")
	s := image(p)
	p.expect(",")
	name := p.ident("a sampler")
	sampler := p.lookup(name.Text)
	p.expect(")")
	switch {
	case p.recovering || s == nil:
		return nil
	case sampler == nil:
		p.undeclared(name)
		return nil
	case sampler.kind != symSampler:
		p.malformed(name.Pos, name.Text, "name a sampler", "%q is not a sampler", name.Text)
		return nil
	case separateTextures[opaqueType(s).String()]+strings.TrimPrefix(sampler.typ.String(), samplerWord) != word.Text:
		p.malformed(word.Pos, word.Text, "use the type that belongs to the texture and the sampler", "%s is not made of %s and %s", word.Text, opaqueType(s), sampler.typ)
		return nil
	}
	good := combine(p, s.buffer.Image, sampler, name)
	for _, b := range s.buffers {
		good = good && combine(p, b.Image, sampler, name)
	}
	if !good {
		return nil
	}
	return &symbol{kind: symImage, buffer: s.buffer, buffers: s.buffers, index: s.index, access: s.access, variable: &tree.Variable{Type: opaqueTypes[word.Text]}}
}

// combine notes the sampler of a texture. It is part of the texture here, so that each has one; that of a parameter is known in copies.
func combine(p *parser, im *tree.Image, sampler *symbol, at source.Token) bool {
	name := sampler.sampler
	if name != "" && im.Sampler != "" && im.Sampler != name {
		p.outside(at.Pos, at.Text, "declare the texture once for each sampler", "a texture that is sampled by %s and by %s is outside the kernel language", im.Sampler, name)
		return false
	}
	if name != "" {
		im.Sampler = name
	}
	im.Compared = sampler.typ == opaqueTypes[shadowSamplerWord]
	return true
}

// samplerParameter declares a parameter that is a sampler.
func samplerParameter(p *parser, q qualifiers) *tree.Variable {
	word := p.next()
	pos := word.Pos
	name := p.ident("the name of a parameter")
	if q.storage != "" && q.storage != "in" && q.storage != "const" || q.memory != 0 || len(q.layout) > 0 {
		p.malformed(q.pos, "qualifier", "remove it", "a parameter that is a sampler takes no such qualifier")
	}
	s := &symbol{kind: symSampler, typ: opaqueTypes[word.Text]}
	if c := p.noted.copying.now; c != nil {
		s.sampler = c.images[c.next].sampler
		c.next++
	}
	p.declare(name, s)
	return &tree.Variable{Name: name.Text, Kind: tree.VarParam, Type: s.typ, Const: true, Pos: pos, Scope: tree.Range{Start: pos, End: pos}}
}

// opaqueType is the type by which an image or a sampler is passed.
func opaqueType(s *symbol) *tree.Type {
	switch {
	case s.kind == symSampler:
		return s.typ
	case s.variable != nil:
		return s.variable.Type // the own functions take images of any form
	}
	return opaqueTypes[s.buffer.Image.Type]
}

// isCombination reports whether "sampler2D(" comes next.
func isCombination(p *parser) bool {
	t := p.tok()
	return t.Kind == source.Ident && outsideTypes[t.Text] && strings.Contains(t.Text, samplerWord) && p.peek(1).Is("(")
}
