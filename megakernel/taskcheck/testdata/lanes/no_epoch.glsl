// A parent waits for an epoch that its child has the kernel begin when its result is there.
void no_epoch(inout Task t) {
    if (t.parent_task_id != 0u) {
        handed[9] = t.param; // finds: data-race
    } else if (t.continuation_pc == 0u) {
        task_spawn(t, t.opcode, 2u, 0u, 0u, 1u);
        task_yield(t, 1u, 0u);
    } else if (t.continuation_pc < 9u) {
        task_yield(t, t.continuation_pc + 1u, 0u);
    } else {
        handed[9] = 9u;
    }
}

void no_epoch_fixed(inout Task t) {
    if (t.parent_task_id != 0u) {
        handed[10] = t.param;
        memoryBarrierBuffer();
        task_spawn(t, OPCODE_BATCH_FENCE, 2u, 0u, 0u, 0u);
    } else if (t.continuation_pc == 0u) {
        uint next = vt_epoch() + 1u;
        task_spawn(t, t.opcode, 2u, 0u, 0u, 1u);
        task_pause(t, next, 1u, 0u);
    } else {
        handed[10] = 9u;
    }
}
