package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// inspectedImage is what one of the own functions on images gives, as an expression of a debugger, which cannot call it. The arguments
// have no side effects there.
func inspectedImage(c *imageCall, name string, args []tree.Expr) tree.Expr {
	switch name {
	case "vt_samples":
		return c.countedSamples(args[0])
	case "vt_texel":
		return c.numbered(args[0], nil, args[1], args[2])
	case "vt_sampleTexel":
		return c.numbered(args[0], args[1], args[2], args[3])
	}
	c.p.malformed(c.name.Pos, c.name.Text, "use imageLoad, or texelFetch with level 0", "%s cannot be computed in an expression", c.name.Text)
	return broken(c.name.Pos)
}

// countedSamples is vt_samples: all texels through those of one sample.
func (c *imageCall) countedSamples(size tree.Expr) tree.Expr {
	one := c.operator("*", c.operator("*", c.lane(size, 0), c.lane(size, 1)), c.lane(size, 2))
	return c.operator("/", c.lane(size, 3), one) // 0 where the image is empty
}

// numbered is vt_texel, or vt_sampleTexel where there is a sample.
func (c *imageCall) numbered(at, sample, size, outside tree.Expr) tree.Expr {
	three := &tree.Swizzle{Node: c.node(tree.Vector(tree.KindUint, 3)), X: size, Lanes: []uint8{0, 1, 2}}
	inside := c.builtin("all", c.builtin("lessThan", at, three))
	plane := c.lane(at, 2)
	if sample != nil {
		sample = convertKind(sample, tree.KindUint, false)
		samples := c.countedSamples(size)
		inside = &tree.Logical{Node: c.node(tree.Bool), And: true, X: inside, Y: c.operator("<", sample, samples)}
		plane = c.operator("+", c.operator("*", plane, samples), sample)
	}
	row := c.operator("+", c.operator("*", plane, c.lane(size, 1)), c.lane(at, 1))
	texel := c.operator("+", c.operator("*", row, c.lane(size, 0)), c.lane(at, 0))
	beyond := c.operator("+", c.lane(size, 3), outside)
	return &tree.Conditional{Node: c.node(tree.Uint), Cond: inside, Then: texel, Else: beyond}
}

// lane is a component of a vector of uints.
func (c *imageCall) lane(v tree.Expr, i uint8) tree.Expr {
	return foldSwizzle(&tree.Swizzle{Node: c.node(tree.Uint), X: v, Lanes: []uint8{i}})
}

func (c *imageCall) operator(op string, x, y tree.Expr) tree.Expr {
	return c.p.binary(source.Token{Kind: source.Punct, Text: op, Pos: c.name.Pos}, x, y)
}

// inspectedFix says how a debugger reads an image.
func inspectedFix(im *tree.Image, name string) string {
	read := "imageLoad"
	if im.Sampled {
		read = "texelFetch"
	}
	return "read a texel, as " + read + "(" + name + ", …) does, or " + name + ".size"
}
