#version 450
// Echoes what the host writes to `ping` in `pong`, for a bounded number of looks. Words that
// different sides write are on different cache lines.
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent volatile buffer Channel {
	uint ping; // host
	uint looks;
	uint pad0[14];
	uint pong; // kernel
	uint pad1[15];
	uint beat; // kernel: looks so far, now and then
	uint pad2[15];
};
const uint stop = 0xffffffffu;
void main() {
	if (gl_LocalInvocationIndex != 0u) return; // see doc.go: unused lanes
	uint seen = 0u;
	uint n = looks;
	for (uint i = 0u; i < n; i++) {
		uint v = ping;
		if (v != seen) {
			seen = v;
			pong = v;
			memoryBarrierBuffer();
		}
		if (v == stop) break;
		if ((i & 15u) == 0u) beat = i + 1u;
	}
	memoryBarrierBuffer();
	beat = n + 1u;
}
