package dispatch

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
)

// samples reads a texture of 3 x 1 texels with red 1, 2 and 4 at some coordinates and levels.
const samples = `layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D from;
layout(std430, binding = 1) buffer Out { float v[4]; };
void main() {
	v[0] = textureLod(from, vec2(0.5, 0.5), 0.0).x;
	v[1] = textureLod(from, vec2(1.0, 0.5), 0.0).x;
	v[2] = textureLod(from, vec2(-0.5, 0.5), 0.0).x;
	v[3] = textureLod(from, vec2(0.5, 0.5), 0.75).x;
}
`

// TestTexturesAreSampledAsAsked: filters, wrap modes, borders and levels of --sampler reach the kernel.
func TestTexturesAreSampledAsAsked(t *testing.T) {
	b, p, dir := backendtest.Reference(t, reference.Options{}), compiled(t, samples), t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	var texels []byte
	for _, v := range []float32{1, 2, 4} {
		for range 4 {
			texels = binary.LittleEndian.AppendUint32(texels, math.Float32bits(v))
		}
	}
	check(t, os.WriteFile(in, texels, 0o600))
	for _, row := range []struct {
		sampler string
		want    [4]float32
	}{
		{"", [4]float32{2, 2.5, 2, 2}},
		{"linear,repeat", [4]float32{2, 2.5, 2, 2}},
		{"nearest", [4]float32{2, 1, 2, 2}},
		{"nearest,clamp-to-edge", [4]float32{2, 4, 1, 2}},
		{"nearest,clamp_to_border,border=9:0:0:0", [4]float32{2, 9, 9, 2}},
		{"linear,clamp_to_border,border=2:0:0:0", [4]float32{2, 3, 2, 2}},
		{"linear,mirrored_repeat,repeat", [4]float32{2, 4, 2, 2}},
		{"nearest,mirror_clamp_to_edge", [4]float32{2, 4, 2, 2}},
		{"linear,mipmaps", [4]float32{2, 2.5, 2, 1.625}},
		{"linear,mipmaps=nearest", [4]float32{2, 2.5, 2, 1.5}},
	} {
		r := &Request{Images: map[string]string{"0": in + ":3x1"}, Outputs: map[uint32]string{1: out}, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}}
		if row.sampler != "" {
			r.Samplers = map[string]string{"from": row.sampler}
		}
		_, err := Run(t.Context(), b, p, r)
		check(t, err)
		got, err := os.ReadFile(out)
		check(t, err)
		for i, want := range row.want {
			if have := math.Float32frombits(binary.LittleEndian.Uint32(got[4*i:])); have != want {
				t.Errorf("%q: value %d is %v, want %v", row.sampler, i, have, want)
			}
		}
	}
}

func TestWrongSamplersAreRefused(t *testing.T) {
	b, p := backendtest.Reference(t, reference.Options{}), compiled(t, samples)
	for _, list := range []map[string]string{
		{"0": "cubic"}, {"0": "nearest=1"}, {"0": "border=1:2"}, {"0": "repeat,repeat,repeat,repeat"}, {"0": "mipmaps=9"}, {"0": ""}, {"1": "nearest"}, {"other": "nearest"}, {"0": "compare=less"},
	} {
		_, err := Run(t.Context(), b, p, &Request{Images: map[string]string{"0": "3x1"}, Samplers: list, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}})
		if !errors.Is(err, ErrRequest) {
			t.Errorf("%v: %v", list, err)
		}
	}
}

// compares reads a texture of 3 x 1 texels with red 1, 2 and 4 and compares references with it.
const compares = `layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2DShadow from;
layout(std430, binding = 1) buffer Out { float v[4]; };
void main() {
	v[0] = textureLod(from, vec3(0.5, 0.5, 2.0), 0.0);
	v[1] = texture(from, vec3(1.0, 0.5, 2.0));
	v[2] = dot(textureGather(from, vec2(0.5), 3.0), vec4(1, 2, 4, 8));
	v[3] = textureProj(from, vec4(1.0, 1.0, 4.0, 2.0));
}
`

// TestTexturesAreComparedAsAsked: the function of --sampler compares the reference with each texel, and the results are filtered.
func TestTexturesAreComparedAsAsked(t *testing.T) {
	b, p, dir := backendtest.Reference(t, reference.Options{}), compiled(t, compares), t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	var texels []byte
	for _, v := range []float32{1, 2, 4} {
		for range 4 {
			texels = binary.LittleEndian.AppendUint32(texels, math.Float32bits(v))
		}
	}
	check(t, os.WriteFile(in, texels, 0o600))
	for function, row := range map[string][4]float32{
		"": {1, 0.5, 6, 1}, "lequal": {1, 0.5, 6, 1}, "less": {0, 0.5, 6, 0}, "greater": {0, 0.5, 9, 0}, "gequal": {1, 0.5, 9, 1},
		"equal": {1, 0, 0, 1}, "notequal": {0, 1, 15, 0}, "always": {1, 1, 15, 1}, "never": {0, 0, 0, 0},
	} {
		r := &Request{Images: map[string]string{"0": in + ":3x1"}, Outputs: map[uint32]string{1: out}, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}}
		if function != "" {
			r.Samplers = map[string]string{"from": "linear,compare=" + function}
		}
		_, err := Run(t.Context(), b, p, r)
		check(t, err)
		got, err := os.ReadFile(out)
		check(t, err)
		for i, want := range row {
			if have := math.Float32frombits(binary.LittleEndian.Uint32(got[4*i:])); have != want {
				t.Errorf("%q: value %d is %v, want %v", function, i, have, want)
			}
		}
	}
}
