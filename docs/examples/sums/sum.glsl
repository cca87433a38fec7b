layout(std430, binding = 8) coherent buffer Sums { uint sums[]; };
void sum(inout Task t) {
    uint sum = t.param;
    for (uint i = 0u; i < 5u; i++) {
        sum += i + t.param;
    }
    sums[t.input_handle] = sum;
}
