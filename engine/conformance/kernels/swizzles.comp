//: grid 2 1 1
//: buffer 0 random 256 seed 5
//: buffer 1 size 512
#version 450
// Swizzles read and written, nested, on both sides, with every set of names; vectors from parts.
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { ivec4 values[]; };
layout(std430, binding = 1) buffer Out { ivec4 results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  ivec4 v = values[i], w = v.wzyx;
  v.xz = v.zx;
  v.bg = w.ts + v.ww;
  w.zyx.yx = ivec2(i, v.q);
  w.wx++;
  ivec2 both = (v.xy = w.yz, v.yx);
  v.yzw -= ivec3(both, w[i & 3u]);
  w[(i + 1u) & 3u] = v.xyzw.wzyx[i & 3u];
  results[2u * i] = ivec4(v.x, w.yz, both.x);
  results[2u * i + 1u].xw = ivec2(ivec3(w.xxy).zx);
  results[2u * i + 1u].zy = ivec4(both.y, v.yzw).zw;
  results[2u * i + 1u].x ^= ivec2(bvec2(v.x > 0, w.y < 0)).y + int(bool(v.w));
}
