#version 450
#define PI 3.14159265358979323846
#define N 256
layout(local_size_x = N / 2) in;
layout(std430, binding = 0) readonly buffer A { vec2 a[]; };
layout(std430, binding = 1) writeonly buffer B { vec2 b[]; };
layout(std140, binding = 7) uniform P { int inverse; } p;
shared vec2 buf[2][N];
vec2 cmul(vec2 x, vec2 y) { return mat2(x.x, x.y, -x.y, x.x) * y; }
vec2 twiddle(float k, float n) { float t = (p.inverse != 0 ? 2.0 : -2.0) * PI * k / n; return vec2(cos(t), sin(t)); }
void main() {
	uint t = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * N;
	for (uint i = t; i < N; i += N / 2) buf[0][i] = a[base + (bitfieldReverse(i) >> (32 - findMSB(N)))];
	memoryBarrierShared(); barrier();
	int ping = 0;
	for (uint half_ = 1u; half_ < N; half_ <<= 1, ping ^= 1) {
		uint k = t & (half_ - 1u), i = ((t - k) << 1) + k;
		vec2 u = buf[ping][i], v = cmul(twiddle(float(k), float(half_ * 2u)), buf[ping][i + half_]);
		buf[ping ^ 1][i] = u + v;
		buf[ping ^ 1][i + half_] = u - v;
		memoryBarrierShared();
		barrier();
	}
	for (uint i = t; i < N; i += N / 2) b[base + i] = p.inverse != 0 ? buf[ping][i] / N : buf[ping][i];
}
