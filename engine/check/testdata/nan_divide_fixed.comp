// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { float f[]; };
void main() {
  f[1] = f[0] / (f[0] + 1.0);
}
