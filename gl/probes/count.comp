#version 450
// Counts its workgroups.
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Count { uint groups; };
void main() {
	if (gl_LocalInvocationIndex == 0u) atomicAdd(groups, 1u);
}
