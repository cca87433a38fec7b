layout(std430, binding = 8) coherent volatile buffer Board { uint open; uint passed[]; };

// The gatekeeper waits for an epoch that never comes, until a command wakes it; then it opens the gate.
void gatekeeper(inout Task t) {
    if (t.continuation_pc == 0u) {
        task_pause(t, 1000000u, 1u, 0u);
        return;
    }
    open = 1u;
    task_done(t);
}

// A runner goes round, giving its worker back each time, until the gate is open.
void runner(inout Task t) {
    if (open == 0u) {
        task_yield(t, t.continuation_pc + 1u, 0u);
        return;
    }
    passed[t.output_handle] = 1u;
    task_done(t);
}
