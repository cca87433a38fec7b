layout(std430, binding = 8) coherent buffer Total { uint total[]; };

void refuse(inout Task t) {
    if (t.param > 3u) {
        task_fault(t, 0x101u);
        return;
    }
    atomicAdd(total[0], 1u);
    task_done(t);
}
