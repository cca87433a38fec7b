#version 450
#include "shared.glsl"
#define LANES 64 // of a workgroup
layout(local_size_x = LANES) in;

layout(std430, binding = 0) readonly buffer Input { uint n; Sample samples[]; };
layout(std430, binding = 1) buffer Output { float sum[]; } result;

shared float partial[LANES];

// Weight of a sample; "é" is not ASCII, 🙂 neither.
float weigh(Sample s, inout uint count) {
    count += twice(1u);
    return s.weight * length(s.place.xy); /* 🙂 */ uint after = count;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint count = 0u;
    if (i < n) {
        result.sum[i] = weigh(samples[i], count);
    }
}
