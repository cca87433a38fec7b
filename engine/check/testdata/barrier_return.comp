// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint s[4];
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 3u) {
    s[i] = 0u;
  } else {
    s[i] = i;
    barrier(); // finds: barrier
  }
  v[i] = s[i];
}
