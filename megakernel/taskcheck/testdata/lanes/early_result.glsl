// A parent reads the result of its child: after a yield it may be there or not.
void early_result(inout Task t) {
    if (t.parent_task_id != 0u) {
        plain[9] = 7u; // finds: data-race
    } else if (t.continuation_pc == 0u) {
        task_spawn(t, t.opcode, 0u, 0u, 0u, 0u);
        task_yield(t, 1u, 0u);
    } else if (t.continuation_pc < 9u) {
        task_yield(t, t.continuation_pc + 1u, 0u);
    } else {
        plain[10] = plain[9];
    }
}

void early_result_fixed(inout Task t) {
    if (t.parent_task_id != 0u) {
        handed[8] = 7u;
        memoryBarrierBuffer();
        waited[2] = 1u;
    } else if (t.continuation_pc == 0u) {
        task_spawn(t, t.opcode, 0u, 0u, 0u, 0u);
        task_yield(t, 1u, 0u);
    } else if (waited[2] == 0u) {
        task_yield(t, 1u, 0u);
    } else {
        memoryBarrierBuffer();
        plain[11] = handed[8];
    }
}
