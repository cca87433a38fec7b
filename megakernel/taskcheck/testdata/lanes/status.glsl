// How far the work is, for the host.
void status_told(inout Task t) {
    told[0] = t.input_handle; // finds: data-race
}

void status_fixed(inout Task t) {
    status[0] = t.input_handle;
}
