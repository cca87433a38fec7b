#version 450
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) coherent volatile buffer Control { uint shutdown; uint done; uint epoch; } control;
layout(std430, binding = 1) coherent buffer Ring { uint words[]; } ring;
layout(std430, binding = 2) coherent buffer Journal { uint cursor; uint words[]; } journal;
#include "queue.glsl"
#include "log.glsl"
shared uint current;

void run(uint slot) {
    for (uint i = 4u; i < SLOT_WORDS; i++) {
        ring.words[slot * SLOT_WORDS + i] += gl_LocalInvocationIndex;
    }
    debugf("slot %u by worker %u", slot, gl_WorkGroupID.x);
}

void main() {
    uint slots = uint(ring.words.length()) / SLOT_WORDS;
    for (uint s = gl_WorkGroupID.x; control.shutdown == 0u; s = (s + 1u) % slots) {
        if (gl_LocalInvocationIndex == 0u) {
            current = claim(s) ? s : 0xFFFFFFFFu;
        }
        barrier();
        uint mine = current;
        barrier();
        if (mine == 0xFFFFFFFFu) {
            continue;
        }
        run(mine);
        memoryBarrierBuffer();
        barrier();
        if (gl_LocalInvocationIndex == 0u) {
            STATE(mine) = DONE;
            atomicAdd(control.done, 1u);
        }
    }
}
