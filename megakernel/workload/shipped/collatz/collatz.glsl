// Counts the steps of the Collatz sequence of t.input_handle: halve an even number, triple an odd
// one and add one, until it is 1. At most 100 steps an activation; then the task yields and keeps
// where it is in the two continuation words.
layout(std430, binding = 8) buffer CollatzSteps { uint collatz_steps[]; };

void collatz(inout Task t)
{
    uint n = t.continuation_pc == 0u ? t.input_handle : t.continuation_pc;
    uint steps = t.continuation_data;
    for (uint i = 0u; i < 100u && n != 1u; i++) {
        if ((n & 1u) != 0u && n > 0x55555554u) { // 3n + 1 would not fit 32 bits
            debugf("collatz of %u leaves 32 bits at %u", t.input_handle, n);
            task_fault(t, 0x100u);
            return;
        }
        n = (n & 1u) == 0u ? n >> 1 : 3u * n + 1u;
        steps++;
    }
    if (n != 1u) {
        task_yield(t, n, steps);
        return;
    }
    collatz_steps[t.input_handle] = steps;
    task_done(t);
}
