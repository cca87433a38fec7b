// The mirror: what has changed in slots that are in the device's own memory is copied to where the host
// sees it, when the host asks.
#pragma once
#include "vyretop/plan.glsl"

#ifdef VT_MIRROR
shared uint sh_mirrored;   // region that is being copied, or REGIONS
shared uint sh_stamp;      // number of this copy
shared uint sh_leaves;     // its leaves to copy
shared uint sh_helps;

// Workers that copy at a time. A few fill the bus; what they copy in the meantime the others need not wait for.
#define MIRROR_HELPERS 8u

// Lane 0: takes part, unless nothing is to be copied or enough others do.
void vt_join_mirror() {
    sh_helps = sched[SCHED_MIRROR] != 0u ? 1u : 0u;
    if (sh_helps != 0u && atomicAdd(sched[SCHED_MIRROR_HELPERS], 1u) >= MIRROR_HELPERS) {
        atomicAdd(sched[SCHED_MIRROR_HELPERS], 0xFFFFFFFFu);
        sh_helps = 0u;
    }
}

// Lane 0: the leaves of a region whose slots may have changed since this was last asked.
uint vt_changed_leaves(uint region) {
    uint note = NOTES(region);
    bool passes = sched[note + NOTE_PLANS] != 0u; // looked at first: a plan that ends leaves the other word
    passes = atomicExchange(sched[note + NOTE_RAN], 0u) != 0u || passes;
    uint leaves = atomicExchange(sched[note + NOTE_TAKEN], 0u);
    leaves |= passes ? ~sched[note + NOTE_ASLEEP] : 0u;
    memoryBarrierBuffer();
    return leaves & vt_low_bits(0xFFFFFFFFu, min(VT_SLOTS / 32u - region * 32u, 32u));
}

// Looks at the sets of a leaf that is about to be copied: the leaf is asleep when passes cannot take from it,
// and must be copied again when somebody has one of its slots now.
void vt_look_at_leaf(uint region, uint leaf) {
    uint ready = 0u;
    uint waiting = 0u;
    for (uint set = 0u; vt_step(1u) && set < ROLLED(NUM_SETS); ++set) {
        uint slots = sched[SET_LEAF_AT(SET_BASE(set), region * 32u + leaf)];
        ready |= set < NUM_PRIORITIES ? slots : 0u;
        waiting |= set < NUM_PRIORITIES ? 0u : slots;
    }
    atomicAnd(sched[NOTES(region) + NOTE_ASLEEP], ~(1u << leaf));
    if (waiting == 0xFFFFFFFFu) {
        atomicOr(sched[NOTES(region) + NOTE_ASLEEP], 1u << leaf);
    }
    if ((ready | waiting) != 0xFFFFFFFFu) {
        vt_note_taken(region * 32u + leaf);
    }
}

void vt_mirror_leaf(uint leaf) {
    uint at = leaf * 32u * SLOT_WORDS / 4u;
    for (uint i = vt_lane; vt_step(1u) && i < 32u * SLOT_WORDS / 4u; i += VT_LANES) {
        outbox_quads[VT_MIRROR + at + i] = ring[at + i];
    }
}

void vt_mirror_region() {
    for (uint leaf = vt_lane; vt_step(2u) && leaf < 32u; leaf += VT_LANES) {
        if (((sh_leaves >> leaf) & 1u) != 0u) {
            vt_look_at_leaf(sh_mirrored, leaf);
        }
    }
    vt_sync_all();
    for (uint leaf = 0u; vt_step(2u) && leaf < ROLLED(32u); ++leaf) {
        if (((sh_leaves >> leaf) & 1u) != 0u) {
            vt_mirror_leaf(sh_mirrored * 32u + leaf);
        }
    }
    vt_sync_all();
    for (uint leaf = vt_lane; vt_step(1u) && leaf < 32u; leaf += VT_LANES) {
        if (((sh_leaves >> leaf) & 1u) != 0u) {
            outbox[OUT_STAMPS + sh_mirrored * 32u + leaf] = sh_stamp; // its words are there
        }
    }
    vt_sync_all();
}

// Copies regions until none is left. Who does the last one answers.
void vt_mirror() {
    if (vt_lane == 0u) {
        vt_join_mirror();
    }
    for (uint n = 0u; vt_step(6u) && n <= REGIONS; ++n) {
        if (vt_lane == 0u) {
            sh_mirrored = sh_helps != 0u ? atomicAdd(sched[SCHED_MIRROR_NEXT], 1u) : REGIONS;
            if (sh_mirrored < REGIONS) {
                sh_leaves = vt_changed_leaves(sh_mirrored);
                sh_stamp = atomicAdd(sched[SCHED_MIRROR_STAMP], 1u) + 1u;
            }
        }
        vt_sync_all();
        if (sh_mirrored >= REGIONS) {
            break;
        }
        if (sh_leaves != 0u) {
            vt_mirror_region();
        }
        if (vt_lane == 0u && atomicAdd(sched[SCHED_MIRROR_DONE], 1u) + 1u == REGIONS) {
            vt_ack(atomicExchange(sched[SCHED_MIRROR], 0u) - 1u, ACK_APPLIED, 0u, 0u);
            vt_write_answer();
        }
    }
    if (vt_lane == 0u && sh_helps != 0u) {
        atomicAdd(sched[SCHED_MIRROR_HELPERS], 0xFFFFFFFFu);
    }
}
#endif
