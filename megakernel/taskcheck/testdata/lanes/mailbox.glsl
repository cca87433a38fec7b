// A child takes from a word what its parent has put there, and empties it: only one of them may write at a time.
void mailbox_fixed(inout Task t) {
    if (t.parent_task_id == 0u) {
        if (t.continuation_pc == 0u) {
            task_spawn(t, t.opcode, 2u, 0u, 0u, 0u);
        }
        if (waited[4] == 0u && t.continuation_pc < 5u) {
            handed[62] = t.continuation_pc + 1u;
            memoryBarrierBuffer();
            waited[4] = 1u;
            task_yield(t, t.continuation_pc + 1u, 0u);
        } else if (t.continuation_pc < 5u) {
            task_yield(t, t.continuation_pc, 0u);
        }
    } else if (waited[4] == 1u) {
        memoryBarrierBuffer();
        uint got = t.continuation_data + handed[62];
        waited[4] = 0u;
        t.continuation_data = got;
        if (t.continuation_pc < 4u) {
            task_yield(t, t.continuation_pc + 1u, got);
        }
    } else {
        task_yield(t, t.continuation_pc, t.continuation_data);
    }
}

// Two tasks add to a sum, one after the other as it happens.
void mailbox(inout Task t) {
    if (t.continuation_pc < t.input_handle * 6u) {
        task_yield(t, t.continuation_pc + 1u, 0u);
    } else {
        handed[63] += 5u; // finds: data-race
    }
}
