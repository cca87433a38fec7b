// Kinds of tasks that differ in how they end: parse spawns sort, sort requeues and spawns merge, merge waits
// for epochs, report says what came out. A few inputs are bad.
layout(std430, binding = 8) coherent volatile buffer MixedDone { uint mixed_done[]; };

uint mixed_work(uint seed, uint rounds) {
    for (uint i = 0u; i < rounds; i++) {
        seed = seed * 1664525u + 1013904223u;
    }
    return seed;
}

void mixed_parse(inout Task t) {
    uint sum = mixed_work(t.continuation_data + t.input_handle, 1500u);
    if (t.continuation_pc + 1u < t.param) {
        task_yield(t, t.continuation_pc + 1u, sum);
        return;
    }
    if (t.tenant == 2u && t.input_handle % 47u == 0u) {
        debugf("input %u does not parse: byte %x", t.input_handle, sum & 255u);
        task_fault(t, 0x10bu);
        return;
    }
    if (t.input_handle % 5u == 0u && !task_spawn(t, 9u, 2u, t.input_handle, 0u, 12u)) {
        task_yield(t, t.continuation_pc, sum);
        return;
    }
    atomicAdd(mixed_done[0], 1u);
    task_done(t);
}

void mixed_sort(inout Task t) {
    uint sum = mixed_work(t.continuation_data ^ t.input_handle, 3600u);
    if (t.continuation_pc + 1u < t.param) {
        if (t.continuation_pc % 6u == 5u) {
            task_requeue(t, 2u, t.continuation_pc + 1u, sum);
        } else {
            task_yield(t, t.continuation_pc + 1u, sum);
        }
        return;
    }
    if (t.input_handle % 4u == 0u && !task_spawn(t, 10u, 1u, t.input_handle, 0u, 16u)) {
        task_yield(t, t.continuation_pc, sum);
        return;
    }
    atomicAdd(mixed_done[1], 1u);
    task_done(t);
}

void mixed_merge(inout Task t) {
    uint sum = mixed_work(t.continuation_data + 7u, 2400u);
    if (t.continuation_pc + 1u < t.param) {
        task_yield(t, t.continuation_pc + 1u, sum);
        return;
    }
    if (!task_spawn(t, 11u, 0u, t.input_handle, sum, 0u)) {
        task_yield(t, t.continuation_pc, sum);
        return;
    }
    atomicAdd(mixed_done[2], 1u);
    task_done(t);
}

void mixed_report(inout Task t) {
    debugf("merged %u: %x", t.input_handle, t.output_handle);
    atomicAdd(mixed_done[3], 1u);
    task_done(t);
}
