// A parent waits within its activation until its child has begun.
void polled(inout Task t) {
    if (t.parent_task_id != 0u) {
        handed[15] = 1u;
        return;
    }
    task_spawn(t, t.opcode, 0u, 0u, 0u, 0u);
    uint seen = 0u;
    for (uint i = 0u; i < 4000u && seen == 0u; i++) {
        seen = handed[15]; // finds: missing-volatile
    }
}

void polled_fixed(inout Task t) {
    if (t.parent_task_id != 0u) {
        waited[3] = 1u;
        return;
    }
    task_spawn(t, t.opcode, 0u, 0u, 0u, 0u);
    uint seen = 0u;
    for (uint i = 0u; i < 4000u && seen == 0u; i++) {
        seen = waited[3];
    }
}
