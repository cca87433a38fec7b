// The words of a task end before those of the next one begin.
void range(inout Task t) {
    plain[32u + t.input_handle * 1000u] = 1u; // finds: out-of-range
}

void range_fixed(inout Task t) {
    plain[32u + t.input_handle] = 1u;
}
