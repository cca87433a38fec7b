// The divisor is an argument.
void divide(inout Task t) {
    plain[40u + t.input_handle] = 100u / t.input_handle; // finds: divide-by-zero
}

void divide_fixed(inout Task t) {
    plain[44u + t.input_handle] = 100u / max(t.input_handle, 1u);
}
