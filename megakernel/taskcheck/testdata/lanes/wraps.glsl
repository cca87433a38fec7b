// Rows of a table that would be larger than 32 bits can count.
void wraps(inout Task t) {
    uint row = 0x20000000u;
    plain[56u + t.input_handle * 8u * row + t.input_handle] = 1u; // finds: index-overflow
}

void wraps_fixed(inout Task t) {
    uint row = 1u;
    plain[60u + t.input_handle * row] = 1u;
}
