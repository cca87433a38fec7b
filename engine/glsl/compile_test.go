package glsl

import (
	"testing"
	"vyretop/engine/glsl/source"
)

func TestSmoke(t *testing.T) {
	u, err := Compile(&source.File{Name: "a.comp", Text: `#version 450
layout(local_size_x = 64) in;
struct S { uint a; vec3 b[2]; };
layout(std430, binding = 0) coherent buffer Ring { uint head; S s; uint data[]; } ring;
shared uint total[4];
const uint N = 4u, M[2] = uint[](1u, 2u);
uint vt_bits(uint x) { return x; }
uint vt_bits(float x) { return floatBitsToUint(x); }
void vt_debugf(uint f, uint n, uint a, uint b, uint c, uint d) { ring.data[0] = f + n + a; }
uint mixup(in uint x, inout uvec3 y, out int z) { y.xy += x; z = int(x) >> 2; return x * 3; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec3 v = uvec3(i, 2, 3);
  int z;
  for (int k = 0; k < 4; ++k) { total[k] = mixup(i, v, z); if (k == 2) continue; }
  switch (z) { case 1: case 2: i++; break; default: i = N; }
  ring.data[i] = atomicAdd(ring.head, 1) + M[i & 1u];
  barrier();
  debugf("x %u %f", i, 1.5);
  while (true) { if (ring.head > 3) break; }
}
`}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(u.Text, u.Warnings, u.Program.Operations)
}
