#version 450
// The least that activations cost in memory traffic: every lane loads the task of a slot of its own,
// changes what a no-op continuation changes, stores those two of the slot's four vectors, and goes on
// to its next slot. Nothing is claimed, queued or looked for.
layout(local_size_x = LANES) in;
layout(std430, binding = 0) coherent buffer Ring { uvec4 ring[]; };
layout(std430, binding = 1) buffer Settings {
    uint passes;     // after which the kernel ends
    uint slot_count; // a multiple of all lanes
    uint stop;       // not looked at
    uint found;      // activations of all workers
};

const uint OPCODE_CONTINUE = 17u;

void main() {
    if (gl_LocalInvocationIndex >= LANES) { // unused lanes of a software device's vector
        return;
    }
    uint slots = slot_count;
    uint limit = passes;
    uint all = gl_NumWorkGroups.x * LANES;
    uint slot = gl_GlobalInvocationID.x;
    for (uint i = 0u; i < limit; i++) {
        uvec4 head = ring[slot * 4u];
        uvec4 handles = ring[slot * 4u + 1u];
        uvec4 links = ring[slot * 4u + 2u];
        uvec4 counts = ring[slot * 4u + 3u];
        if (head.y == OPCODE_CONTINUE && links.y == 0u) {
            ring[slot * 4u + 1u] = uvec4(handles.xyz, handles.w + 1u);
            ring[slot * 4u + 3u] = uvec4(counts.xy, counts.z + 1u, counts.w);
        }
        slot += all;
        slot = slot >= slots ? slot - slots : slot;
    }
    if (gl_LocalInvocationIndex == 0u) {
        atomicAdd(found, limit * LANES);
    }
}
