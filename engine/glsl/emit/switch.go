package emit

import (
	"fmt"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// A continue in a switch that stands in a switch goes to the outer switch's end on Mesa (22.3), which makes
// loops of them, and the loop's step is not taken. So such a continue sets a flag and breaks, and behind each
// of the switches the flag is looked at.

// switches are those around a statement, within its loop.
type switches struct {
	depth int
	flag  string // "" where no continue needs it
}

func (w *writer) switchStmt(x *tree.Switch) {
	outer := w.switches
	defer func() { w.switches = outer }()
	if outer.depth == 0 {
		w.switches.flag = ""
		if continuesDeep(x.Cases, 1) {
			w.switches.flag = fmt.Sprintf("%sc%d", reserved, w.indent)
			w.line(x.From, "bool %s = false;", w.switches.flag)
		}
	}
	w.switches.depth++
	w.block(x.From, "switch ("+w.tag(x)+")", func() { w.cases(x) })
	switch flag := w.switches.flag; {
	case flag == "":
	case outer.depth == 0:
		w.line(x.From, "if (%s) continue;", flag)
	default:
		w.line(x.From, "if (%s) break;", flag)
	}
}

func (w *writer) cases(x *tree.Switch) {
	for i := range x.Cases {
		c := &x.Cases[i]
		for _, v := range c.Values {
			w.line(c.From, "case %s:", w.literal(x.Tag.Type(), []uint32{v}))
		}
		if c.Default {
			w.line(c.From, "default:")
		}
		w.indent++
		w.list(c.Body)
		w.indent--
	}
}

func (w *writer) continueStmt(pos source.Pos) {
	if w.switches.depth < 2 {
		w.line(pos, "continue;")
		return
	}
	w.line(pos, "%s = true;", w.switches.flag)
	w.line(pos, "break;")
}

// loopBody writes the body of a loop, whose switches are others than those around the loop.
func (w *writer) loopBody(s tree.Stmt) {
	outer := w.switches
	w.switches = switches{}
	w.loops++
	w.inner(s)
	w.loops--
	w.switches = outer
}

// continuesDeep reports whether there is a continue in two switches, of which depth are around the cases.
func continuesDeep(cases []tree.Case, depth int) bool {
	for i := range cases {
		for _, s := range cases[i].Body {
			if continues(s, depth) {
				return true
			}
		}
	}
	return false
}

func continues(s tree.Stmt, depth int) bool {
	switch x := s.(type) {
	case *tree.Continue:
		return depth > 1
	case *tree.Block:
		for _, s := range x.List {
			if continues(s, depth) {
				return true
			}
		}
	case *tree.If:
		return continues(x.Then, depth) || x.Else != nil && continues(x.Else, depth)
	case *tree.Switch:
		return continuesDeep(x.Cases, depth+1)
	}
	return false
}
