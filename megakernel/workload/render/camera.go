package render

import (
	"fmt"
	"math"
)

// camera is where the picture is seen from: the directions from the eye to its upper left corner, and the
// way along its height and width of 1.
type camera struct {
	eye, forward, right, down vec
}

func (l *loader) camera() {
	c := &l.scene.Camera
	eye, look := l.vector("camera", "eye", c.Eye, nil), l.vector("camera", "look", c.Look, nil)
	up := l.vector("camera", "up", c.Up, vector{0, 1, 0})
	fov := 40.0
	if c.FOV != nil {
		fov = *c.FOV
	}
	if !(fov > 0 && fov < 180) {
		l.fail("camera", fmt.Sprintf("fov is %g", fov), "use degrees above 0 and below 180")
	}
	forward := look.sub(eye).unit()
	right := forward.cross(up).unit()
	if l.err == nil && (forward.length() == 0 || right.length() == 0) {
		l.fail("camera", "eye, look and up make no direction", "let look be another point than eye, and up another direction")
	}
	height := float32(2 * math.Tan(fov*math.Pi/360))
	l.world.camera = camera{eye: eye, forward: forward, right: right.times(height), down: forward.cross(right).times(height)}
	l.world.zenith = l.color("sky", "zenith", l.scene.Sky.Zenith, vector{0.5, 0.7, 1}, farthest)
	l.world.horizon = l.color("sky", "horizon", l.scene.Sky.Horizon, vector{1, 1, 1}, farthest)
}

// picture is the sizes that a render is made with.
type picture struct {
	width, height, tile, samples, depth int
	seed                                uint32
}

// tiles is how many tiles the picture has.
func (p picture) tiles() int {
	return ((p.width + p.tile - 1) / p.tile) * ((p.height + p.tile - 1) / p.tile)
}

// area is the part of the picture that a tile covers, as render.glsl divides it.
func (p picture) area(tile int) (left, top, wide, high int) {
	across := (p.width + p.tile - 1) / p.tile
	left, top = tile%across*p.tile, tile/across*p.tile
	return left, top, min(p.tile, p.width-left), min(p.tile, p.height-top)
}

// view is the contents of the buffer "view".
func (w *World) view(p picture, nodes int) []uint32 {
	pixel := 1 / float32(p.height)
	right, down := w.camera.right.times(pixel), w.camera.down.times(pixel)
	corner := w.camera.forward.sub(right.times(float32(p.width) / 2)).sub(down.times(float32(p.height) / 2))
	var out []uint32
	for _, row := range []struct {
		v vec
		n uint32
	}{
		{w.camera.eye, uint32(p.width)}, {corner, uint32(p.height)}, {right, uint32(p.tile)},
		{down, uint32(p.depth)}, {w.zenith, p.seed}, {w.horizon, uint32(nodes)},
	} {
		out = append(words(out, row.v), row.n)
	}
	return out
}
