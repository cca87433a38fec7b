// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { float f[]; };
void main() {
  mat3 m;
  for (int i = 0; i < 3; i++) {
    m[i] = vec3(f[i], 0.0, 1.0);
  }
  vec3 moved = m * vec3(1.0, 2.0, 3.0);
  f[8] = moved.x;
}
