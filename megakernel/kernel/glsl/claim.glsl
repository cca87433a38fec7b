// Claiming: the first lane of a worker takes slots out of sets, a few leaf words at a time; the
// lanes then find theirs in what it wrote to shared memory.
#pragma once
#include "vyretop/command.glsl"

shared uint sh_leaf[VT_CLAIM_WORDS];  // leaf words claimed from
shared uint sh_bits[VT_CLAIM_WORDS];  // slots claimed in each
shared uint sh_first[VT_CLAIM_WORDS]; // lanes before it
shared uint sh_words;                 // entries of the three
shared uint sh_tasks;                 // lanes with a slot this pass
shared uint sh_cursor[NUM_SETS];      // slot at which the search in a set goes on

void vt_claimed(uint leaf, uint bits) {
    sh_leaf[sh_words] = leaf;
    sh_bits[sh_words] = bits;
    sh_first[sh_words] = sh_tasks;
    sh_words++;
    sh_tasks += uint(bitCount(bits));
}

// Takes up to `want` slots of one set, the search going on where it stopped last time. A search of
// the parked set goes through it once and stops at the end, with its cursor at 0. A search of the
// free set, for tasks of the host, leaves out the slots that are kept for spawned tasks: if the host
// could fill all slots, parents would wait for ever for a slot for a child.
uint vt_claim_from(uint set, uint want) {
    uint base = SET_BASE(set);
    uint got = 0u;
    for (uint k = 0u; vt_step(FIND_COST + 1u) && k < ROLLED(VT_CLAIM_WORDS) && got < want && sh_words < VT_CLAIM_WORDS; ++k) {
        uint cursor = sh_cursor[set];
        uint leaf = vt_set_find(base, cursor >> 5u);
        if (leaf == VT_NONE || set == SET_PARKED && leaf < cursor >> 5u) {
            sh_cursor[set] = set == SET_PARKED ? 0u : cursor;
            break;
        }
        if (set == SET_FREE && leaf >= VT_IMPORT_LEAVES) {
            if (cursor == 0u) {
                break;
            }
            sh_cursor[set] = 0u;
            continue;
        }
        uint have = sched[SET_LEAF_AT(base, leaf)];
        if (leaf == cursor >> 5u) {
            have &= 0xFFFFFFFFu << (cursor & 31u);
        }
        uint next = leaf + 1u == VT_SLOTS >> 5u ? 0u : (leaf + 1u) << 5u;
        uint taken = vt_set_take(base, leaf, vt_low_bits(have, want - got));
        if (taken != 0u) {
            uint last = uint(findMSB(taken));
            next = last == 31u ? next : (leaf << 5u) + last + 1u;
            vt_claimed(leaf, taken);
            got += uint(bitCount(taken));
        }
        sh_cursor[set] = next;
        if (set == SET_PARKED && next == 0u) {
            break;
        }
    }
    return got;
}

// The slot of the lane-th claimed task.
uint vt_claimed_slot(uint lane) {
    uint k = 0u;
    for (uint i = 1u; vt_step(1u) && i < sh_words; ++i) {
        k = sh_first[i] <= lane ? i : k;
    }
    return sh_leaf[k] * 32u + vt_select(sh_bits[k], lane - sh_first[k]);
}

// The lowest priority that more activations have overtaken than the setting allows, or VT_NONE.
uint vt_starved(uint threshold) {
    uint starved = VT_NONE;
    for (uint p = 1u; vt_step(1u) && p < ROLLED(NUM_PRIORITIES); ++p) {
        if (sched[SCHED_SKIP0 + p * LINE_WORDS] >= threshold) {
            starved = p;
        }
    }
    return starved;
}

#if VT_SET_TOPS == 1
#define CLAIM_COST 1u
#else
#define CLAIM_COST 3u // the search, and the look whether a set is empty
#endif

// A plan is a list of sets to claim from, four bits each, the first lowest; PLAN_END ends it.
#define PLAN_END 15u
#define PLAN_READY 0xF43210u

// Claims up to `want` slots from the sets of a plan. Tasks that wait behind others of a ready plan
// have been overtaken by so many activations; that is what keeps any priority from starving.
void vt_claim(uint plan, uint want) {
    uint before = 0u; // activations of a priority ahead in this claim
    for (uint i = 0u; vt_step(CLAIM_COST + 1u) && i < ROLLED(7u) && (plan & 15u) != PLAN_END; ++i) {
        uint set = plan & 15u;
        plan >>= 4u;
        uint got = sh_tasks < want ? vt_claim_from(set, want - sh_tasks) : 0u;
        if (set < SET_PARKED) {
            uint skip = SCHED_SKIP0 + set * LINE_WORDS;
            if (got != 0u) {
                sched[skip] = 0u;
            } else if (before != 0u && !vt_set_seems_empty(SET_BASE(set))) {
                atomicAdd(sched[skip], before);
            }
        }
        before += got;
    }
}
