// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { float f[]; };
void main() {
  float x = 1.0 / f[0];
  f[1] = x - x; // finds: nan
}
