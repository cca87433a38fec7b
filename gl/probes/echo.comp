#version 450
// The least that a round trip costs: as pingpong.comp, but nothing between the look that finds a new
// value and the store that echoes it, and no barrier between the store and the next look.
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent volatile buffer Channel {
	uint ping; // host
	uint looks;
	uint pad0[14];
	uint pong; // kernel
	uint pad1[15];
	uint beat; // kernel: 1 once it looks, above the looks at its end
	uint pad2[15];
};
const uint stop = 0xffffffffu;
void main() {
	if (gl_LocalInvocationIndex != 0u) return; // see doc.go: unused lanes
	uint seen = 0u;
	uint n = looks;
	beat = 1u;
	for (uint i = 0u; i < n; i++) {
		uint v = ping;
		if (v != seen) {
			pong = v;
			seen = v;
			if (v == stop) break;
		}
	}
	memoryBarrierBuffer();
	beat = n + 1u;
}
