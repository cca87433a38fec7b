#version 450
// Each workgroup stores, all of them wait, and each reads what the last one of the row has stored.
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Grid { uint here[8]; uint seen[8]; };
void main() {
	uint g = gl_WorkGroupID.x, mine = g + 100u;
	if (gl_LocalInvocationIndex == 0u) here[g] = mine;
	gridBarrier();
	if (gl_LocalInvocationIndex == 0u) seen[g] = here[gl_NumWorkGroups.x - 1u - g] + mine;
}
