//: grid 2 1 1
//: buffer 0 random 128 seed 11
//: buffer 1 size 4096
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_rotate : require
// Every function of subgroups, of all and of some invocations.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };
uint at;
void put(uint v) { results[at++] = v; }
void put(bool v) { put(uint(v)); }
void put(float v) { put(floatBitsToUint(v)); }
void put(uvec4 v) { put(v.x ^ v.y * 3u ^ v.z * 5u ^ v.w * 7u); }
void votes(uint v) {
  put(subgroupElect());
  put(subgroupAny(v > 0xF0000000u));
  put(subgroupAll(v > 0x1000000u));
  put(subgroupAllEqual(v >> 31) || subgroupAllEqual(vec2(v)));
}
void ballots(uint v) {
  uvec4 b = subgroupBallot((v & 1u) != 0u);
  put(b);
  put(subgroupInverseBallot(b) != ((v & 1u) != 0u));
  put(subgroupBallotBitExtract(b, 1u));
  put(subgroupBallotBitCount(b) + 100u * subgroupBallotInclusiveBitCount(b) + 10000u * subgroupBallotExclusiveBitCount(b));
  put(subgroupBallotFindLSB(b) ^ subgroupBallotFindMSB(b));
  put(subgroupBroadcast(v, 2u) + subgroupBroadcastFirst(v));
  put(gl_SubgroupEqMask ^ gl_SubgroupGeMask * 3u ^ gl_SubgroupGtMask * 5u ^ gl_SubgroupLeMask * 7u ^ gl_SubgroupLtMask * 9u);
  put(gl_SubgroupSize + 1000u * gl_SubgroupID + 100u * gl_NumSubgroups + gl_SubgroupInvocationID);
}
void moves(uint v) {
  put(subgroupShuffle(v, v % 9u) ^ subgroupShuffleXor(v, 5u) * 3u ^ subgroupShuffleUp(v, 1u) * 5u ^ subgroupShuffleDown(v, 3u) * 7u);
  put(subgroupRotate(v, 3u) ^ subgroupClusteredRotate(v, 1u, 4u) * 3u);
  put(uvec4(subgroupQuadBroadcast(v, 1u), subgroupQuadSwapHorizontal(v), subgroupQuadSwapVertical(v), subgroupQuadSwapDiagonal(v)));
  bvec3 odd = subgroupShuffleXor(notEqual(uvec3(v, v >> 1, v >> 2) & 1u, uvec3(0u)), 1u);
  put(uvec4(odd, 1u));
  put(subgroupShuffle(intBitsToFloat(int(v)), 1u));
}
void types(uint v) {
  uvec4 u = uvec4(v, v >> 1, v >> 2, v >> 3);
  vec4 f = uintBitsToFloat(u & 0x3FFFFFFFu);
  ivec4 i = ivec4(u * 3u);
  bvec4 b = notEqual(u & 1u, uvec4(0u));
  uint k = 2u;
  put(floatBitsToUint(vec4(subgroupShuffle(f.x, k), subgroupShuffle(f.xy, k).y, subgroupShuffle(f.xyz, k).z, subgroupShuffle(f, k).w)));
  put(uvec4(subgroupShuffle(i.x, k), subgroupShuffle(i.xy, k).y, subgroupShuffle(i.xyz, k).z, subgroupShuffle(i, k).w));
  put(uvec4(subgroupShuffle(u.x, k), subgroupShuffle(u.xy, k).y, subgroupShuffle(u.xyz, k).z, subgroupShuffle(u, k).w));
  put(uvec4(subgroupShuffle(b.x, k), subgroupShuffle(b.xy, k).y, subgroupShuffle(b.xyz, k).z, subgroupShuffle(b, k).w));
}
void folds(uint v) {
  put(subgroupAdd(float(int(v)) * 0.37));
  put(uint(subgroupExclusiveMax(int(v))));
  put(subgroupClusteredMin(v, 4u) ^ subgroupInclusiveMul(v | 1u));
  put(subgroupAnd(v | 0xFFu) ^ subgroupExclusiveXor(v));
  put(subgroupInclusiveOr((v & 4u) != 0u));
}
void main() {
  uint v = values[gl_GlobalInvocationID.x];
  at = gl_GlobalInvocationID.x * 32u;
  votes(v);
  ballots(v);
  moves(v);
  types(v);
  if (v % 5u > 1u) folds(v);
  subgroupBarrier();
  subgroupMemoryBarrierShared();
  put(subgroupElect());
}
