// A barrier orders the lanes of one task, not two tasks that happen to follow each other on a worker.
void two_tasks(inout Task t) {
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        results[64] = t.input_handle; // finds: data-race
    }
    barrier();
}

void two_tasks_fixed(inout Task t) {
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        atomicMax(results[65], t.input_handle);
    }
    barrier();
}
