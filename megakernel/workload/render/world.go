package render

import (
	"math"
	"slices"
)

// Kinds of shapes, as render.glsl numbers them.
const (
	kindSphere = iota
	kindPlane
	kindTriangle
)

type material struct {
	color, emits vec
	mirror       bool
	blur         float32
}

// shape is a sphere with a center and a radius; or a plane or triangle with a point, two edges from it
// and the normal, which of a triangle is the cross product of the edges.
type shape struct {
	kind         uint32
	point        vec
	edge1, edge2 vec
	normal       vec
	radius       float32
	material     uint32
}

// World is a scene that has been read.
type World struct {
	camera          camera
	zenith, horizon vec
	materials       []material
	shapes          []shape
}

func (w *World) add(s shape) { w.shapes = append(w.shapes, s) }

// unbounded is where the box of a plane ends: nothing in a scene is further away.
const unbounded = 1e30

// box is the space that shapes take up.
type box struct{ low, high vec }

func (b box) and(c box) box { return box{b.low.min(c.low), b.high.max(c.high)} }

// box is a little larger than the shape, so that rounding loses no ray that touches its edge.
func (s *shape) box() box {
	switch s.kind {
	case kindSphere:
		r := vec{s.radius, s.radius, s.radius}
		return box{s.point.sub(r), s.point.add(r)}.wider()
	case kindPlane:
		return box{vec{-unbounded, -unbounded, -unbounded}, vec{unbounded, unbounded, unbounded}}
	}
	a, b := s.point.add(s.edge1), s.point.add(s.edge2)
	return box{s.point.min(a).min(b), s.point.max(a).max(b)}.wider()
}

func (b box) wider() box {
	for i := range 3 {
		by := 1e-5 * max(b.high[i]-b.low[i], abs(b.low[i]), abs(b.high[i]), 1)
		b.low[i] -= by
		b.high[i] += by
	}
	return b
}

func abs(x float32) float32 { return max(x, -x) }

// middle is twice the center of the box; only its order matters.
func (b box) middle() vec { return b.low.add(b.high) }

// node is a box of the tree, in the order in which a ray visits them: behind a box come those inside it,
// and skip is the first one that is not. A leaf has a shape.
type node struct {
	box
	skip  uint32
	shape uint32
}

const noShape = ^uint32(0)

// tree builds a tree of boxes around all shapes: planes first, each in a box that every ray enters, then
// the others, always divided in two halves along the longest side of what their middles span.
func (w *World) tree() []node {
	t := &builder{world: w}
	var bounded []uint32
	for i := range w.shapes {
		if w.shapes[i].kind == kindPlane {
			t.leaf(uint32(i))
		} else {
			bounded = append(bounded, uint32(i))
		}
	}
	if len(bounded) > 0 {
		t.divide(bounded)
	}
	return t.nodes
}

type builder struct {
	world *World
	nodes []node
}

func (t *builder) leaf(shape uint32) box {
	b := t.world.shapes[shape].box()
	t.nodes = append(t.nodes, node{box: b, skip: uint32(len(t.nodes) + 1), shape: shape})
	return b
}

// divide appends the tree of some shapes and returns its box.
func (t *builder) divide(shapes []uint32) box {
	if len(shapes) == 1 {
		return t.leaf(shapes[0])
	}
	axis := t.longest(shapes)
	slices.SortStableFunc(shapes, func(a, b uint32) int {
		x, y := t.world.shapes[a].box().middle()[axis], t.world.shapes[b].box().middle()[axis]
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(int64(a) - int64(b))
	})
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{shape: noShape})
	b := t.divide(shapes[:len(shapes)/2]).and(t.divide(shapes[len(shapes)/2:]))
	t.nodes[at].box, t.nodes[at].skip = b, uint32(len(t.nodes))
	return b
}

// longest is the axis along which the middles of the shapes spread most.
func (t *builder) longest(shapes []uint32) int {
	span := box{vec{unbounded, unbounded, unbounded}, vec{-unbounded, -unbounded, -unbounded}}
	for _, s := range shapes {
		m := t.world.shapes[s].box().middle()
		span = span.and(box{m, m})
	}
	size := span.high.sub(span.low)
	return slices.Index(size[:], max(size[0], size[1], size[2]))
}

// words appends the bits of floats.
func words(dst []uint32, v vec) []uint32 {
	for _, x := range v {
		dst = append(dst, math.Float32bits(x))
	}
	return dst
}

func nodeWords(nodes []node) []uint32 {
	var out []uint32
	for _, n := range nodes {
		out = append(words(out, n.low), n.skip)
		out = append(words(out, n.high), n.shape)
	}
	return out
}

func (w *World) shapeWords() []uint32 {
	var out []uint32
	for _, s := range w.shapes {
		out = append(words(out, s.point), s.kind)
		out = append(words(out, s.edge1), s.material)
		out = append(words(out, s.edge2), math.Float32bits(s.radius))
		out = append(words(out, s.normal), 0)
	}
	return out
}

func (w *World) materialWords() []uint32 {
	var out []uint32
	for _, m := range w.materials {
		kind := uint32(0)
		if m.mirror {
			kind = 1
		}
		out = append(words(out, m.color), kind)
		out = append(words(out, m.emits), math.Float32bits(m.blur))
	}
	return out
}
