// grid: 1
#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint s[8];
void main() {
  s[gl_LocalInvocationIndex] = v[gl_LocalInvocationIndex];
  barrier();
  for (uint n = 4u; n > 0u; n >>= 1) {
    if (gl_LocalInvocationIndex < n) {
      s[gl_LocalInvocationIndex] += s[gl_LocalInvocationIndex + n];
    }
    barrier();
  }
  if (gl_LocalInvocationIndex == 0u) {
    v[0] = s[0];
  }
}
