package reference

import (
	"testing"

	"vyretop/engine"
)

func TestSmoke(t *testing.T) {
	b := openBackend(t, Options{})
	p := compileText(t, b, "smoke.comp", `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Out { uint data[]; };
shared uint total;
uint collatz(uint n) {
  uint steps = 0u;
  while (n != 1u) {
    if ((n & 1u) == 0u) n >>= 1; else n = 3u * n + 1u;
    steps++;
    if (steps > 200u) return 999u;
  }
  return steps;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint r = collatz(i + 1u);
  atomicAdd(total, r);
  barrier();
  for (uint k = 0u; k < i; ++k) { if (k == 3u) break; if (k == 1u) continue; r += 100u; }
  switch (i % 5u) { case 0u: r += 10000u; case 1u: r += 20000u; break; default: r += 70000u; case 3u: r += 40000u; }
  data[i] = r + total * 1000000u;
}
`)
	disassembly(t, p)
	out, _, err := dispatch(t, p, engine.DispatchConfig{}, make([]uint32, 8))
	if err != nil {
		t.Fatal(err)
	}
	collatz := []uint32{0, 1, 7, 2, 5, 8, 16, 3}
	for i, got := range out[0] {
		want := collatz[i] + 42*1000000
		for k := range i {
			if k == 3 {
				break
			}
			if k != 1 {
				want += 100
			}
		}
		want += []uint32{30000, 20000, 110000, 40000, 110000}[i%5]
		if got != want {
			t.Errorf("data[%d] = %d, want %d", i, got, want)
		}
	}
}
