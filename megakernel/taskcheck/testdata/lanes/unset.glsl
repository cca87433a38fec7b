// A result that only one branch has.
void unset(inout Task t) {
    uint result;
    if (t.input_handle == 1u) {
        result = 2u;
    }
    plain[48u + t.input_handle] = result; // finds: uninitialized
}

void unset_fixed(inout Task t) {
    uint result = 0u;
    if (t.input_handle == 1u) {
        result = 2u;
    }
    plain[52u + t.input_handle] = result;
}
