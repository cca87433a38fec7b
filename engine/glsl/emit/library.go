package emit

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed core.glsl
var coreText string

//go:embed ieee.glsl
var ieeeText string

//go:embed wide.glsl
var wideText string

//go:embed guarded.glsl
var guardedText string

//go:embed integer.glsl
var integerText string

//go:embed double.glsl
var doubleText string

//go:embed double_native.glsl
var doubleNativeText string

//go:embed intrinsic.glsl
var intrinsicText string

//go:embed routines.glsl
var routinesText string

// item is a function, structure or table of the library.
type item struct {
	text  string
	needs []string // names of other items, each once
	head  *head    // of a function
}

// head is the first line of a function.
type head struct {
	result string
	params []param
}

type param struct{ mode, kind, name string }

// library holds items by name, without the prefix.
type library map[string]*item

var (
	ourName  = regexp.MustCompile(`\b` + Prefix + `(\w+)`)
	function = regexp.MustCompile(`^(\w+) ` + Prefix + `(\w+)\(([^)]*)\) \{`)
)

// newLibrary reads texts in which items are separated by blank lines. Comments stand between blank
// lines too.
func newLibrary(texts ...string) library {
	l := library{}
	for _, text := range texts {
		for part := range strings.SplitSeq(text, "\n\n") {
			part = strings.TrimSpace(part)
			if !strings.HasPrefix(part, "//") {
				l.add(part)
			}
		}
	}
	return l
}

// add files an item: a function under its name, anything else under the first of our names in it.
func (l library) add(text string) {
	names := ourName.FindAllStringSubmatch(text, -1)
	it, name := &item{text: text}, names[0][1]
	if m := function.FindStringSubmatch(text); m != nil {
		name = m[2]
		it.head = &head{result: m[1]}
		for p := range strings.SplitSeq(m[3], ", ") {
			it.head.add(p)
		}
	}
	for _, n := range names {
		if n[1] != name && !slices.Contains(it.needs, n[1]) {
			it.needs = append(it.needs, n[1])
		}
	}
	l[name] = it
}

func (h *head) add(text string) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return
	}
	p := param{kind: words[len(words)-2], name: words[len(words)-1]}
	if len(words) == 3 {
		p.mode = words[0] + " "
	}
	h.params = append(h.params, p)
}

// generic reports whether the item is written for every width.
func (it *item) generic() bool { return strings.Contains(it.text, "genF") }

// at gives the item's text for a width. A function of scalars becomes one that is applied to each
// component.
func (it *item) at(name string, width int) string {
	switch {
	case it.generic():
		return strings.ReplaceAll(it.text, "genF", vector("float", width))
	case width == 1 || it.head == nil:
		return it.text
	default:
		return it.componentwise(name, width)
	}
}

var vectorPrefix = map[string]string{"float": "vec", "int": "ivec", "uint": "uvec", "bool": "bvec",
	"double": "dvec", "int64_t": "i64vec", "uint64_t": "u64vec"}

// vector is the GLSL name of a scalar kind at a width.
func vector(kind string, width int) string {
	if width == 1 {
		return kind
	}
	return fmt.Sprintf("%s%d", vectorPrefix[kind], width)
}

func (it *item) componentwise(name string, width int) string {
	var params, calls []string
	for _, p := range it.head.params {
		params = append(params, p.mode+vector(p.kind, width)+" "+p.name)
	}
	for i := range width {
		var args []string
		for _, p := range it.head.params {
			args = append(args, p.name+"."+"xyzw"[i:i+1])
		}
		calls = append(calls, Prefix+name+"("+strings.Join(args, ", ")+")")
	}
	if it.head.result == "void" {
		return fmt.Sprintf("void %s%s(%s) { %s; }", Prefix, name, strings.Join(params, ", "), strings.Join(calls, "; "))
	}
	result := vector(it.head.result, width)
	return fmt.Sprintf("%s %s%s(%s) { return %s(%s); }", result, Prefix, name, strings.Join(params, ", "), result, strings.Join(calls, ", "))
}
