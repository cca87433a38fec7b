// volatile does not make an addition atomic.
void lost_volatile(inout Task t) {
    waited[0] += t.input_handle; // finds: data-race
}

void lost_volatile_fixed(inout Task t) {
    atomicAdd(waited[1], t.input_handle);
}
