//: grid 1 1 1
//: buffer 0 size 128
//: buffer 1 = 0x0 0x1 0x0 0x1
//: buffer 2 size 64
// Mesa took a component of a swizzle in memory for one of the whole vector, and the reference lost what was written to it.
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Results { float results[]; };
layout(std430, binding = 1) readonly buffer Words { uint words[]; };
layout(std430, binding = 2) buffer Vectors { vec4 given[]; };
shared vec4 row[4];
void main() {
  uint l = gl_LocalInvocationIndex, one = words[gl_LocalInvocationIndex] & 1u, o = l ^ 1u;
  row[l] = vec4(1.5, 2.5, 3.5, -7.25);
  given[l] = vec4(1.5, 2.5, 3.5, -7.25);
  barrier();
  uint a = l * 8u;
  results[a] = row[o].zw[one];
  results[a + 1u] = given[l].zw[one];
  results[a + 2u] = row[o].wzy.zx[one] + row[o].wwz[one + 1u] + given[l].zz[1u];
  row[l].zw[one] = 9.0;
  given[l].zw[one] += 9.0; given[l].wx[one]++; row[l].yx[1u] = 3.0;
  barrier();
  results[a + 3u] = row[o].x; results[a + 4u] = row[o].z; results[a + 5u] = given[l].x; results[a + 6u] = given[l].z;
  vec4 own = vec4(1.5, 2.5, 3.5, -7.25); own.zw[one] = 9.0; results[a + 7u] = own.x;
}
