// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint s[4];
void main() {
  uint lane = gl_LocalInvocationIndex;
  s[lane] = lane;
  for (uint i = 0u; i < 3u; i++) {
    barrier();
    if (i < lane) {
      s[lane] += i;
    }
  }
  v[lane] = s[lane];
}
