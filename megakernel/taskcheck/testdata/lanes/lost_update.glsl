// Tasks add to one word.
void lost_update(inout Task t) {
    handed[0] += t.input_handle; // finds: data-race
}

void lost_update_fixed(inout Task t) {
    atomicAdd(handed[1], t.input_handle);
}
