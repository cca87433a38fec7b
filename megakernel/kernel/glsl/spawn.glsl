// Handlers make tasks of their own.
#pragma once
#include "vyretop/outcome.glsl"

// Takes one free slot; a leaf that turns out empty is taken out of the summary on the way.
uint vt_take_free() {
    for (uint i = 0u; vt_step(FIND_COST + 1u) && i < ROLLED(4u); ++i) {
        uint leaf = vt_set_find(SET_FREE, sched[SCHED_FREE_CURSOR]);
        if (leaf == VT_NONE) {
            return VT_NONE;
        }
        uint have = sched[SET_LEAF_AT(SET_BASE(SET_FREE), leaf)];
        if (have == 0u) {
            vt_set_unmark(SET_FREE, leaf);
            continue;
        }
        uint bit = uint(findLSB(have));
        if (vt_set_take(SET_FREE, leaf, 1u << bit) != 0u) {
            sched[SCHED_FREE_CURSOR] = leaf;
            return leaf * 32u + bit;
        }
    }
    return VT_NONE;
}

// Makes a ready task. False: there is no free slot now; yield and try again.
bool task_spawn(in Task parent, uint opcode, uint priority, uint input_handle, uint output_handle, uint param) {
    uint slot = priority < NUM_PRIORITIES ? vt_take_free() : VT_NONE;
    if (slot == VT_NONE) {
        vt_count(COUNT_SPAWN_FULL);
        return false;
    }
    uint id = SPAWNED_ID_BASE | (atomicAdd(sched[SCHED_SPAWN_ID], 1u) & (SPAWNED_ID_BASE - 1u));
    vt_store(slot, Task(STATE_READY, opcode, parent.tenant, priority, input_handle, output_handle, param, 0u,
                        0u, 0u, id, parent.task_id, 0u, 0u, 0u, 0u));
    memoryBarrierBuffer();
    vt_count(COUNT_SPAWNED);
    vt_set_add(SET_READY0 + vt_ready_set(priority), slot >> 5u, 1u << (slot & 31u));
    return true;
}
