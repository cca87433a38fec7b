// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { int v[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  int left = v[i - 1]; // finds: out-of-range
  barrier();
  v[i] = left;
}
