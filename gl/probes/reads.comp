#version 450
// Each invocation leaves a loop in a round of its own and takes along what it read in that round. llvmpipe
// (Mesa 22.3) goes on reading for those that have left, without a result: they find 0.
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { uint v[]; };
layout(std430, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
	uint i = gl_LocalInvocationIndex, n = 0u, seen = 0u;
	do { seen = v[i]; n++; } while (n * n < seen);
	o[i] = seen;
}
