// The handlers of the benchmarks. They do nothing but end the activation in one of the ways there are.

void bench_done(inout Task t) { task_done(t); }

// A continuation: the task continues at the next point, for ever.
void bench_yield(inout Task t) { task_yield(t, t.continuation_pc + 1u, 0u); }

// The same through the queue of the next priority.
void bench_requeue(inout Task t) {
    task_requeue(t, t.priority == 4u ? 0u : t.priority + 1u, t.continuation_pc + 1u, 0u);
}

// Eight log records in each activation, or in 64 - param of 64 activations.
void bench_log(inout Task t) {
    uint some = 64u - t.param;
    if ((t.continuation_pc / 8u * some & 63u) < some) {
        for (uint i = 0u; i < 8u; i++) {
            debugf("point %u of task %u", t.continuation_pc + i, t.input_handle);
        }
    }
    task_yield(t, t.continuation_pc + 8u, 0u);
}
