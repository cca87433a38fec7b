// The plan: from which region of which ready set the next laps claim.
#pragma once
#include "vyretop/wait.glsl"

#if VT_CLAIMERS > 1
#define SCATTER_COST (FIND_COST + 1u)
#else
#define SCATTER_COST 0u
#endif
#if VT_SET_TOPS == 1
#define PLAN_COST (1u + SCATTER_COST)
#else
#define PLAN_COST (3u + SCATTER_COST) // the search, and the look whether a set is empty
#endif

shared uint sh_cursor[NUM_PRIORITIES]; // slot at which the search in a ready set goes on

uint vt_hungry = VT_NONE; // priority whose turn it is, because others have overtaken it (lane 0)

// Tasks that stay with a narrow worker stay in its processor's cache. So each such worker has leaves
// that it takes from first, the same in each region. Every fourth plan is for all leaves, in case
// another worker is paused or busy for long.
uint vt_own_leaves = 0xFFFFFFFFu;
uint vt_plans = 0u;
bool vt_scattered = false; // this worker has found a place of its own in this slice

void vt_divide_leaves() {
    if (VT_CLAIMERS > 1 || vt_workers_now > 32u) {
        return;
    }
    vt_own_leaves = 0u;
    uint classes = vt_workers_now > 1u ? 1u << (uint(findMSB(vt_workers_now - 1u)) + 1u) : 1u;
    for (uint i = 0u; vt_step(1u) && i < ROLLED(32u); ++i) {
        vt_own_leaves |= (i & (classes - 1u)) % vt_workers_now == vt_worker ? 1u << i : 0u;
    }
}

// Keeps where the search in the plan's set goes on.
void vt_keep_cursor() {
    if (vt_planned) {
        uint at = sh_region * 1024u + sh_at;
        sh_cursor[sh_plan_set] = at >= VT_SLOTS ? 0u : at;
    }
    vt_planned = false;
}

// Corrects the summary of a leaf that was found empty.
void vt_mend() {
    if (vt_stale != VT_NONE) {
        vt_set_unmark(vt_stale / VT_SLOTS, vt_stale % VT_SLOTS);
        vt_stale = VT_NONE;
    }
}

// Finds a leaf with free slots for tasks of the host. The last leaves are kept for spawned tasks: if
// the host could fill all slots, parents would wait for ever for a slot for a child.
void vt_plan_room() {
    uint from = vt_free_leaf == VT_NONE ? 0u : vt_free_leaf;
    uint leaf = vt_set_find(SET_FREE, from);
    if (leaf >= VT_IMPORT_LEAVES && from != 0u) {
        leaf = vt_set_find(SET_FREE, 0u);
    }
    vt_free_leaf = leaf >= VT_IMPORT_LEAVES ? VT_NONE : leaf;
    if (vt_backlog && vt_free_leaf != VT_NONE) {
        vt_backlog = false;
        vt_seen_tasks--; // look at the inbox again
    }
}

#if VT_CLAIMERS > 1
// Workers sweep at the same speed, so those that once meet stay together and take each other's tasks.
// They meet where they begin anew, at the first leaf that has slots: the first time, a worker begins
// somewhere else.
uint vt_scatter(uint set, uint leaf) {
    uint from = sh_cursor[set] >> 5u;
    for (uint i = 0u; vt_step(FIND_COST + 1u) && i < ROLLED(4u) && leaf < from && !vt_scattered; ++i) {
        from = ((vt_worker + i * 977u + 1u) * 2654435769u) % (VT_SLOTS >> 5u);
        uint found = vt_set_find(set, from);
        leaf = found != VT_NONE && found >= from ? found : leaf;
        vt_scattered = leaf >= from;
    }
    return leaf;
}
#else
uint vt_scatter(uint set, uint leaf) { return leaf; }
#endif

// First leaf of the set that has slots, or VT_NONE; summaries that were ahead are corrected.
uint vt_plan_leaf(uint set) {
    uint leaf = vt_scatter(set, vt_set_find(set, sh_cursor[set] >> 5u));
    if (leaf == VT_NONE) {
        vt_set_unapex(set);
    } else if (sched[SET_LEAF_AT(SET_BASE(set), leaf)] == 0u) {
        vt_set_unmark(set, leaf);
        leaf = VT_NONE;
    }
    return leaf;
}

// Lane 0: makes a plan for the most urgent set that has slots, if there is one.
void vt_plan() {
    vt_keep_cursor();
    vt_mend();
    vt_plan_room();
    for (uint i = 0u; vt_step(PLAN_COST) && i < ROLLED(4u) && !vt_planned; ++i) {
        uint apex = sched[SCHED_APEX] & 0x1Fu;
        if (apex == 0u || vt_want == 0u) {
            break;
        }
        uint set = uint(findLSB(apex));
        if (vt_hungry != VT_NONE && ((apex >> vt_hungry) & 1u) != 0u) {
            set = vt_hungry;
            vt_laps_left = 1u;
            sched[SCHED_SKIP0 + set * LINE_WORDS] = 0u;
            vt_count(COUNT_STARVED);
        }
        vt_hungry = VT_NONE;
        uint leaf = vt_plan_leaf(set);
        if (leaf != VT_NONE) {
            vt_planned = true;
            vt_exhausted = false;
            sh_plan_set = set;
            sh_region = leaf >> 5u;
            sh_own = (++vt_plans & 3u) == 0u ? 0xFFFFFFFFu : vt_own_leaves;
            sh_at = leaf == sh_cursor[set] >> 5u ? sh_cursor[set] & 1023u : (leaf & 31u) * 32u;
            sh_around = vt_set_alone(set, sh_region) ? 1u : 0u;
            sh_from = set;
        }
    }
}
