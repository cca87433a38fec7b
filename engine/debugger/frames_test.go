package debugger

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

func TestFramesShowTheNamesOfTheirCall(t *testing.T) {
	s := open(t, kernel, 1)
	for s.Step(Into, Forward).Pos.Line != 5 {
	}
	var inner, outer Value
	look := func(v *Value, name string) func() error {
		return func() (err error) { *v, err = s.Eval(name); return err }
	}
	if err := In(s, Context{}, look(&inner, "y")); err != nil {
		t.Error(err)
	}
	if err := In(s, Context{Frame: 1}, look(&outer, "i")); err != nil {
		t.Error(err)
	}
	if inner.String() != "0" || outer.String() != "0" {
		t.Errorf("y = %v, i = %v, want 0 and 0", inner, outer)
	}
	if err := In(s, Context{Frame: 1}, look(&outer, "y")); err == nil {
		t.Error("a variable of the inner call is in scope of the outer one")
	}
	if _, err := s.Eval("y"); err != nil {
		t.Errorf("the innermost call is not back in scope: %v", err)
	}
}

func TestContextsThatDoNotExistAreRefused(t *testing.T) {
	s := open(t, kernel, 2)
	for _, c := range []Context{{Group: 1}, {Group: 9}, {Lane: 4}, {Lane: -1}} {
		if err := In(s, c, func() error { return nil }); !errors.Is(err, ErrRequest) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if UnderWay(s)[0] != 0 || len(UnderWay(s)) != 1 {
		t.Errorf("a workgroup has begun: %v", UnderWay(s))
	}
}

func TestBuffersAreReadAfterTheSelectedWorkgroupHasEnded(t *testing.T) {
	s := open(t, kernel, 40)
	if stop := s.Continue(Forward); stop.Reason != Ended || !Finished(s) {
		t.Fatalf("stopped: %+v", stop)
	}
	if _, err := s.Eval("r[0]"); err != nil {
		t.Error(err)
	}
	if stop := s.Here(Ended); stop.Group != 39 || stop.Pos.Line == 0 {
		t.Errorf("the end is at %+v, want what ran last", stop)
	}
	s.groupAt = 0 // has gone
	if err := s.Set("r[0]", "5u"); err != nil {
		t.Error(err)
	}
	for _, expr := range []string{"s[0]", "gl_WorkGroupID.x"} {
		if _, err := s.Eval(expr); !errors.Is(err, ErrRequest) {
			t.Errorf("%s of a workgroup that has gone: %v", expr, err)
		}
	}
	if _, err := s.Eval("gl_WorkGroupSize.x"); err != nil {
		t.Error(err)
	}
}

func TestRunsStopBeforeUndefinedOperations(t *testing.T) {
	s := open(t, head+`void main() {
  uint i = gl_GlobalInvocationID.x;
  uint d = i & 1u;
  r[i] = 8u / d;
  r[i + 62u] = 1u;
}
`, 1)
	StopOnUndefined(s, func(Undefined) bool { return true })
	type at struct {
		line, lane int
		detail     string
	}
	var got []at
	stop := s.Continue(Forward)
	for ; stop.Reason == Trapped; stop = s.Continue(Forward) {
		got = append(got, at{stop.Pos.Line, stop.Lane, stop.Detail})
		if seen := s.TakeUndefined(); len(seen) != 1 || seen[0].Pos.Line != stop.Pos.Line {
			t.Errorf("at line %d these are known: %v", stop.Pos.Line, seen)
		}
	}
	want := []at{{6, 0, "division by zero"}, {7, 2, "write out of range: index 64 of 64"}}
	if !slices.Equal(got, want) || stop.Reason != Ended {
		t.Errorf("stopped at %v, then %v; want %v, then the end", got, stop.Reason, want)
	}
}

// TestImagesOfParametersHaveNames: a function that was given an image shows it by the name of its parameter, in each of its copies.
func TestImagesOfParametersHaveNames(t *testing.T) {
	s := open(t, head+`layout(r32ui, binding = 1) uniform uimage2D left;
layout(r32ui, binding = 2) uniform uimage2D right;
void put(uimage2D image, uint by) {
  imageStore(image, ivec2(0), uvec4(by));
}
void main() {
  put(left, 7u);
  put(right, 9u);
  r[0] = 1u;
}
`, 1)
	for _, want := range []string{"7", "9"} {
		for s.Step(Into, Forward).Pos.Line != 6 {
		}
		if by, err := s.Eval("by"); err != nil || by.String() != want {
			t.Errorf("by = %v, %v", by, err)
		}
		if size, err := s.Eval("image.size.w"); err != nil || size.String() != "0" {
			t.Errorf("image.size.w = %v, %v", size, err)
		}
	}
	s.Step(Into, Forward)
	if _, err := s.Eval("image.size"); err == nil {
		t.Error("the parameter of a call that has ended is in scope")
	}
}

// TestTexelsAreReadByTheFunctionsOfTheLanguage: expressions read images as kernels do, with samples, by the name of a parameter, and
// outside of the image.
func TestTexelsAreReadByTheFunctionsOfTheLanguage(t *testing.T) {
	p, _, err := engine.CompileProgram("k", &source.File{Name: "k.comp", Text: `#version 450
layout(local_size_x = 1) in;
layout(rgba8, binding = 1) uniform image2DMS color;
layout(binding = 2) uniform usampler2D maps[2];
int n;
void put(image2DMS image) {
  imageStore(image, ivec2(1, 0), 1, vec4(1.0, 0.0, 0.0, 1.0));
  n = 1;
}
void main() {
  put(color);
  n = int(texelFetch(maps[n & 1], ivec2(0), 0).x);
}
`}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	color, texture := make([]uint32, 4+6*4), make([]uint32, 12+3*4)
	copy(color, []uint32{2, 1, 1, 4})
	copy(texture, []uint32{1, 1, 1, 1})
	texture[12] = 5
	s, err := Open(Target{Program: p, Grid: [3]uint32{1, 1, 1}, Buffers: map[uint32][]uint32{1: color, 2: texture, 3: texture}})
	if err != nil {
		t.Fatal(err)
	}
	for s.Step(Into, Forward).Pos.Line != 8 {
	}
	for text, want := range map[string]string{
		"imageLoad(image, ivec2(1, 0), 1)": "vec4(1, 0, 0, 1)", "imageLoad(color, ivec2(1, 0), 0)": "vec4(0, 0, 0, 0)",
		"imageLoad(color, ivec2(2, 0), 1)": "vec4(0, 0, 0, 0)", "imageSamples(image)": "2", "imageSize(color)": "ivec2(2, 1)",
		"texelFetch(maps[1], ivec2(0), 0)": "uvec4(5, 0, 0, 0)", "imageLoad(image, ivec2(1, 0), 1).wy": "vec2(1, 0)", "(dvec2(1, 2) + 0.5).y": "2.5",
		"textureSize(maps[0], 0).x + mid3(3, 1, 2)": "3",
	} {
		if got, err := s.Eval(text); err != nil || got.String() != want {
			t.Errorf("%s = %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"color": "cannot be used as a whole", "maps[0]": "cannot be used as a whole",
		"texture(maps[0], vec2(0))": "cannot be computed", "imageStore(color, ivec2(0), 0, vec4(1))": "cannot change",
	} {
		if got, err := s.Eval(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s = %v, %v, want an error that says %q", text, got, err, want)
		}
	}
}
