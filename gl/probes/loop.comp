#version 450
// Counts how many loop iterations an invocation gets. Workgroup 0 runs one loop of `single`
// iterations, workgroup 1 a loop of `side` iterations inside another one.
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Count {
	uint single;
	uint side;
	uint seed;
	uint in_single; // iterations that happened
	uint in_nested; // of both loops together
	uint sink;
};
void main() {
	uint x = seed;
	uint n = 0u;
	if (gl_WorkGroupID.x == 0u) {
		for (uint i = 0u; i < single; i++) {
			x = x * 1664525u + 1013904223u;
			n++;
		}
		in_single = n;
	} else {
		for (uint i = 0u; i < side; i++) {
			n++;
			for (uint j = 0u; j < side; j++) {
				x = x * 1664525u + 1013904223u;
				n++;
			}
		}
		in_nested = n;
	}
	sink = x; // keeps the compiler from dropping the loops
}
