// Importing a few entries: a lane for each, into one leaf.
#pragma once

// What a lane has read. The quarters have names because drivers keep an array in memory.
struct Entry {
    uvec4 a, b, c, d;
};

// Lane 0: takes free slots for n entries. Returns how many there were.
uint vt_take_few(uint n, uint have) {
    uint bits = vt_low_bits(have, n);
    if (have == bits) { // it is empty now
        vt_stale = SET_FREE * VT_SLOTS + vt_free_leaf;
    }
    bits = vt_set_take(SET_FREE, vt_free_leaf, bits);
    sh_leaf[0] = vt_free_leaf;
    sh_bits[0] = bits;
    return uint(bitCount(bits));
}

// Lane 0: decides what to import, and takes room for it in a leaf that has these free slots.
void vt_plan_few(uint few, uint tasks, uint taken, uint have) {
    uint waiting = vt_size_import(tasks, taken);
    bool direct = vt_runs_itself(waiting);
    uint n = min(waiting, direct ? min(vt_want, few) : few);
    bool known = taken == vt_first; // or else others have been read
    vt_first = taken;
    if (!known && waiting != 0u) {
        vt_next = GO_WAIT;
        n = 0u;
    } else if (n != 0u) {
        n = vt_take_few(n, have);
        vt_next = n == 0u ? GO_PLAN : vt_next; // the summary was ahead of the leaf; planning corrects it
    }
    sh_import = n | (direct && n != 0u ? IMPORT_DIRECT : 0u);
}

// Puts the lane's entry into its slot.
void vt_store_few(in Entry e, uint n, bool direct) {
    if (vt_lane < n) {
        uint place = vt_select(sh_bits[0], vt_lane);
        uint to = (sh_leaf[0] * 32u + place) * 4u;
        ring[to] = uvec4(STATE_READY, e.a.yzw);
        ring[to + 1u] = e.b;
        ring[to + 2u] = e.c;
        ring[to + 3u] = e.d;
        if (!direct) {
            vt_put_ready(e.a.w, 0u, place);
        }
    }
#if VT_CLAIMERS > 1
    if (vt_lane != 0u && vt_lane < VT_CLAIMERS) {
        sh_bits[vt_lane] = 0u;
    }
#endif
}

Entry vt_entry(uint number) {
    uint from = vt_quarters_of(number);
    return Entry(inbox[from], inbox[from + 1u], inbox[from + 2u], inbox[from + 3u]);
}

uint vt_free_slots() { return sched[SET_LEAF_AT(SET_BASE(SET_FREE), min(vt_free_leaf, VT_IMPORT_LEAVES - 1u))]; }

// All lanes: imports up to `few` entries. Returns how many, and IMPORT_DIRECT.
uint vt_import_few(uint few, uint tasks) {
    Entry e = Entry(uvec4(0u), uvec4(0u), uvec4(0u), uvec4(0u));
#ifdef VT_MIRROR
    // Memory is far away: all that is needed is read in one go. Where only those lanes did that have an entry, a task
    // took half a microsecond longer. Entries that are not the next ones any longer the host may be writing;
    // what is read of them is not used.
    uint taken = 0u;
    uint have = 0u;
    if (vt_lane < 32u) {
        e = vt_entry(sh_entry + min(vt_lane, few - 1u));
        taken = sched[SCHED_TASKS_TAKEN];
        have = vt_free_slots();
    }
    if (vt_lane == 0u) {
        vt_plan_few(few, tasks, taken, have);
    }
    vt_sync();
#else
    if (vt_lane == 0u) {
        vt_plan_few(few, tasks, sched[SCHED_TASKS_TAKEN], vt_free_slots());
    }
    vt_sync();
    if (vt_lane < (sh_import & ~IMPORT_DIRECT)) {
        e = vt_entry(sh_entry + vt_lane);
    }
#endif
    uint import = sh_import;
    uint n = import & ~IMPORT_DIRECT;
    bool direct = import != n;
    if (n != 0u) {
        vt_store_few(e, n, direct);
        if (!direct) { // others run these tasks
            vt_sync_all();
            vt_put();
        }
    }
    return import;
}
