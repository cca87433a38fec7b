// Children count themselves out when their results are there; their parent waits until all have.
void pending(inout Task t) {
    if (t.parent_task_id != 0u) {
        atomicAdd(waited[5], 0xFFFFFFFFu);
        plain[72u + t.input_handle] = 7u; // finds: data-race
    } else if (t.continuation_pc == 0u) {
        atomicExchange(waited[5], 3u);
        for (uint i = 0u; i < 3u; i++) {
            task_spawn(t, OPCODE_PENDING, 0u, i, 0u, 0u);
        }
        task_yield(t, 1u, 0u);
    } else if (waited[5] != 0u) {
        task_yield(t, 1u, 0u);
    } else {
        plain[14] = plain[72] + plain[73] + plain[74]; // finds: missing-coherent
    }
}

void pending_fixed(inout Task t) {
    if (t.parent_task_id != 0u) {
        handed[64u + t.input_handle] = 7u;
        memoryBarrierBuffer();
        atomicAdd(waited[6], 0xFFFFFFFFu);
    } else if (t.continuation_pc == 0u) {
        atomicExchange(waited[6], 3u);
        for (uint i = 0u; i < 3u; i++) {
            task_spawn(t, OPCODE_PENDING_FIXED, 0u, i, 0u, 0u);
        }
        task_yield(t, 1u, 0u);
    } else if (waited[6] != 0u) {
        task_yield(t, 1u, 0u);
    } else {
        memoryBarrierBuffer();
        plain[15] = handed[64] + handed[65] + handed[66];
    }
}
