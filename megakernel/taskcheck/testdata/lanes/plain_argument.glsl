// A child may run on another worker, which does not see what is not coherent.
void plain_argument(inout Task t) {
    if (t.parent_task_id == 0u) {
        plain[5] = 7u;
        memoryBarrierBuffer();
        task_spawn(t, t.opcode, 2u, 0u, 0u, 0u);
    } else {
        plain[6] = plain[5]; // finds: missing-coherent
    }
}

// What only one task touches can be plain, wherever its activations run.
void plain_argument_fixed(inout Task t) {
    if (t.continuation_pc == 0u) {
        plain[7] = 7u;
        task_yield(t, 1u, 0u);
    } else if (t.continuation_pc == 1u) {
        plain[7]++;
        task_requeue(t, 3u, 2u, 0u);
    } else {
        plain[8] = plain[7];
    }
}
