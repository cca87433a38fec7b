package render

import (
	"bytes"
	"fmt"
	"path"
	"strconv"

	"vyretop/megakernel/workload"
)

// maxShapes is how many shapes fit a buffer.
const maxShapes = workload.MaxBufferWords / 16

// skipped are the statements of an OBJ file that say nothing about where its triangles are.
var skipped = map[string]bool{
	"vn": true, "vt": true, "g": true, "o": true, "s": true, "usemtl": true, "mtllib": true, "l": true, "p": true, "#": true,
}

func (l *loader) meshes() {
	for i, m := range l.scene.Mesh {
		if l.err != nil {
			return
		}
		item := fmt.Sprintf("mesh %d", i+1)
		scale := float32(1)
		if m.Scale != nil {
			scale = l.number(item, "scale", *m.Scale)
		}
		o := &object{loader: l, name: path.Join(path.Dir(l.name), m.File), material: l.material(item, m.Material), scale: scale, move: l.vector(item, "move", m.Move, vector{0, 0, 0})}
		text, err := l.files(m.File)
		if err != nil && l.err == nil {
			l.err = workload.Failure(workload.ErrInput, l.name+": "+item, fmt.Sprintf("the file %q cannot be read", m.File), err, "name a file inside the folder of the scene, as seen from there")
		}
		if l.err == nil {
			l.err = o.read(text)
		}
	}
}

// object reads one OBJ file into the world.
type object struct {
	*loader
	name     string
	line     int
	material uint32
	scale    float32
	move     vec
	vertices []vec
}

func (o *object) read(text []byte) error {
	before := len(o.world.shapes)
	for line := range bytes.Lines(text) {
		o.line++
		fields := bytes.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' || skipped[string(fields[0])] {
			continue
		}
		var err error
		switch string(fields[0]) {
		case "v":
			err = o.vertex(fields[1:])
		case "f":
			err = o.face(fields[1:])
		default:
			err = o.bad(fmt.Sprintf("the statement %q is not known", clip(fields[0])), "leave v and f, and remove what describes curves and surfaces")
		}
		if err != nil {
			return err
		}
	}
	if len(o.world.shapes) == before {
		return o.bad("no face found", "give a file with at least one f")
	}
	return nil
}

func (o *object) bad(detail, fix string) error {
	name := o.name
	if o.line > 0 { // an empty file has no line
		name = fmt.Sprintf("%s:%d", name, o.line)
	}
	return workload.Failure(workload.ErrInput, name, detail, nil, fix)
}

func clip(field []byte) string { return string(field[:min(len(field), 32)]) }

func (o *object) vertex(fields [][]byte) error {
	if len(fields) < 3 {
		return o.bad(fmt.Sprintf("a vertex has %d numbers", len(fields)), "write v X Y Z")
	}
	var v vec
	for i := range v {
		x, err := strconv.ParseFloat(string(fields[i]), 32)
		if err != nil || !(x >= -farthest && x <= farthest) {
			return o.bad(fmt.Sprintf("%q is not a number, or too large", clip(fields[i])), "write v X Y Z")
		}
		v[i] = float32(x)
	}
	v = v.times(o.scale).add(o.move)
	if max(abs(v[0]), abs(v[1]), abs(v[2])) > farthest {
		return o.bad(fmt.Sprintf("scaled and moved, the vertex is at %v", v), fmt.Sprintf("use a smaller scale: numbers up to %g are possible", float64(farthest)))
	}
	o.vertices = append(o.vertices, v)
	return nil
}

// face adds the triangles of a face. One without an area is left out: no ray hits it.
func (o *object) face(fields [][]byte) error {
	if len(fields) < 3 {
		return o.bad(fmt.Sprintf("a face has %d corners", len(fields)), "write f with three corners or more")
	}
	corners := make([]vec, len(fields))
	for i, f := range fields {
		var err error
		if corners[i], err = o.corner(f); err != nil {
			return err
		}
	}
	for i := 1; i+1 < len(corners); i++ {
		s := shape{kind: kindTriangle, point: corners[0], edge1: corners[i].sub(corners[0]), edge2: corners[i+1].sub(corners[0]), material: o.material}
		s.normal = s.edge1.cross(s.edge2)
		if s.normal.length() == 0 {
			continue
		}
		if len(o.world.shapes) == maxShapes {
			return o.bad(fmt.Sprintf("the scene has more than %d shapes", maxShapes), "use a simpler mesh")
		}
		o.world.add(s)
	}
	return nil
}

// corner reads V, V/VT, V//VN or V/VT/VN; a negative number counts back from the last vertex.
func (o *object) corner(field []byte) (vec, error) {
	number, _, _ := bytes.Cut(field, []byte("/"))
	i, err := strconv.Atoi(string(number))
	if err != nil {
		return vec{}, o.bad(fmt.Sprintf("%q names no vertex", clip(field)), "write the numbers of vertices, from 1 on")
	}
	if i < 0 {
		i += len(o.vertices) + 1
	}
	if i < 1 || i > len(o.vertices) {
		return vec{}, o.bad(fmt.Sprintf("vertex %s does not exist, %d have been given so far", clip(number), len(o.vertices)), "give the vertices before the faces, and count from 1")
	}
	return o.vertices[i-1], nil
}
