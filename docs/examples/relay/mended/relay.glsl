// One task writes a table, a row in each activation, and then says that it is there. The other tasks wait for that, and each
// adds up a row.
layout(std430, binding = 8) coherent buffer Relay { uint relay_ready; uint relay_sums[8]; uint relay_table[64]; };

void relay_write(inout Task t) {
    uint row = t.continuation_data;
    for (uint i = 0u; i < 8u; i++) {
        relay_table[8u * row + i] = 8u * row + i;
    }
    if (row < 7u) {
        task_yield(t, 0u, row + 1u);
        return;
    }
    memoryBarrierBuffer();
    relay_ready = 1u;
    memoryBarrierBuffer();
    if (!task_spawn(t, OPCODE_BATCH_FENCE, t.priority, 0u, 0u, 0u)) { // it advances the epoch, which resumes the readers
        task_yield(t, 0u, row); // no slot is free: again
        return;
    }
    task_done(t);
}

void relay_read(inout Task t) {
    uint next = vt_epoch() + 1u; // read first: an epoch that begins in between is not missed
    if (relay_ready == 0u) {
        task_pause(t, next, 0u, 0u);
        return;
    }
    uint sum = 0u;
    for (uint i = 0u; i < 8u; i++) {
        sum += relay_table[8u * t.input_handle + i];
    }
    relay_sums[t.input_handle] = sum;
    task_done(t);
}
