// Adds up the eight numbers of row t.input_handle.
layout(std430, binding = 8) readonly buffer TotalTable { uint total_table[]; };
layout(std430, binding = 9) buffer TotalSums { uint total_sums[]; };

void total(inout Task t) {
    uint first = 8u * t.input_handle;
    uint sum = 0u;
    for (uint i = 0u; i < 8u; i++) {
        sum += total_table[first + i];
    }
    total_sums[t.input_handle] = sum;
    task_done(t);
}
