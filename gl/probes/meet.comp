#version 450
// Counts how many workgroups are under way at the same time: each announces itself, stays for a
// number of looks, and leaves.
layout(local_size_x = 64) in;
layout(std430, binding = 0) coherent volatile buffer Meet {
	uint looks;
	uint here;
	uint peak;
	uint sink;
};
void main() {
	if (gl_LocalInvocationIndex != 0u) return;
	atomicMax(peak, atomicAdd(here, 1u) + 1u);
	uint x = 0u;
	uint n = looks;
	for (uint i = 0u; i < n; i++) x ^= here;
	if (x == 0xdeadbeefu) sink = x;
	atomicAdd(here, 0xffffffffu);
}
