// A bit for each task.
void shift_far(inout Task t) {
    atomicOr(handed[60], 1u << (t.input_handle * 16u)); // finds: shift
}

void shift_far_fixed(inout Task t) {
    atomicOr(handed[61], 1u << (t.input_handle * 16u & 31u));
}
