// All lanes write the result of a task.
void one_word(inout Task t) {
    results[48u + t.input_handle] = gl_LocalInvocationIndex; // finds: data-race
}

void one_word_fixed(inout Task t) {
    if (gl_LocalInvocationIndex == 0u) {
        results[56u + t.input_handle] = t.input_handle;
    }
}
