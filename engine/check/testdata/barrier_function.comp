// grid: 2
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint s[4];
uint exchange(uint lane) {
  s[lane] = lane + 1u;
  barrier(); // finds: barrier
  return s[lane ^ 1u];
}
void main() {
  uint lane = gl_LocalInvocationIndex;
  uint got = 0u;
  if (v[32u + lane / 2u] == gl_WorkGroupID.x / 2u && lane < 2u) {
    got = exchange(lane);
  }
  v[gl_WorkGroupID.x * 4u + lane] = got;
}
