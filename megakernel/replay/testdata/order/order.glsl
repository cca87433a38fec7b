layout(std430, binding = 8) coherent buffer Arrived { uint next; uint place[]; };
void arrive(inout Task t) {
    uint p = atomicAdd(next, 1u);
    t.output_handle = p;
    place[t.input_handle] = p;
    task_done(t);
}
