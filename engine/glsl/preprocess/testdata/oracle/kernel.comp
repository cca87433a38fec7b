#version 450
#extension GL_KHR_shader_subgroup_basic : warn
#define LOCAL 64
#ifndef LIMIT
#define LIMIT 1000u
#endif
#define BUFFER(set_, n, T, name) layout(std430, binding = n) buffer name##Block { T name[]; }
#define FOREACH(i, n) for (uint i = 0u; i < (n); ++i)
#define SWAP(T, a, b) { T t_ = a; a = b; b = t_; }
layout(local_size_x = LOCAL) in;

BUFFER(0, 0, uint, values);
BUFFER(0, 1, int, sums);

#pragma optimize(on)
shared uint tile[LOCAL];

uint mix_bits(uint x) {
    x ^= x >> 16; x *= 0x7feb352du;
    x ^= x >> 15; x *= 0x846ca68bu; /* constants of lowbias32 */
    return x ^ (x >> 16);
}

void main() {
    uint id = gl_GlobalInvocationID.x, n = uint(values.length());
    tile[gl_LocalInvocationIndex] = 0u;
    barrier();
    FOREACH(i, min(n, LIMIT)) {
        uint a = mix_bits(values[i]), b = - -a;
        if (a > b && !(a == 0u)) SWAP(uint, a, b)
        tile[gl_LocalInvocationIndex] += a - -b;
    }
    uint k = 0u;
    while (k < 3u) k++;
    do { for (;;) { if (k-- == 0u) break; } } while (k != 0xFFFFFFFFu);
    if (id < uint(sums.length())) atomicAdd(sums[id], int(tile[gl_LocalInvocationIndex] / 2u % 7u));
}
