#version 450
// Reaches memory in one of four ways, see gl/memory.go.
layout(local_size_x = 64) in;
layout(std430, binding = 0) coherent buffer Data { uvec4 data[]; }; // a power of two
layout(std430, binding = 1) buffer Settings {
	uint way;
	uint steps; // of one invocation that goes from place to place
	uint hop;   // how far it goes
	uint sink;
};
const uint way_follow = 0u; // each place says where the next one is
const uint way_leave = 1u;  // a store that must have arrived before the next one
const uint way_read = 2u;   // all of it, all invocations together
void main() {
	uint w = way;
	uint n = steps;
	uint id = gl_GlobalInvocationID.x;
	uint size = uint(data.length());
	if (w <= way_leave) {
		if (id != 0u) return;
		uint h = hop;
		uint at = 0u;
		for (uint i = 0u; i < n; i++) {
			if (w == way_follow) {
				at = data[at].x;
			} else {
				data[at].x = i;
				memoryBarrierBuffer();
				at = (at + h) & (size - 1u);
			}
		}
		sink = at;
		return;
	}
	uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
	uvec4 x = uvec4(0u);
	for (uint i = id; i < size; i += stride) {
		if (w == way_read) {
			x ^= data[i];
		} else {
			data[i] = uvec4(i);
		}
	}
	if (x == uvec4(0xdeadbeefu)) sink = 1u; // keeps the reads alive
}
