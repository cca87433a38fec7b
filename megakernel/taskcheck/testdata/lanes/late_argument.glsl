// A parent writes what its child reads.
void late_argument(inout Task t) {
    if (t.parent_task_id == 0u) {
        task_spawn(t, t.opcode, 2u, 0u, 0u, 0u);
        handed[2] = 7u;
        plain[2] = 7u; // finds: data-race
    } else {
        plain[3] = plain[2];
    }
}

void late_argument_fixed(inout Task t) {
    if (t.parent_task_id == 0u) {
        handed[3] = 7u;
        memoryBarrierBuffer();
        task_spawn(t, t.opcode, 2u, 0u, 0u, 0u);
    } else {
        plain[4] = handed[3];
    }
}
