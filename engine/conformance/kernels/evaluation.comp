//: grid 2 1 1
//: buffer 0 random 256 seed 7
//: buffer 1 size 256
#version 450
// What is evaluated, how often: short circuits, ?:, comma, compound targets, scopes and shadowing.
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { uvec4 values[]; };
layout(std430, binding = 1) writeonly buffer Out { uvec4 results[]; };
uint trace;
bool seen(uint n, bool answer) { trace = trace * 3u + n; return answer; }
uint next() { return ++trace; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec4 v = values[i];
  bool a = (v.x & 1u) != 0u, b = (v.x & 2u) != 0u, c = (v.x & 4u) != 0u;
  trace = 1u;
  bool all = seen(1u, a) && seen(2u, b) || seen(3u, c) && !seen(4u, b);
  uint logical = trace;
  trace = 0u;
  uint list[4] = uint[4](1u, 2u, 3u, 4u);
  list[next() & 3u] += 10u;
  list[next() & 3u] <<= 2;
  uint chosen = a ? next() : b ? next() + 100u : 5u;
  uint comma = (next(), v.y += 3u, v.y);
  {
    uint v = comma + 1u;
    for (uint comma = 0u; comma < 3u; comma++) { v += comma; uint v = 4u; v++; }
    chosen ^= v;
  }
  if (all ^^ c) ; else chosen++;
  results[i] = uvec4(logical + uint(all), list[0] + list[1] * 7u + list[2] * 49u + list[3] * 343u, chosen, comma + trace);
}
