package render

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"vyretop/engine/plainfile"
	"vyretop/megakernel/workload"
)

// maxFile is how large a scene or a mesh may be, in bytes: a wrong path must not fill the memory.
const maxFile = 256 << 20

// Files reads the files of a scene: the scene itself, and the meshes, by the names that it has for them.
type Files func(name string) ([]byte, error)

// Folder reads a scene file and what is inside its folder; nothing that links or ".." lead to outside of it.
func Folder(scene string) Files {
	return func(name string) ([]byte, error) {
		if name == filepath.Base(scene) {
			return plainfile.Read(scene, maxFile)
		}
		return plainfile.Dir(filepath.Dir(scene)).Read(name, maxFile)
	}
}

// vector is three numbers; nil where the scene gives none.
type vector []float64

// scene is a scene file as TOML sees it.
type scene struct {
	Camera struct {
		Eye  vector   `toml:"eye"`
		Look vector   `toml:"look"`
		Up   vector   `toml:"up"`
		FOV  *float64 `toml:"fov"`
	} `toml:"camera"`
	Sky struct {
		Zenith  vector `toml:"zenith"`
		Horizon vector `toml:"horizon"`
	} `toml:"sky"`
	Material []struct {
		Name   string  `toml:"name"`
		Color  vector  `toml:"color"`
		Emits  vector  `toml:"emits"`
		Mirror bool    `toml:"mirror"`
		Blur   float64 `toml:"blur"`
	} `toml:"material"`
	Sphere []struct {
		Center   vector  `toml:"center"`
		Radius   float64 `toml:"radius"`
		Material string  `toml:"material"`
	} `toml:"sphere"`
	Plane []struct {
		Point    vector `toml:"point"`
		Normal   vector `toml:"normal"`
		Material string `toml:"material"`
	} `toml:"plane"`
	Mesh []struct {
		File     string   `toml:"file"`
		Material string   `toml:"material"`
		Scale    *float64 `toml:"scale"`
		Move     vector   `toml:"move"`
	} `toml:"mesh"`
}

// loader turns a scene file into a world. The first thing that is wrong is kept in err, and ends it.
type loader struct {
	files Files
	name  string // of the scene, as errors show it
	scene scene
	world *World
	named map[string]uint32 // materials
	err   error
}

// Load reads a scene and the meshes that it names; shown is the scene's name in errors. Errors are an ErrInput.
func Load(files Files, file, shown string) (*World, error) {
	l := &loader{files: files, name: shown, world: &World{}, named: map[string]uint32{}}
	text, err := files(file)
	if err != nil {
		return nil, workload.Failure(workload.ErrInput, shown, "the scene cannot be read", err, "give the path of a scene file to --scene")
	}
	if err := decode(shown, text, &l.scene); err != nil {
		return nil, err
	}
	l.camera()
	l.materials()
	l.spheres()
	l.planes()
	l.meshes()
	if l.err == nil && len(l.world.shapes) == 0 {
		l.fail("scene", "there is nothing to hit", "add a [[sphere]], a [[plane]] or a [[mesh]]")
	}
	if l.err != nil {
		return nil, l.err
	}
	return l.world, nil
}

// decode reads TOML strictly; errors name the line.
func decode(name string, text []byte, into *scene) error {
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(into)
	if err == nil {
		return nil
	}
	at, detail, cause := name, "the text does not fit the format", err
	var strict *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &strict) && len(strict.Errors) > 0:
		wrong = &strict.Errors[0]
		detail, cause = fmt.Sprintf("the key %s is unknown", strings.Join(wrong.Key(), ".")), nil
	case errors.As(err, &wrong): // the decoder speaks of Go's types; the line itself says more
		line, _ := wrong.Position()
		detail, cause = fmt.Sprintf("this does not fit the format: %s", lineOf(text, line)), nil
	}
	if wrong != nil {
		line, _ := wrong.Position()
		at = fmt.Sprintf("%s:%d", name, line)
	}
	return workload.Failure(workload.ErrInput, at, detail, cause, "compare with the format in docs/render.md")
}

// lineOf is a line of a text, counted from 1.
func lineOf(text []byte, number int) []byte {
	lines := bytes.Split(text, []byte("\n"))
	return bytes.TrimSpace(lines[min(max(number, 1), len(lines))-1])
}

// fail keeps the first error.
func (l *loader) fail(item, detail, fix string) {
	if l.err == nil {
		l.err = workload.Failure(workload.ErrInput, l.name+": "+item, detail, nil, fix)
	}
}

// vector checks three numbers; those that are not given are the default, or an error if there is none.
func (l *loader) vector(item, key string, v, standard vector) vec {
	if v == nil {
		v = standard
	}
	if len(v) != 3 {
		l.fail(item, fmt.Sprintf("%s has %d numbers", key, len(v)), "give three numbers, as in "+key+" = [1, 2, 3]")
		return vec{}
	}
	return vec{l.number(item, key, v[0]), l.number(item, key, v[1]), l.number(item, key, v[2])}
}

// farthest is how large a number may be: the area of a triangle, squared, still fits a float.
const farthest = 1e6

func (l *loader) number(item, key string, v float64) float32 {
	if math.IsNaN(v) || math.Abs(v) > farthest {
		l.fail(item, fmt.Sprintf("%s has the number %g", key, v), fmt.Sprintf("use numbers of at most %g", float64(farthest)))
	}
	return float32(v)
}

// color is a vector without negative numbers.
func (l *loader) color(item, key string, v, standard vector, limit float32) vec {
	c := l.vector(item, key, v, standard)
	for _, x := range c {
		if x < 0 || x > limit {
			l.fail(item, fmt.Sprintf("%s has the number %g", key, x), fmt.Sprintf("use 0 to %g", limit))
		}
	}
	return c
}

func (l *loader) materials() {
	for i, m := range l.scene.Material {
		item := fmt.Sprintf("material %d", i+1)
		if _, twice := l.named[m.Name]; twice || m.Name == "" {
			l.fail(item, fmt.Sprintf("the name %q is empty or taken", m.Name), "give each material a name of its own")
		}
		l.named[m.Name] = uint32(i)
		if !(m.Blur >= 0 && m.Blur <= 1) {
			l.fail(item, fmt.Sprintf("blur is %g", m.Blur), "use 0 to 1")
		}
		l.world.materials = append(l.world.materials, material{
			color: l.color(item, "color", m.Color, vector{0, 0, 0}, 1), emits: l.color(item, "emits", m.Emits, vector{0, 0, 0}, farthest),
			mirror: m.Mirror, blur: float32(m.Blur),
		})
	}
}

func (l *loader) material(item, name string) uint32 {
	m, ok := l.named[name]
	if !ok {
		l.fail(item, fmt.Sprintf("unknown material %q", name), "name a [[material]] of the scene")
	}
	return m
}

func (l *loader) spheres() {
	for i, s := range l.scene.Sphere {
		item := fmt.Sprintf("sphere %d", i+1)
		radius := l.number(item, "radius", s.Radius)
		if !(radius > 0) {
			l.fail(item, fmt.Sprintf("the radius is %g", s.Radius), "use a number above 0")
		}
		l.world.add(shape{kind: kindSphere, point: l.vector(item, "center", s.Center, nil), radius: radius, material: l.material(item, s.Material)})
	}
}

func (l *loader) planes() {
	for i, p := range l.scene.Plane {
		item := fmt.Sprintf("plane %d", i+1)
		normal := l.vector(item, "normal", p.Normal, nil)
		if l.err == nil && normal.length() == 0 {
			l.fail(item, "the normal is 0", "give a direction")
		}
		l.world.add(shape{kind: kindPlane, point: l.vector(item, "point", p.Point, nil), normal: normal.unit(), material: l.material(item, p.Material)})
	}
}
