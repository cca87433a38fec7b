#version 450
#define LANES 128
layout(local_size_x = LANES) in;
layout(std430) buffer;
layout(binding = 0) readonly buffer In { ivec4 values[]; };
layout(binding = 1) writeonly buffer Out { ivec4 sums[]; };
shared ivec4 part[2][LANES];

void main() {
    uint lane = gl_LocalInvocationIndex;
    int from = 0;
    part[0][lane] = values[gl_GlobalInvocationID.x];
    for (uint step = 1u; step < gl_WorkGroupSize.x; step <<= 1) {
        barrier();
        ivec4 sum = part[from][lane];
        if (lane >= step) sum += part[from][lane - step];
        from ^= 1;
        part[from][lane] = sum;
    }
    barrier();
    sums[gl_GlobalInvocationID.x] = part[from][lane].wzyx.wzyx;
}
