// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { float f[]; };
float angle(float cosine) {
  return acos(cosine); // finds: nan
}
void main() {
  f[gl_LocalInvocationIndex] = angle(float(gl_LocalInvocationIndex) * 0.5);
}
