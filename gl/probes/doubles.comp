#version 450
// Shows what the device does with doubles: for each row of two of them the quotient, the square root, and how they
// compare.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Rows { uvec4 rows[]; };
layout(std430, binding = 1) buffer Results { uint results[]; };
void main() {
	uint at = gl_GlobalInvocationID.x;
	if (at >= uint(rows.length())) return;
	double a = packDouble2x32(rows[at].xy), b = packDouble2x32(rows[at].zw);
	precise double quotient = a / b, root = sqrt(a);
	at *= 5u;
	results[at] = unpackDouble2x32(quotient).x;
	results[at + 1u] = unpackDouble2x32(quotient).y;
	results[at + 2u] = unpackDouble2x32(root).x;
	results[at + 3u] = unpackDouble2x32(root).y;
	results[at + 4u] = uint(a < b) | uint(a <= b) << 1 | uint(a == b) << 2;
}
