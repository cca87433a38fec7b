//: grid 3 2 2
//: buffer 0 size 1920
#version 450
// The inputs of each invocation, in a workgroup and a grid of three dimensions.
layout(local_size_x = 4, local_size_y = 3, local_size_z = 2) in;
struct Ids { uvec3 groups; uint index; uvec3 size; uint lane; uvec3 group; uvec3 local; uvec3 global; };
layout(std430, binding = 0) writeonly buffer Out { Ids ids[]; };
void main() {
  uvec3 all = gl_NumWorkGroups * gl_WorkGroupSize;
  uint i = (gl_GlobalInvocationID.z * all.y + gl_GlobalInvocationID.y) * all.x + gl_GlobalInvocationID.x;
  if (i >= uint(ids.length())) return;
  ids[i].groups = gl_NumWorkGroups;
  ids[i].index = i;
  ids[i].size = gl_WorkGroupSize;
  ids[i].lane = gl_LocalInvocationIndex;
  ids[i].group = gl_WorkGroupID;
  ids[i].local = gl_LocalInvocationID;
  ids[i].global = gl_GlobalInvocationID;
}
