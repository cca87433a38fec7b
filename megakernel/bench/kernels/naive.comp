#version 450
// A persistent kernel without queues. The lanes of every worker look at all slots in turn, side by
// side, each worker beginning at a place of its own. A slot that is found ready is taken with a
// compare-and-swap, its task runs one activation of a no-op continuation, and is ready again. The
// host's stop word is looked at once in 64 passes.
layout(local_size_x = LANES) in;
layout(std430, binding = 0) coherent volatile buffer Ring { uint ring[]; };
layout(std430, binding = 1) coherent volatile buffer Settings {
    uint passes;     // after which the kernel ends
    uint slot_count; // a multiple of the lanes
    uint stop;       // non-zero: end now
    uint found;      // activations of all workers
};

const uint STATE_READY = 1u;
const uint STATE_RUNNING = 2u;
const uint OPCODE_CONTINUE = 17u;
const uint SLOT_WORDS = 16u;

shared uint sh_found;

// One activation of the task in a slot that this lane owns.
void run(uint at) {
    uint opcode = ring[at + 1u];
    uint pc = ring[at + 7u];
    uint yields = ring[at + 14u];
    if (opcode == OPCODE_CONTINUE) {
        ring[at + 7u] = pc + 1u;
        ring[at + 8u] = 0u;
        ring[at + 14u] = yields + 1u;
    }
    memoryBarrierBuffer();
    ring[at] = STATE_READY;
}

void scan() {
    uint slots = slot_count;
    uint limit = passes;
    uint slot = (gl_WorkGroupID.x * LANES + gl_LocalInvocationIndex) % slots;
    uint mine = 0u;
    for (uint i = 0u; i < limit; i++) {
        if ((i & 63u) == 0u && stop != 0u) {
            break;
        }
        uint at = slot * SLOT_WORDS;
        if (ring[at] == STATE_READY && atomicCompSwap(ring[at], STATE_READY, STATE_RUNNING) == STATE_READY) {
            run(at);
            mine++;
        }
        slot += LANES;
        slot = slot >= slots ? slot - slots : slot;
    }
    atomicAdd(sh_found, mine);
}

void main() {
    if (gl_LocalInvocationIndex >= LANES) { // unused lanes of a software device's vector
        return;
    }
    if (gl_LocalInvocationIndex == 0u) {
        sh_found = 0u;
    }
    memoryBarrierShared();
    barrier();
    scan();
    memoryBarrierShared();
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        atomicAdd(found, sh_found);
    }
}
