// The last of some tasks adds up what all of them have done.
void last_one(inout Task t) {
    uint n = atomicAdd(handed[13], 1u);
    plain[16u + t.input_handle] = t.input_handle; // finds: data-race
    if (n == 3u) {
        uint sum = 0u;
        for (uint i = 0u; i < 4u; i++) {
            sum += plain[16u + i];
        }
        plain[12] = sum;
    }
}

void last_one_fixed(inout Task t) {
    handed[48u + t.input_handle] = t.input_handle;
    memoryBarrierBuffer();
    if (atomicAdd(handed[14], 1u) == 3u) {
        uint sum = 0u;
        for (uint i = 0u; i < 4u; i++) {
            sum += handed[48u + i];
        }
        plain[13] = sum;
    }
}
