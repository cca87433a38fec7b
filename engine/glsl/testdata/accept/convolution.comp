#version 450
const bool USE_BIAS = false;
const int KSIZE = 3;
const uint KS2 = KSIZE * KSIZE;
const int HALF_K = KSIZE / 2;
const uint TAPS = uint(KSIZE * KSIZE) + (USE_BIAS ? 1u : 0u);
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer Buf { float data[]; } bufs[3];
layout(std430, binding = 5) writeonly buffer Out { float result[]; };
layout(std140, binding = 6) uniform Shape { ivec4 dims; int act; layout(row_major) mat4x3 color; } shape;
float relu(float x) { return max(x, 0.0); }
float act(float x) {
	switch (shape.act) { case 0: return x; case 1: return relu(x); case 2: return x / (1.0 + exp(-x)); case 3: return tanh(x); }
	return 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}
#define IDX(c_, y_, x_) (((c_) * shape.dims.y + (y_)) * shape.dims.x + (x_))
void main() {
	ivec3 g = ivec3(gl_GlobalInvocationID);
	float acc = USE_BIAS ? bufs[2].data[g.z] : 0.0;
	float window[TAPS];
	for (int c = 0; c < shape.dims.z; ++c) {
		int w = 0;
		for (int ky = -HALF_K; ky <= HALF_K; ++ky)
			for (int kx = -HALF_K; kx <= HALF_K; ++kx, ++w) {
				ivec2 q = g.xy + ivec2(kx, ky);
				window[w] = (q.x < 0 || q.y < 0 || q.x >= shape.dims.x || q.y >= shape.dims.y) ? 0.0 : bufs[0].data[IDX(c, q.y, q.x)];
			}
		for (w = 0; w < KSIZE * KSIZE; ++w) acc += window[w] * (bufs[1].data[(g.z * shape.dims.z + c) * int(KS2) + w] + .01 * float(w));
	}
	vec4 rgb = vec4(shape.color * vec4(acc), 1.);
	result[IDX(g.z, g.y, g.x)] = act(acc) + dot(rgb.rgb, vec3(1.));
}
