// The plan: from which region of which ready set the next passes claim.
#pragma once
#include "vyretop/wait.glsl"

#if VT_SET_TOPS == 1
#define PLAN_COST 1u
#else
#define PLAN_COST 3u // the search, and the look whether a set is empty
#endif

shared uint sh_cursor[NUM_PRIORITIES]; // slot at which the search in a ready set continues

// Each worker has slots that it takes from first. Where it is narrow these are leaves, the same in each
// region: tasks that stay with a worker stay in its processor's cache. Where it is wide these are
// regions: workers that sweep the same slots meet, stay together, and take each other's tasks. Every
// fourth plan follows the sweep of all slots, in case another worker is paused or busy for long.
#define REGIONS ((VT_SLOTS + 1023u) / 1024u)
uint vt_plans = 0u;
uint vt_own_leaves = 0xFFFFFFFFu; // bits of a region
uint vt_own_cursor = 0u;          // leaf at which the search continues in plans that do not follow the sweep
bool vt_sweeps = true;            // the plan follows the sweep

void vt_divide_leaves() {
#if VT_CLAIMERS == 1
    uint classes = vt_workers_now > 1u ? 1u << (uint(findMSB(vt_workers_now - 1u)) + 1u) : 1u;
    vt_own_leaves = vt_workers_now > 32u ? 0xFFFFFFFFu : 0u;
    for (uint i = 0u; vt_step(1u) && i < ROLLED(32u) && vt_workers_now <= 32u; ++i) {
        vt_own_leaves |= (i & (classes - 1u)) % vt_workers_now == vt_worker ? 1u << i : 0u;
    }
#endif
}

// Leaf at which the search for a plan begins. Where this worker takes from regions first, in its next
// one if that has slots, else anywhere.
uint vt_plan_from(uint set) {
    vt_plans++;
    vt_sweeps = (vt_plans & 3u) == 0u || VT_CLAIMERS == 1 && vt_own_leaves == 0xFFFFFFFFu;
    if (vt_sweeps) {
        return sh_cursor[set] >> 5u;
    }
#if VT_CLAIMERS == 1
    return vt_own_cursor;
#else
    uint mine = (vt_worker + vt_plans * vt_workers_now) % REGIONS;
    bool has = sched[SET_MID_AT(SET_BASE(set), mine)] != 0u;
    return has ? mine * 32u : ((vt_worker + vt_plans * 977u) * 2654435769u >> 8u) % (VT_SLOTS >> 5u);
#endif
}

// Keeps where the search of the plan's kind continues.
void vt_keep_cursor() {
    uint at = sh_region * 1024u + sh_at;
    at = at >= VT_SLOTS ? 0u : at;
    if (vt_planned && vt_sweeps) {
        sh_cursor[sh_plan_set] = at;
    } else if (vt_planned) {
        vt_own_cursor = at >> 5u;
    }
}

// Lane 0: the plan has begun, before its passes take anything, and it ends, after they have put it back.
void vt_begin_plan() {
    vt_planned = true;
    vt_plan_began = vt_used();
    atomicAdd(sched[NOTES(sh_region) + NOTE_PLANS], 1u);
    memoryBarrierBuffer();
}

void vt_end_plan() {
    vt_keep_cursor();
    if (vt_planned) {
        sched[NOTES(sh_region) + NOTE_RAN] = 1u;
        memoryBarrierBuffer();
        atomicAdd(sched[NOTES(sh_region) + NOTE_PLANS], 0xFFFFFFFFu);
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
    uint from = vt_free_leaf < VT_IMPORT_LEAVES ? vt_free_leaf : 0u;
    uint leaf = vt_set_find(SET_FREE, from);
    if (leaf >= VT_IMPORT_LEAVES) {
        leaf = from == 0u ? NO_ROOM : VT_NONE;
    }
    vt_free_leaf = leaf;
    if (vt_backlog && vt_free_leaf != NO_ROOM) {
        vt_backlog = false;
        vt_seen_tasks--; // look at the inbox again
    }
}

// First leaf of the set that has slots, or VT_NONE; summaries that were ahead are corrected.
uint vt_plan_leaf(uint set) {
    uint leaf = vt_set_find(set, vt_plan_from(set));
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
    vt_end_plan();
    vt_mend();
    vt_plan_room();
    for (uint i = 0u; vt_step(PLAN_COST) && i < ROLLED(4u) && !vt_planned; ++i) {
        uint apex = sched[SCHED_APEX] & 0x1Fu;
        if (apex == 0u || vt_want == 0u || vt_step_phase == STEP_RUN) { // a step has its task, and no plan it came from
            break;
        }
        uint set = uint(findLSB(apex));
        if (vt_hungry != VT_NONE && ((apex >> vt_hungry) & 1u) != 0u) {
            set = vt_hungry;
            vt_passes_left = 1u;
            sched[SCHED_SKIP0 + set * LINE_WORDS] = 0u;
            vt_count(COUNT_STARVED);
        }
        vt_hungry = VT_NONE;
        uint leaf = vt_plan_leaf(set);
        if (leaf != VT_NONE) {
            vt_exhausted = false;
            sh_plan_set = set;
            sh_region = leaf >> 5u;
            sh_own = vt_sweeps ? 0xFFFFFFFFu : vt_own_leaves;
            sh_at = vt_sweeps && leaf == sh_cursor[set] >> 5u ? sh_cursor[set] & 1023u : (leaf & 31u) * 32u;
            sh_around = vt_set_alone(set, sh_region) ? 1u : 0u;
            sh_from = set;
            vt_begin_plan();
        }
    }
}
