#version 450
// Integer kernel of BenchmarkIntegerKernelVsOclgrind; integer.cl is its twin. Keep them equal.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Table { uint table[]; };
layout(std430, binding = 1) writeonly buffer Out { uint result[]; };
layout(std430, binding = 2) readonly buffer Params { uint rounds; };

void main() {
    uint id = gl_GlobalInvocationID.x;
    uint x = id * 2654435761u + 1u;
    uint sum = 0u;
    for (uint k = 0u; k < rounds; ++k) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        uint t = table[x & 255u];
        if ((x & 3u) == 0u) {
            sum += t * 3u;
        } else {
            sum ^= t + k;
        }
    }
    result[id] = sum;
}
