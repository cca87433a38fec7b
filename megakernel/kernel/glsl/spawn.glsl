// Handlers make tasks of their own.
#pragma once
#include "vyretop/outcome.glsl"

// How often a lane looks for a free slot. Each look but the last lost its slot to another lane, and only the first one
// begins where others begin.
#define SPAWN_LOOKS 32u

// Where the n-th look of this lane begins: at the leaf where slots were found last, then spread over all of them, so that
// lanes that spawn at once do not meet again.
uint vt_free_from(uint look) {
    uint cursor = sched[SCHED_FREE_CURSOR];
    uint spread = (vt_worker * VT_LANES + vt_lane + look) * 0x9E3779B9u; // the golden ratio of 2^32
    return look == 0u ? cursor : (cursor + spread) % ((VT_SLOTS + 31u) / 32u);
}

// Takes one slot of a leaf with free ones, or VT_NONE. Lanes take different bits of the same word.
uint vt_take_free_of(uint leaf, uint have) {
    uint bit = vt_select(have, vt_lane % uint(bitCount(have)));
    return vt_set_take(SET_FREE, leaf, 1u << bit) != 0u ? leaf * 32u + bit : VT_NONE;
}

// Takes one free slot; VT_NONE means that there was none. A leaf that turns out empty is taken out of the summary on the
// way.
uint vt_take_free() {
    uint slot = VT_NONE;
    for (uint look = 0u; vt_step(FIND_COST + FIND_COST + 1u) && look < ROLLED(SPAWN_LOOKS) && slot == VT_NONE; ++look) {
        uint leaf = vt_set_find(SET_FREE, vt_free_from(look));
        if (leaf == VT_NONE) {
            if (vt_set_seems_empty(SET_FREE)) {
                break;
            }
            continue; // a summary was ahead of its region
        }
        uint have = sched[SET_LEAF_AT(SET_BASE(SET_FREE), leaf)];
        if (have == 0u) {
            vt_set_unmark(SET_FREE, leaf);
            continue;
        }
        slot = vt_take_free_of(leaf, have);
        if (slot != VT_NONE) {
            sched[SCHED_FREE_CURSOR] = leaf;
        }
    }
    return slot;
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
#ifdef VT_STOPS
    vt_spawns(opcode);
#endif
    vt_count(COUNT_SPAWNED);
    vt_set_add(SET_READY0 + vt_ready_set(priority), slot >> 5u, 1u << (slot & 31u));
    return true;
}
