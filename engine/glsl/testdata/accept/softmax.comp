#version 450
#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(std140, binding = 7) uniform parameter { uint KX; float scale; float max_bias; } p;
const uint BLOCK_SIZE = 32;
layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;
layout (binding = 0) readonly buffer X {float data_a[];};
layout (binding = 1) buffer D {float data_d[];};
const float FLOAT_TYPE_MAX = 3.4028234e38;
shared float vals[BLOCK_SIZE];
#define op_max(a, b) max((a), (b))
void soft_max(uint num_iters) {
	const uint tid = gl_LocalInvocationID.x, rowx = gl_WorkGroupID.x;
	float slope = 1.0f;
	if (p.max_bias > 0.0f) { slope = pow(2.0f, -p.max_bias); }
	float max_val = -FLOAT_TYPE_MAX;
	float data_cache[16];
	[[unroll]] for (uint col0 = 0, idx = 0; idx < num_iters; col0 += BLOCK_SIZE, ++idx) {
		const uint col = col0 + tid;
		float a = 0.0f;
		if (col < p.KX) a = data_a[rowx * p.KX + col];
		float v = a * p.scale;
		if (col < p.KX) max_val = max(max_val, v);
		if (idx < 16) data_cache[idx] = v;
	}
	vals[tid] = max_val;
	barrier();
	[[unroll]] for (int s = int(BLOCK_SIZE) / 2; s > 0; s >>= 1) { if (tid < s) vals[tid] = op_max(vals[tid], vals[tid + s]); barrier(); }
	max_val = vals[0];
	barrier();
	float sum = 0.0f;
	[[unroll]] for (uint col0 = 0, idx = 0; idx < num_iters; col0 += BLOCK_SIZE, ++idx) {
		const uint col = col0 + tid;
		if (col >= p.KX) break;
		float val = exp((idx < 16 ? data_cache[idx] : data_a[rowx * p.KX + col] * p.scale) - max_val);
		sum += val;
		data_d[rowx * p.KX + col] = val;
	}
	vals[tid] = sum;
	barrier();
	[[unroll]] for (uint s = BLOCK_SIZE / 2; s > 0; s >>= 1) { if (tid < s) vals[tid] += vals[tid + s]; barrier(); }
	float rcp = 1.0f / vals[0];
	for (uint col = tid; col < p.KX; col += BLOCK_SIZE) data_d[rowx * p.KX + col] *= rcp;
}
void main() {
	const uint num_blocks = (p.KX + BLOCK_SIZE - 1) / BLOCK_SIZE;
	if (num_blocks > 32) soft_max(num_blocks); else if (num_blocks > 16) soft_max(32); else soft_max(16);
}
