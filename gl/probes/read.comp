#version 450
// Reads a whole buffer once, neighbours together; the sum keeps the reads alive.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Source { uint data[]; };
layout(std430, binding = 1) buffer Sum { uint sum; };
void main() {
	uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
	uint x = 0u;
	for (uint i = gl_GlobalInvocationID.x; i < uint(data.length()); i += stride) x += data[i];
	if (x != 0u) atomicAdd(sum, x);
}
