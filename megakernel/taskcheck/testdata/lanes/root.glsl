// The root of a difference.
void root(inout Task t) {
    plain[64u + t.input_handle] = uint(sqrt(float(t.input_handle) - 1.0)); // finds: nan
}

void root_fixed(inout Task t) {
    plain[68u + t.input_handle] = uint(sqrt(abs(float(t.input_handle) - 1.0)));
}
