// Two children write their results.
void siblings(inout Task t) {
    if (t.parent_task_id == 0u) {
        task_spawn(t, t.opcode, 2u, 1u, 0u, 0u);
        task_spawn(t, t.opcode, 2u, 2u, 0u, 0u);
    } else {
        handed[4] = t.input_handle; // finds: data-race
    }
}

void siblings_fixed(inout Task t) {
    if (t.parent_task_id == 0u) {
        task_spawn(t, t.opcode, 2u, 1u, 0u, 0u);
        task_spawn(t, t.opcode, 2u, 2u, 0u, 0u);
    } else {
        handed[4u + t.input_handle] = t.input_handle;
    }
}
