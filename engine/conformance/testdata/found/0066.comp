//: grid 2 1 1
//: buffer 0 = 0x1 0x0 0x2 0x7 0x3 0x2 0x5 0x9
//: buffer 1 size 64
//: buffer 2 size 64
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 4) in;
layout(std430, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, binding = 1) buffer Doubles { dvec4 doubles[]; };
layout(std430, binding = 2) buffer Whole { u64vec4 whole[]; };
shared dvec4 near[4];
shared u64vec4 far[4];
void main() {
  uint l = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x, t = source[at] & 3u;
  near[l] = dvec4(double(at), double(at) + 0.25lf, double(at) + 0.5lf, double(at) + 0.75lf);
  far[l] = u64vec4(at) + u64vec4(0ul, 0x100000000ul, 0x200000000ul, 0x300000000ul);
  barrier();
  double d = 0.0lf;
  uint64_t n = 0ul;
  if (t == 0u) { d = near[l ^ 1u].x; n = far[l ^ 1u].x; } else if (t == 1u) { d = near[l ^ 1u].y; n = far[l ^ 1u].y; } else if (t == 2u) { d = near[l ^ 1u].z; n = far[l ^ 1u].z; } else { dvec4 v = near[l ^ 1u]; d = v.w; n = far[l ^ 1u].w; }
  barrier();
  if (t == 0u) near[l].x *= 2.0lf; else if (t == 1u) near[l].y = d; else if (t == 2u) near[l].z++; else near[l].wx -= 1.0lf;
  switch (t) { case 0u: far[l].x <<= 3; break; case 1u: far[l].y = n; break; case 2u: far[l].z--; break; default: far[l].wx += 7ul; }
  doubles[at] = near[l] + d;
  whole[at] = far[l] ^ n;
}
