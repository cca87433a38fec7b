// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint s[4];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = i == 3u ? 0u : i;
  barrier();
  v[i] = s[i];
}
