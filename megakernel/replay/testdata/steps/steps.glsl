layout(std430, binding = 8) coherent buffer Sums { uint total; uint sum[]; };
void add(inout Task t) {
    sum[t.input_handle] += t.continuation_pc + 1u;
    atomicAdd(total, 1u);
    if (t.continuation_pc == 3u) {
        task_done(t);
        return;
    }
    task_yield(t, t.continuation_pc + 1u, 0u);
}
