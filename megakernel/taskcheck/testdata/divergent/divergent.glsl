// Lane 0 leaves before the others wait for it. Handlers without this are in the folder together.
void divergent(inout Task t) {
    if (gl_LocalInvocationIndex == 0u) {
        return;
    }
    barrier(); // finds: barrier
}
