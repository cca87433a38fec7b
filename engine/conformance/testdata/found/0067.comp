//: grid 2 1 1
//: buffer 0 = 0x1 0x0 0x2 0x1 0x2 0x2 0x0 0x1
//: buffer 1 size 64
//: buffer 2 size 64
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 4) in;
layout(std430, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, binding = 1) buffer Doubles { dvec4 doubles[]; };
layout(std430, binding = 2) buffer Whole { u64vec4 whole[]; };
shared dvec3 three[4];
shared u64vec4 four[4];
shared dvec2 two[4];
shared dvec3 alone;
void main() {
  uint l = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x, t = source[at] & 3u;
  three[l] = dvec3(double(at), double(at) + 0.25lf, double(at) + 0.5lf);
  four[l] = u64vec4(at) + u64vec4(0ul, 0x100000000ul, 0x200000000ul, 0x300000000ul);
  two[l] = dvec2(double(at) + 7.5lf, -double(at));
  if (l == 0u) alone = dvec3(1.25lf, 2.5lf, -3.0lf);
  barrier();
  doubles[at] = dvec4(three[l ^ 1u][t], three[2][t], two[l ^ 2u][t & 1u], alone[t]);
  whole[at] = u64vec4(four[l ^ 1u][t], four[3][t], four[0].z, four[1][1]);
}
