package tree

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Family groups built-in functions as the GLSL specification does.
type Family uint8

// The families of built-in functions.
const (
	FamilyAngle Family = iota
	FamilyExponential
	FamilyCommon
	FamilyPacking
	FamilyGeometric
	FamilyMatrix
	FamilyRelational
	FamilyInteger
	FamilyAtomic
	FamilyBarrier
	FamilySubgroup // known only where the text enables their extensions
)

var familyNames = [...]string{"angle and trigonometry", "exponential", "common", "packing",
	"geometric", "matrix", "vector relational", "integer", "atomic", "barrier", "subgroup"}

// String names the family in words.
func (f Family) String() string { return familyNames[f] }

// Builtin is one built-in function with all its overloads.
type Builtin struct {
	ID     BuiltinID
	Name   string // as GLSL writes it
	Family Family

	// Approximate marks functions whose result GLSL does not define to the last bit, so that no two
	// drivers agree: package floats defines it here, and a budget of errors may leave it to a driver.
	Approximate bool

	Generic    []string    // the overloads as the specification writes them, with genFType etc.
	Signatures []Signature // the same with every width spelled out
}

// Signature is one overload: concrete types.
type Signature struct {
	Result *Type
	Params []Param
}

// Param is a parameter of a Signature.
type Param struct {
	Name string
	Type *Type
	Mode Mode
}

// Atomic returns the operation of an atomic built-in; ok is false for the others.
func (b *Builtin) Atomic() (op AtomicOp, ok bool) {
	if b.Family != FamilyAtomic {
		return 0, false
	}
	return AtomicOp(b.ID - FnAtomicAdd), true
}

// Builtins is the table of all built-in functions, indexed by BuiltinID.
var Builtins = buildBuiltins()

var builtinsByName = indexBuiltins()

// Trinary reports whether a function is one of GL_AMD_shader_trinary_minmax.
func (b *Builtin) Trinary() bool { return b.ID >= FnMin3 && b.ID <= FnMax3 }

// LookupBuiltin finds a built-in function by its GLSL name, or returns nil.
func LookupBuiltin(name string) *Builtin { return builtinsByName[name] }

// builtinRow is one line of the tables from which Builtins is made.
type builtinRow struct {
	id          BuiltinID
	approximate bool
	generic     []string
}

const (
	exact       = false
	approximate = true
)

func sigs(generic ...string) []string { return generic }

func buildBuiltins() []Builtin {
	tables := [][]builtinRow{
		FamilyAngle: angleBuiltins, FamilyExponential: exponentialBuiltins, FamilyCommon: commonBuiltins,
		FamilyPacking: packingBuiltins, FamilyGeometric: geometricBuiltins, FamilyMatrix: matrixBuiltins, FamilyRelational: relationalBuiltins,
		FamilyInteger: integerBuiltins, FamilyAtomic: atomicsBuiltins, FamilyBarrier: barriersBuiltins, FamilySubgroup: subgroupBuiltins,
	}
	list := make([]Builtin, builtinCount)
	for family, rows := range tables {
		for _, r := range rows {
			list[r.id] = r.build(Family(family))
		}
	}
	return list
}

func indexBuiltins() map[string]*Builtin {
	m := make(map[string]*Builtin, len(Builtins))
	for i := range Builtins {
		m[Builtins[i].Name] = &Builtins[i]
	}
	return m
}

// inDoubles writes the overloads on doubles of those on floats: GLSL 4.50 has them for all functions in these families, which are
// none of angles and exponents but roots.
func inDoubles(f Family, r builtinRow) []string {
	rooted := r.id == FnSqrt || r.id == FnInverseSqrt
	trinary := r.id >= FnMin3 && r.id <= FnMax3
	ofBits := r.id >= FnFloatBitsToInt && r.id <= FnUintBitsToFloat
	if f != FamilyCommon && f != FamilyGeometric && f != FamilyMatrix && f != FamilyRelational && !rooted || ofBits || trinary {
		return nil
	}
	var list []string
	for _, text := range r.generic {
		if wide := floatWords.ReplaceAllStringFunc(text, doubleWord); wide != text {
			list = append(list, wide)
		}
	}
	return list
}

// floatWords are the types of floats in the text of an overload.
var floatWords = regexp.MustCompile(`\b(genFType|float|(vec|mat)[2-4x]*)\b`)

// doubleWord is the type of doubles for one of floats.
func doubleWord(word string) string {
	switch word {
	case "genFType":
		return "genDType"
	case "float":
		return "double"
	}
	return "d" + word
}

func (r builtinRow) build(f Family) Builtin {
	r.generic = append(slices.Clone(r.generic), inDoubles(f, r)...)
	b := Builtin{ID: r.id, Family: f, Approximate: r.approximate, Generic: r.generic}
	for _, text := range r.generic {
		g := parseGeneric(text)
		b.Name = g.name
		for _, s := range g.expand() {
			b.add(s)
		}
	}
	return b
}

// add appends an overload unless it is there already: at width 1 min(genFType, genFType) and
// min(genFType, float) are the same.
func (b *Builtin) add(s Signature) {
	for _, have := range b.Signatures {
		if slices.EqualFunc(have.Params, s.Params, func(a, b Param) bool { return a.Type == b.Type }) {
			return
		}
	}
	b.Signatures = append(b.Signatures, s)
}

// genericSignature is a parsed line such as "genFType modf(genFType x, out genFType i)".
type genericSignature struct {
	result, name string
	params       []genericParam
}

type genericParam struct {
	mode       Mode
	word, name string
}

func parseGeneric(text string) genericSignature {
	head, tail, ok := strings.Cut(text, "(")
	if !ok {
		panic("BUG: built-in signature without parameters: " + text)
	}
	var g genericSignature
	g.result, g.name, _ = strings.Cut(head, " ")
	tail = strings.TrimSuffix(tail, ")")
	if tail == "" {
		return g
	}
	for p := range strings.SplitSeq(tail, ", ") {
		g.params = append(g.params, parseGenericParam(p))
	}
	return g
}

func parseGenericParam(text string) genericParam {
	words := strings.Fields(text)
	p := genericParam{word: words[len(words)-2], name: words[len(words)-1]}
	if len(words) == 3 {
		p.mode = modeWords[words[0]]
	}
	return p
}

var modeWords = map[string]Mode{"in": ModeIn, "out": ModeOut, "inout": ModeInOut}

// genericKinds maps the specification's generic type names to a component kind and the smallest
// width they stand for; the largest is always 4.
var genericKinds = map[string]struct {
	kind Kind
	min  int
}{
	"genFType": {KindFloat, 1}, "genIType": {KindInt, 1}, "genUType": {KindUint, 1}, "genBType": {KindBool, 1},
	"vec": {KindFloat, 2}, "ivec": {KindInt, 2}, "uvec": {KindUint, 2}, "bvec": {KindBool, 2},

	"genDType": {KindDouble, 1}, "genI64Type": {KindInt64, 1}, "genU64Type": {KindUint64, 1},
	"dvec": {KindDouble, 2}, "i64vec": {KindInt64, 2}, "u64vec": {KindUint64, 2},
}

var fixedTypes = map[string]*Type{
	"void": Void, "bool": Bool, "int": Int, "uint": Uint, "float": Float,
	"double": Double, "int64_t": Int64, "uint64_t": Uint64,
	"dvec2": Vector(KindDouble, 2), "dvec3": Vector(KindDouble, 3), "dvec4": Vector(KindDouble, 4),
	"ivec2": Vector(KindInt, 2), "uvec2": Vector(KindUint, 2),
	"vec2": Vector(KindFloat, 2), "vec3": Vector(KindFloat, 3), "vec4": Vector(KindFloat, 4), "uvec4": Vector(KindUint, 4),
}

// widths gives the range of widths over which the signature varies: 1..1 when it is not generic.
func (g genericSignature) widths() (low, high int) {
	low, high = 1, 1
	words := []string{g.result}
	for _, p := range g.params {
		words = append(words, p.word)
	}
	for _, w := range words {
		if k, ok := genericKinds[w]; ok {
			low, high = k.min, 4
		}
	}
	return low, high
}

func (g genericSignature) expand() []Signature {
	var list []Signature
	low, high := g.widths()
	for w := low; w <= high; w++ {
		s := Signature{Result: typeOfWord(g.result, w)}
		for _, p := range g.params {
			s.Params = append(s.Params, Param{Name: p.name, Type: typeOfWord(p.word, w), Mode: p.mode})
		}
		list = append(list, s)
	}
	return list
}

func typeOfWord(word string, width int) *Type {
	if size, ok := strings.CutPrefix(word, "mat"); ok {
		return MatrixOf(int(size[0]-'0'), int(size[2]-'0'))
	}
	if size, ok := strings.CutPrefix(word, "dmat"); ok {
		return Matrix(KindDouble, int(size[0]-'0'), int(size[2]-'0'))
	}
	if k, ok := genericKinds[word]; ok {
		return Vector(k.kind, width)
	}
	t, ok := fixedTypes[word]
	if !ok {
		panic(fmt.Sprintf("BUG: unknown type %q in the table of built-ins", word))
	}
	return t
}
