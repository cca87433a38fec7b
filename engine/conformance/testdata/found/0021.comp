//: grid 1 1 1
//: buffer 0 = 0x0 0x0 0x0 0x0 0x5 0x0 0x5 0x0 0x2 0x2 0x2 0x2 0x5 0x0 0x5 0x0 0x1 0x1 0x1 0x1 0x0 0x0 0x0 0xfffffffb 0x0 0x0 0x0 0x0 0x5 0x0 0x0 0xfffffffb 0x1 0x1 0x1 0x1 0x0 0x0 0x0 0x5 0x1 0x1 0x1 0x1 0x0 0x9 0x0 0x0 0x3 0x3 0x3 0x3 0x9 0x9 0x9 0x4 0x0 0x1 0x2 0x0 0x7 0x1 0x7 0xfffffffd
//: buffer 1 size 24
// A loop whose count was 2 on an H100 and is 1 on the reference. Eight lanes, three forms of
// the loop: n[lane], n[8+lane], n[16+lane]. Right, on the reference and on llvmpipe: 1 1 1 1 0 3 0 1 in each form. A 2 tells what was read one
// round late: in lanes 0, 1, 3, 7 only: u (stale from the round before); in lanes 2, 3, 7 only: i.w; in all of these: u and i.
#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { int n[]; };
void main() {
  uint lane = gl_LocalInvocationIndex;
  { uvec4 u = source[lane * 2u]; ivec4 i = ivec4(source[lane * 2u + 1u]); int c = 0;
    while (c < 3 && !(i.w >= i[u[lane % 4u] % 4u])) { c++; u = uvec4(3225277885u); i.w = 1; }
    n[lane] = c; }
  { uvec4 u = source[lane * 2u]; ivec4 i = ivec4(source[lane * 2u + 1u]); int c = 0; bool never = false;
    while (c < 3 && !(i.w >= i[u[uvec3(lane).z % 4u] % 4u])) { c++; if (never) never = i.z <= 0; else { u = uvec4(3225277885u); i.w = 1; } }
    n[8u + lane] = c; }
  { uvec4 u = source[lane * 2u]; ivec4 i = ivec4(source[lane * 2u + 1u]); int c = 0; float g = -1.0;
    while (c < 3 && !(i.w >= i[u[lane % 4u] % 4u])) { c++;
      if (n[16u + lane] > ~n[16u + lane] >> ((i[bitfieldExtract(gl_WorkGroupID[0u], i[(u[3] << c) % 4u], c) % 4u] ^ 7) & 31)) ++g;
      u = uvec4(3225277885u); i.w = 1; }
    n[16u + lane] = g < -9.0 ? -1 : c; }
}
