//: grid 1 1 1
//: buffer 0 = 1 2 3 4 5 6 7 8 9 10 11 12
//: buffer 1 size 12
// llvmpipe (Mesa 22.3) lost what the first invocation had read in its last round of a do.
#version 450
layout(local_size_x = 3) in;
layout(std430, binding = 0) coherent buffer Work { uint work[]; };
layout(std430, binding = 1) buffer Result { uvec4 results[]; };
void main() {
  uint at = gl_GlobalInvocationID.x, u = 77u, v = 0u, n = 0u;
  int k = 0;
  do {
    k++;
    u = work[at * 4u + 3u];
  } while (k < 2 && at != 0u);
  k = 0;
  do {
    k++;
    v = atomicAdd(work[at], 1u);
    if (k == 2) continue;
    do n++; while (n % 3u != 0u);
  } while (k < 1 + int(at));
  results[at] = uvec4(u, v, n, k);
}
