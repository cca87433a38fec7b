// grid: 4
// undefined: 0
#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  atomicAdd(v[0], gl_GlobalInvocationID.x); // finds: uninitialized
}
