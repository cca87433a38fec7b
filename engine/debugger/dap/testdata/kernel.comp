#version 450
layout(local_size_x = 4) in;
struct Pair { uint a; vec2 b; };
layout(std430, binding = 0) buffer Data { uint total; Pair p; uint v[]; };
shared uint s[4];
const uint three[3] = uint[3](3u, 33u, 333u);

uint twice(uint x) {
  uint y = x * 2u;
  return y;
}

void main() {
  uint i = gl_LocalInvocationIndex;
  float f = float(i) + 0.5;
  Pair q;
  q.a = i;
  q.b = vec2(f, 1.0);
  s[i] = twice(i);
  barrier();
  v[gl_GlobalInvocationID.x] = s[3u - i] + three[1];
  for (uint k = 0u; k < 3u; k++) {
    v[i + 8u] += k;
  }
  if (i == 2u) {
    v[i / (i - 2u)] = 7u;
    v[200] = 1u;
    p = q;
    total = 1u;
  }
}
