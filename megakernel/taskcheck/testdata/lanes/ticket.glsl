// Each task takes a place in a list.
void ticket(inout Task t) {
    atomicAdd(handed[11], 1u);
    uint place = handed[11]; // finds: unused-atomic
    handed[16u + place] = 1u;
}

void ticket_fixed(inout Task t) {
    uint place = atomicAdd(handed[12], 1u);
    handed[32u + place] = 1u;
}
