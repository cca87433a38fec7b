// Sets of slots: a leaf bit per slot and levels of summary (package megakernel, sched.go, says why
// this needs no waiting).
#pragma once
#include "vyretop/buffers.glsl"

#define VT_NONE 0xFFFFFFFFu
#define SET_BASE(set) (VT_SETS + (set) * VT_SET_STRIDE)
#define SET_LEAF_AT(base, leaf) ((base) + VT_SET_LEAF + (leaf))
#define SET_MID_AT(base, region) ((base) + SET_MID + (region))
#define SET_TOP_AT(base, region) ((base) + ((region) >> 5u))

uint vt_own_iterations = 0u; // of the kernel's own loops, by this lane, in this slice

// First operand of every loop condition of the kernel: each look at it costs one, and one for each
// loop in its body (kernel.LoopCosts says why; a test compares).
bool vt_step(uint cost) {
    vt_own_iterations += cost;
    return true;
}

// Position of the n-th set bit of m, counting from 0; m has more than n bits set.
uint vt_select(uint m, uint n) {
    uint pos = 0u;
    uint c = uint(bitCount(m & 0xFFFFu));
    if (n >= c) { n -= c; m >>= 16u; pos += 16u; }
    c = uint(bitCount(m & 0xFFu));
    if (n >= c) { n -= c; m >>= 8u; pos += 8u; }
    c = uint(bitCount(m & 0xFu));
    if (n >= c) { n -= c; m >>= 4u; pos += 4u; }
    c = uint(bitCount(m & 0x3u));
    if (n >= c) { n -= c; m >>= 2u; pos += 2u; }
    return pos + (n >= (m & 1u) ? 1u : 0u);
}

// The lowest n set bits of m.
uint vt_low_bits(uint m, uint n) {
    if (n >= uint(bitCount(m))) {
        return m;
    }
    return m & ((1u << vt_select(m, n)) - 1u);
}

// Makes the summaries say that a leaf may be non-zero.
void vt_set_mark(uint set, uint leaf) {
    uint base = SET_BASE(set);
    uint region = leaf >> 5u;
    if (atomicOr(sched[SET_MID_AT(base, region)], 1u << (leaf & 31u)) == 0u) {
        if (atomicOr(sched[SET_TOP_AT(base, region)], 1u << (region & 31u)) == 0u) {
            atomicOr(sched[SCHED_APEX], 1u << set);
        }
    }
}

// Takes a region whose mid word is zero out of the top level, and looks again.
void vt_set_untop(uint set, uint region) {
    uint base = SET_BASE(set);
    uint top = 1u << (region & 31u);
    atomicAnd(sched[SET_TOP_AT(base, region)], ~top);
    memoryBarrierBuffer();
    if (atomicOr(sched[SET_MID_AT(base, region)], 0u) != 0u) {
        if (atomicOr(sched[SET_TOP_AT(base, region)], top) == 0u) {
            atomicOr(sched[SCHED_APEX], 1u << set);
        }
    }
}

// Takes a leaf that is zero out of the summary. A worker that filled it again in the meantime may have seen the
// old summary, so look again after each change. The barriers order the change before the look.
void vt_set_unmark(uint set, uint leaf) {
    uint base = SET_BASE(set);
    uint region = leaf >> 5u;
    uint bit = 1u << (leaf & 31u);
    uint before = atomicAnd(sched[SET_MID_AT(base, region)], ~bit);
    memoryBarrierBuffer();
    if (atomicOr(sched[SET_LEAF_AT(base, leaf)], 0u) != 0u) {
        vt_set_mark(set, leaf);
    } else if ((before & ~bit) == 0u) {
        vt_set_untop(set, region);
    }
}

// Gives slots of one leaf to a set: from here on anybody may take them.
void vt_set_add(uint set, uint leaf, uint bits) {
    if (atomicOr(sched[SET_LEAF_AT(SET_BASE(set), leaf)], bits) == 0u) {
        vt_set_mark(set, leaf);
    }
}

// Who copies slots for the host copies those that may have changed (package megakernel, sched.go, says how
// the notes are read). Words of a slot change only while it is in no set, so what must be noted is the taking
// of it: by plans, for all their passes, and by everybody else each time.
#define NOTES(region) (VT_NOTES + (region) * NOTE_WORDS)

void vt_note_taken(uint leaf) { atomicOr(sched[NOTES(leaf >> 5u) + NOTE_TAKEN], 1u << (leaf & 31u)); }

// Takes slots out of a set; the bits returned are the caller's now. The summary is left as it is:
// a worker that finds the leaf empty corrects it.
uint vt_set_take(uint set, uint leaf, uint bits) {
    uint taken = atomicAnd(sched[SET_LEAF_AT(SET_BASE(set), leaf)], ~bits) & bits;
    if (taken != 0u) {
        vt_note_taken(leaf);
    }
    return taken;
}

bool vt_set_take_slot(uint set, uint slot) {
    return vt_set_take(set, slot >> 5u, 1u << (slot & 31u)) != 0u;
}

// First leaf that may be non-zero at or after `from`, going round; VT_NONE when none was seen.
#if VT_SET_TOPS == 1
#define FIND_COST 0u

// Up to 32 regions: one word of top level, and no loop. A summary that was ahead of its region hides
// the regions behind it for this look; the next one begins elsewhere or finds it mended.
uint vt_set_find(uint set, uint from) {
    uint base = SET_BASE(set);
    uint region = from >> 5u;
    uint m = sched[SET_MID_AT(base, region)] & (0xFFFFFFFFu << (from & 31u));
    if (m == 0u) {
        uint top = sched[base];
        uint later = (region & 31u) == 31u ? 0u : top & (0xFFFFFFFFu << (region + 1u));
        top = later != 0u ? later : top;
        if (top != 0u) {
            region = uint(findLSB(top));
            m = sched[SET_MID_AT(base, region)];
            if (m == 0u) {
                vt_set_untop(set, region);
            }
        }
    }
    return m == 0u ? VT_NONE : region * 32u + uint(findLSB(m));
}

bool vt_set_seems_empty(uint set) { return sched[SET_BASE(set)] == 0u; }

// Whether no other region of the set seems to have slots.
bool vt_set_alone(uint set, uint region) { return (sched[SET_BASE(set)] & ~(1u << region)) == 0u; }

#else
#define FIND_COST 1u

uint vt_set_find(uint set, uint from) {
    uint base = SET_BASE(set);
    uint region = from >> 5u;
    uint m = sched[SET_MID_AT(base, region)] & (0xFFFFFFFFu << (from & 31u));
    if (m != 0u) {
        return region * 32u + uint(findLSB(m));
    }
    uint word = region >> 5u;
    uint mask = (region & 31u) == 31u ? 0u : 0xFFFFFFFFu << ((region & 31u) + 1u);
    for (uint i = 0u; vt_step(1u) && i < ROLLED(uint(VT_SET_TOPS) + 4u); ++i) {
        uint t = sched[base + word] & mask;
        if (t != 0u) {
            uint low = uint(findLSB(t));
            region = word * 32u + low;
            m = sched[SET_MID_AT(base, region)];
            if (m != 0u) {
                return region * 32u + uint(findLSB(m));
            }
            vt_set_untop(set, region);
            mask &= ~(1u << low); // the summary was ahead of its region; look further
        } else {
            word = word + 1u == uint(VT_SET_TOPS) ? 0u : word + 1u;
            mask = 0xFFFFFFFFu;
        }
    }
    return VT_NONE;
}

bool vt_set_seems_empty(uint set) {
    uint base = SET_BASE(set);
    for (uint i = 0u; vt_step(1u) && i < ROLLED(uint(VT_SET_TOPS)); ++i) {
        if (sched[base + i] != 0u) {
            return false;
        }
    }
    return true;
}

bool vt_set_alone(uint set, uint region) { return false; } // not worth a search
#endif

// Takes a set that seems empty out of the apex, and looks again.
void vt_set_unapex(uint set) {
    atomicAnd(sched[SCHED_APEX], ~(1u << set));
    memoryBarrierBuffer();
    if (!vt_set_seems_empty(set)) {
        atomicOr(sched[SCHED_APEX], 1u << set);
    }
}
