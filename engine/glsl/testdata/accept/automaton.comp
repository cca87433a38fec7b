#version 450 core
layout(local_size_x = 64) in;
struct Match { uint task; uint offset; uint pattern; };
layout(std430, binding = 0) readonly restrict buffer Automaton { uint next[][256]; } automaton;
layout(std430, binding = 1) readonly buffer Text { uint bytes; uint data[]; } text;
layout(std430, binding = 2) buffer Found { uint count; Match list[]; } found;

uint byteAt(uint i) { return bitfieldExtract(text.data[i >> 2], int(i & 3u) * 8, 8); }

bool emit(in Match m) {
    uint at = atomicAdd(found.count, 1u);
    if (at >= found.list.length()) {
        return false;
    }
    found.list[at] = m;
    return true;
}

void main() {
    uint state = 0u, i = gl_GlobalInvocationID.x;
    do {
        state = automaton.next[state][byteAt(i)];
        if ((state & 0x80000000u) != 0u && !emit(Match(gl_WorkGroupID.x, i, state & 0xFFFFu))) break;
        state &= 0x7FFFFFFFu;
    } while (++i < text.bytes);
}
