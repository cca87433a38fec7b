layout(std430, binding = 8) coherent buffer Rounds { uint rounds[]; };
void turn(inout Task t) {
    uint round = t.continuation_data;
    uint twice = 2u * round;

    rounds[t.output_handle] = twice;
    task_yield(t, 0u, round + 1u);
}
