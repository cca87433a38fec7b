// Shared memory has what the task before has left, or nothing.
shared uint stale_sum;
shared uint stale_fixed_sum;

void stale(inout Task t) {
    atomicAdd(stale_sum, gl_LocalInvocationIndex); // finds: uninitialized
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        results[32u + t.input_handle] = stale_sum;
    }
}

void stale_fixed(inout Task t) {
    if (gl_LocalInvocationIndex == 0u) {
        stale_fixed_sum = 0u;
    }
    barrier();
    atomicAdd(stale_fixed_sum, gl_LocalInvocationIndex);
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        results[40u + t.input_handle] = stale_fixed_sum;
    }
}
