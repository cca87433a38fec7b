#version 450
#extension GL_ARB_gpu_shader_int64 : require
// Shows what the device does with variables that have components of 64 bits, where an index is not constant: for each row of two such
// components those that its first bit and the other choose of a new array of doubles, one of integers, a matrix and structures.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Rows { uvec4 rows[]; };
layout(std430, binding = 1) buffer Results { uvec2 results[]; };
struct Pair { uint number; int64_t whole; };
void main() {
	uint at = gl_GlobalInvocationID.x;
	if (at >= uint(rows.length())) return;
	uvec2 x = rows[at].xy, y = rows[at].zw;
	uint i = x.x & 1u;
	double numbers[2] = double[2](packDouble2x32(x), packDouble2x32(y));
	uint64_t counts[2] = uint64_t[2](packUint2x32(x), packUint2x32(y));
	dmat2 turn = dmat2(dvec2(numbers[0], numbers[0]), dvec2(numbers[1], numbers[1]));
	Pair pairs[2] = Pair[2](Pair(x.x, int64_t(counts[0])), Pair(y.x, int64_t(counts[1])));
	at *= 8u;
	results[at] = unpackDouble2x32(numbers[i]);
	results[at + 1u] = unpackUint2x32(counts[i]);
	results[at + 2u] = unpackDouble2x32(turn[i].y);
	results[at + 3u] = unpackUint2x32(uint64_t(pairs[i].whole));
	numbers[i] = numbers[1u - i];
	counts[i] = counts[1u - i];
	turn[i][i] = turn[1u - i].x;
	pairs[i] = pairs[1u - i];
	results[at + 4u] = unpackDouble2x32(numbers[i]);
	results[at + 5u] = unpackUint2x32(counts[i]);
	results[at + 6u] = unpackDouble2x32(turn[i][i]);
	results[at + 7u] = unpackUint2x32(uint64_t(pairs[i].whole));
}
