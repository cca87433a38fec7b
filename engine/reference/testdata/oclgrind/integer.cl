// OpenCL twin of integer.comp.
kernel void integer(global const uint *table, global uint *result, uint rounds)
{
    uint id = get_global_id(0);
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
