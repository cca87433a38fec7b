// Claiming: the first lane of a worker takes up to one task a lane out of the sets, a few leaf
// words at a time; the lanes then find their tasks in what it wrote to shared memory.
#pragma once
#include "vyretop/command.glsl"

shared uint sh_leaf[VT_CLAIM_WORDS];  // leaf words claimed from
shared uint sh_bits[VT_CLAIM_WORDS];  // slots claimed in each
shared uint sh_first[VT_CLAIM_WORDS]; // lanes before it
shared uint sh_words;                 // entries of the three
shared uint sh_tasks;                 // lanes with a task this pass

uint vt_cursor[NUM_SETS]; // slot at which the search in a set goes on (lane 0)

// Takes up to `want` slots of one set, the search going on where it stopped last time.
uint vt_claim_from(uint set, uint want) {
    uint base = SET_BASE(set);
    uint got = 0u;
    for (uint k = 0u; k < VT_CLAIM_WORDS && got < want && sh_words < VT_CLAIM_WORDS; ++k) {
        vt_own_iterations++;
        uint cursor = vt_cursor[set];
        uint leaf = vt_set_find(base, cursor >> 5u);
        if (leaf == VT_NONE) {
            break;
        }
        uint have = sched[SET_LEAF_AT(base, leaf)];
        if (leaf == cursor >> 5u) {
            have &= 0xFFFFFFFFu << (cursor & 31u);
        }
        uint next = leaf + 1u == VT_SLOTS >> 5u ? 0u : (leaf + 1u) << 5u;
        uint taken = have == 0u ? 0u : vt_set_take(base, leaf, vt_low_bits(have, want - got));
        if (taken != 0u) {
            uint last = uint(findMSB(taken));
            next = last == 31u ? next : (leaf << 5u) + last + 1u;
            sh_leaf[sh_words] = leaf;
            sh_bits[sh_words] = taken;
            sh_first[sh_words] = sh_tasks;
            sh_words++;
            sh_tasks += uint(bitCount(taken));
            got += uint(bitCount(taken));
        }
        vt_cursor[set] = next;
    }
    return got;
}

// The slot of the lane-th claimed task.
uint vt_claimed_slot(uint lane) {
    uint k = 0u;
    for (uint i = 1u; i < sh_words; ++i) {
        k = sh_first[i] <= lane ? i : k;
    }
    return sh_leaf[k] * 32u + vt_select(sh_bits[k], lane - sh_first[k]);
}

// The lowest priority that more activations have overtaken than the setting allows, or VT_NONE.
uint vt_starved(uint threshold) {
    uint starved = VT_NONE;
    for (uint p = 1u; p < NUM_PRIORITIES; ++p) {
        vt_own_iterations++;
        if (sched[SCHED_SKIP0 + p * LINE_WORDS] >= threshold) {
            starved = p;
        }
    }
    return starved;
}

// Claims up to `want` tasks: a starved priority first, then in order of priority. Whoever waits
// behind them has been overtaken by that many activations.
void vt_claim(uint want, uint threshold) {
    sh_words = 0u;
    sh_tasks = 0u;
    uint first = vt_starved(threshold);
    if (first != VT_NONE) {
        sched[SCHED_SKIP0 + first * LINE_WORDS] = 0u;
        if (vt_claim_from(SET_READY0 + first, want) != 0u) {
            vt_count(COUNT_STARVED);
        }
    }
    uint before = 0u; // activations of a higher priority in this claim
    for (uint p = 0u; p < NUM_PRIORITIES; ++p) {
        vt_own_iterations++;
        uint got = sh_tasks < want ? vt_claim_from(SET_READY0 + p, want - sh_tasks) : 0u;
        if (got != 0u) {
            sched[SCHED_SKIP0 + p * LINE_WORDS] = 0u;
        } else if (before != 0u && !vt_set_seems_empty(SET_BASE(SET_READY0 + p))) {
            atomicAdd(sched[SCHED_SKIP0 + p * LINE_WORDS], before);
        }
        before += got;
    }
    if (sh_tasks != 0u) {
        vt_count(COUNT_CLAIMS);
    }
}
