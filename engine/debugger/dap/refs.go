package dap

import (
	"fmt"

	"vyretop/engine/debugger"
)

// nodeKind says what the children of a node are.
type nodeKind uint8

const (
	localScope    nodeKind = iota // variables of a call
	sharedScope                   // shared variables
	bufferScope                   // buffers
	constantScope                 // constants
	builtinScope                  // gl_ variables
	bufferNode                    // members of the buffer at index from
	valueNode                     // members, components or elements of expr
	rangeNode                     // n elements of expr, from one on
	frameNode                     // of a stack; it has no children
)

// node is something that a client may open: a scope, a value, a part of an array, or a frame.
type node struct {
	kind    nodeKind
	in      debugger.Context
	expr    string
	from, n int
}

// refs numbers what a client may refer to until the dispatch moves.
type refs struct {
	nodes map[int]node
	ids   map[node]int
	last  int // number given out last; numbers are used once, so that a stale one is not taken for another
}

// maxRefs bounds what a client can open at one stop.
const maxRefs = 1 << 16

func (r *refs) clear() { r.nodes, r.ids = nil, nil }

// id is the number of a node, 0 when there are too many.
func (r *refs) id(n node) int {
	if id, ok := r.ids[n]; ok {
		return id
	}
	if len(r.nodes) == maxRefs {
		return 0
	}
	if r.nodes == nil {
		r.nodes, r.ids = map[int]node{}, map[node]int{}
	}
	r.last++
	r.nodes[r.last], r.ids[n] = n, r.last
	return r.last
}

// node finds a node by its number.
func (r *refs) node(id int) (node, error) {
	n, ok := r.nodes[id]
	if !ok {
		return n, invalid(fmt.Sprintf("reference %d not found", id), "ask again: references are valid until the dispatch moves")
	}
	return n, nil
}

// frame is the context of a frame, or of the selected lane where the client names none.
func (s *view) frame(id int) (debugger.Context, error) {
	if id == 0 {
		return debugger.Selected(s.program.Session), nil
	}
	n, err := s.refs.node(id)
	if err == nil && n.kind != frameNode {
		err = invalid(fmt.Sprintf("reference %d is not a frame", id), "use a frame that stackTrace lists")
	}
	return n.in, err
}
