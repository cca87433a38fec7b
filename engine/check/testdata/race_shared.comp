// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint s[4];
void main() {
  s[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;
  v[gl_LocalInvocationIndex] = s[3u - gl_LocalInvocationIndex]; // finds: data-race
}
