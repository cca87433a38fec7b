#version 450
// Shows what the device does with floats: for each row of two floats and a double, what the host then
// compares with its own arithmetic. The functions are those that kernels get.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Rows { uvec4 rows[]; };
layout(std430, binding = 1) buffer Results { uint results[]; };
float add(float a, float b) { precise float r = a + b; return r; }
float sub(float a, float b) { precise float r = a - b; return r; }
float mul(float a, float b) { precise float r = a * b; return r; }
float wideAdd(float a, float b) { precise double r = double(a) + double(b); return float(r); }
float wideSub(float a, float b) { precise double r = double(a) - double(b); return float(r); }
float wideMul(float a, float b) { precise double r = double(a) * double(b); return float(r); }
void main() {
	uint at = gl_GlobalInvocationID.x;
	if (at >= uint(rows.length())) return;
	uvec4 row = rows[at];
	float a = uintBitsToFloat(row.x), b = uintBitsToFloat(row.y);
	uvec2 wide = unpackDouble2x32(double(a));
	precise double x = packDouble2x32(row.zw), y = double(b), product = x * y, rest = product - x, sum = x + y;
	at *= 16u;
	results[at] = floatBitsToUint(add(a, b));
	results[at + 1u] = floatBitsToUint(sub(a, b));
	results[at + 2u] = floatBitsToUint(mul(a, b));
	results[at + 3u] = floatBitsToUint(sub(mul(a, b), b));
	results[at + 4u] = uint(a < b) | uint(a <= b) << 1 | uint(a == b) << 2;
	results[at + 5u] = wide.x;
	results[at + 6u] = wide.y;
	results[at + 7u] = floatBitsToUint(float(x));
	results[at + 8u] = unpackDouble2x32(rest).x;
	results[at + 9u] = unpackDouble2x32(rest).y;
	results[at + 10u] = unpackDouble2x32(sum).x;
	results[at + 11u] = unpackDouble2x32(sum).y;
	results[at + 12u] = floatBitsToUint(wideAdd(a, b));
	results[at + 13u] = floatBitsToUint(wideSub(a, b));
	results[at + 14u] = floatBitsToUint(wideMul(a, b));
	results[at + 15u] = uint(double(a) < double(b)) | uint(double(a) <= double(b)) << 1 | uint(double(a) == double(b)) << 2;
}
