package glsl

import (
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// symbolKind says what a name stands for.
type symbolKind uint8

const (
	symVariable symbolKind = iota
	symMember              // a member of a buffer block without instance name
	symInstance            // the instance name of a buffer block
	symBlock               // a block name: taken, but not usable
	symType
	symFunction
	symLocalSize // gl_WorkGroupSize
	symImage     // an image or a texture
	symSampler   // a sampler that is declared apart from its texture
	symBroken    // declared by something that was refused; its uses are not reported again
)

// symbol is a declared name.
type symbol struct {
	kind      symbolKind
	variable  *tree.Variable
	buffer    *tree.Buffer
	buffers   []*tree.Buffer // of the instance name of a block array, and of an array of images
	member    int
	typ       *tree.Type // also of a symSampler: that of samplers, or of those that compare
	overloads []*overload

	at     int         // token at which a name at module scope is declared
	access tree.Memory // qualifiers written on an image
	index  tree.Expr   // of one of the images of an array, when it is not constant

	sampler string // of a symSampler: its name at module scope, "" for a parameter
}

// scope holds the names of one block and its variables, whose range ends with it.
type scope struct {
	names map[string]*symbol
	vars  []*tree.Variable
}

func (p *parser) pushScope() { p.scopes = append(p.scopes, &scope{names: map[string]*symbol{}}) }

// popScope ends the innermost scope; end is its last token.
func (p *parser) popScope(end source.Pos) {
	last := len(p.scopes) - 1
	for _, v := range p.scopes[last].vars {
		v.Scope.End = end
	}
	p.scopes = p.scopes[:last]
}

// endScopes ends scopes that a syntax error has cut short.
func endScopes(left []*scope, end source.Pos) {
	for _, s := range left {
		for _, v := range s.vars {
			v.Scope.End = end
		}
	}
}

func (p *parser) innermost() *scope { return p.scopes[len(p.scopes)-1] }

// global reports whether declarations now are at module scope.
func (p *parser) global() bool { return len(p.scopes) == 2 }

// lookup finds what a name stands for, or nil.
func (p *parser) lookup(name string) *symbol {
	for i := len(p.scopes) - 1; i >= 0; i-- {
		if s := p.scopes[i].names[name]; s != nil && (i != 1 || p.noted.copying.visible(s.at)) {
			return s
		}
	}
	return nil
}

// declare enters a name into the innermost scope.
func (p *parser) declare(name source.Token, s *symbol) { p.declareIn(p.innermost(), name, s) }

func (p *parser) declareIn(in *scope, name source.Token, s *symbol) {
	if name.Text == "" {
		return // the name itself was malformed and reported
	}
	if p.reserved(name) {
		return
	}
	if old := in.names[name.Text]; old != nil {
		if old.kind != symBroken && old.typ != brokenType {
			p.malformed(name.Pos, name.Text, "rename one of the two", "%q is already declared in this scope", name.Text)
		}
		return
	}
	s.at = p.at
	in.names[name.Text] = s
	p.names.declared(p, name, s)
}

// reserved reports names that belong to GLSL.
func (p *parser) reserved(name source.Token) bool {
	if !strings.HasPrefix(name.Text, "gl_") {
		return false
	}
	p.malformed(name.Pos, name.Text, "choose another name", "names beginning with gl_ are reserved: %q", name.Text)
	return true
}

// declareVariable enters v; a debugger may show it from the current token on.
func (p *parser) declareVariable(name source.Token, v *tree.Variable) {
	in := p.innermost()
	v.Scope.Start = p.pos()
	in.vars = append(in.vars, v)
	p.declare(name, &symbol{kind: symVariable, variable: v})
}

// declareBroken enters a name whose declaration was refused.
func (p *parser) declareBroken(name source.Token) {
	if name.Text != "" && p.innermost().names[name.Text] == nil {
		p.innermost().names[name.Text] = &symbol{kind: symBroken}
	}
}

// declareBrokenType enters the name of a structure that was refused: it still begins declarations.
func (p *parser) declareBrokenType(name source.Token) {
	if name.Text != "" && p.innermost().names[name.Text] == nil {
		p.innermost().names[name.Text] = &symbol{kind: symType, typ: brokenType}
	}
}

var uvec3 = tree.Vector(tree.KindUint, 3)

// inputVariables are the compute inputs, the same objects in every program.
var inputVariables = []*tree.Variable{
	{Name: "gl_NumWorkGroups", Type: uvec3, Input: tree.InputNumWorkGroups, Kind: tree.VarInput},
	{Name: "gl_WorkGroupID", Type: uvec3, Input: tree.InputWorkGroupID, Kind: tree.VarInput},
	{Name: "gl_LocalInvocationID", Type: uvec3, Input: tree.InputLocalInvocationID, Kind: tree.VarInput},
	{Name: "gl_GlobalInvocationID", Type: uvec3, Input: tree.InputGlobalInvocationID, Kind: tree.VarInput},
	{Name: "gl_LocalInvocationIndex", Type: tree.Uint, Input: tree.InputLocalInvocationIndex, Kind: tree.VarInput},
}

// variableSizeInput is the workgroup size of kernels that leave it to the dispatch.
const variableSizeInput = "gl_LocalGroupSizeARB"

// inputScope is the outermost scope: the gl_ names.
func inputScope() *scope {
	names := map[string]*symbol{"gl_WorkGroupSize": {kind: symLocalSize}}
	for _, v := range inputVariables {
		names[v.Name] = &symbol{kind: symVariable, variable: v}
	}
	return &scope{names: names}
}
