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

// leveled reads each level of a texture of 4 x 2 texels, and a mix of two.
const leveled = `layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D from;
layout(std430, binding = 1) buffer Out { float v[5]; };
void main() {
	for (int i = 0; i < 3; i++) v[i] = texelFetch(from, ivec2(0), i).x;
	v[3] = textureLod(from, vec2(0.25, 0.5), 0.5).x;
	v[4] = float(textureQueryLevels(from));
}
`

// TestLevelsComeFromFiles: levels that are given are read, and those behind them are made of the last one, or are not there.
func TestLevelsComeFromFiles(t *testing.T) {
	b, p, dir := backendtest.Reference(t, reference.Options{}), compiled(t, leveled), t.TempDir()
	file := func(name string, value float32, texels int) string {
		var data []byte
		for range 4 * texels {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(value))
		}
		path := filepath.Join(dir, name)
		check(t, os.WriteFile(path, data, 0o600))
		return path
	}
	zero, one, out := file("0", 8, 8)+":4x2", file("1", 4, 2)+":2x1", filepath.Join(dir, "out")
	for _, row := range []struct {
		images  map[string]string
		sampler string
		want    [5]float32
	}{
		{map[string]string{"0": zero}, "", [5]float32{8, 0, 0, 8, 1}},
		{map[string]string{"0": zero, "from@1": one}, "", [5]float32{8, 4, 0, 6, 2}},
		{map[string]string{"0": zero, "0@1": one}, "mipmaps", [5]float32{8, 4, 4, 6, 3}},
		{map[string]string{"0": zero, "0@1": one, "0@2": "1x1"}, "mipmaps=nearest", [5]float32{8, 4, 0, 8, 3}},
		{map[string]string{"0": "4x2", "0@1": one}, "", [5]float32{0, 4, 0, 2, 2}},
	} {
		r := &Request{Images: row.images, Outputs: map[uint32]string{1: out}, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}, Repeat: 2}
		if row.sampler != "" {
			r.Samplers = map[string]string{"from": row.sampler}
		}
		_, err := Run(t.Context(), b, p, r)
		check(t, err)
		got, err := os.ReadFile(out)
		check(t, err)
		for i, want := range row.want {
			if have := math.Float32frombits(binary.LittleEndian.Uint32(got[4*i:])); have != want {
				t.Errorf("%v %q: value %d is %v, want %v", row.images, row.sampler, i, have, want)
			}
		}
	}
	for _, images := range []map[string]string{
		{"0": zero, "0@2": "1x1"}, {"0": zero, "0@1": "3x1"}, {"0": zero, "0@1": one, "0@2": "1x1", "0@3": "1x1"}, {"0": zero, "0@0": one}, {"0": zero, "1@1": one}, {"0": zero, "0@x": one},
	} {
		_, err := Run(t.Context(), b, p, &Request{Images: images, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}})
		if !errors.Is(err, ErrRequest) {
			t.Errorf("%v: %v", images, err)
		}
	}
}
