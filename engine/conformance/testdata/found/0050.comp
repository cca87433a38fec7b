// Invocations of llvmpipe run in step along x only: in a workgroup of several rows a subgroup was that of one row.
//: grid 2 1 1
//: buffer 0 random 48 seed 50
//: buffer 1 size 768
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 2, local_size_y = 3, local_size_z = 4) in;
layout(std430, binding = 0) readonly buffer In { uint values[48]; };
layout(std430, binding = 1) buffer Out { uvec4 results[48]; };
shared uint plane[2][3][4];
void main() {
  uvec3 at = gl_LocalInvocationID;
  uint i = gl_WorkGroupID.x * 24u + gl_LocalInvocationIndex, v = values[i];
  plane[at.x][at.y][at.z] = v;
  barrier();
  results[i].x = subgroupAdd(v) ^ subgroupShuffleXor(v, 3u) * 3u ^ uint(subgroupElect()) ^ subgroupQuadSwapVertical(v);
  results[i].y = subgroupBallot(v > 0x80000000u).x ^ gl_SubgroupInvocationID * 1000u;
  results[i].z = plane[1u - at.x][(at.y + 1u) % 3u][3u - at.z];
  results[i].w = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * 100u + gl_GlobalInvocationID.z * 10000u;
}
