// Importing many entries, with more than 32 lanes: a lane for each quarter of an entry, into a leaf for each 32
// entries.
#pragma once
#if VT_CLAIMERS > 1

shared uint sh_free_leaf; // where free slots begin

// Takes free slots for up to 32 entries.
void vt_take_room(uint row, uint n) {
    uint base = SET_BASE(SET_FREE);
    uint before = row * 32u;
    uint want = n > before ? min(n - before, 32u) : 0u;
    uint leaf = sh_free_leaf;
    uint ahead = sched[SET_MID_AT(base, leaf >> 5u)] & (0xFFFFFFFFu << (leaf & 31u));
    bool found = want != 0u && row < uint(bitCount(ahead));
    leaf = found ? (leaf & ~31u) + vt_select(ahead, row) : leaf;
    found = found && leaf < VT_IMPORT_LEAVES;
    uint taken = 0u;
    if (found) {
        uint have = sched[SET_LEAF_AT(base, leaf)];
        uint bits = vt_low_bits(have, want);
        taken = vt_set_take(SET_FREE, leaf, bits);
        if (have == bits) { // it is empty now
            vt_set_unmark(SET_FREE, leaf);
        }
    }
    sh_leaf[row] = leaf;
    sh_bits[row] = taken;
}

shared uint sh_first[VT_ROWS]; // entries imported by the rows before

void vt_count_rows(uint n) {
    if (vt_lane < VT_ROWS) {
        uint before = 0u;
        uint rows = min(vt_lane, (n + 31u) / 32u); // the others are empty
        for (uint i = 0u; vt_step(1u) && i < rows; ++i) {
            before += uint(bitCount(sh_bits[i]));
        }
        sh_first[vt_lane] = before;
    }
    vt_sync();
}

// Row of the n-th entry: the last one that begins at or before it.
uint vt_row_of(uint n) {
    uint row = 0u;
    for (uint step = VT_ROWS / 2u; vt_step(1u) && step > 0u; step >>= 1u) {
        row += sh_first[row + step] <= n ? step : 0u;
    }
    return row;
}

uint vt_entries_before(uint row) { return sh_first[row]; }

uvec4 vt_entry_quarter(uint i) { return inbox[vt_quarters_of(sh_entry + (i >> 2u)) + (i & 3u)]; }

void vt_place_quarter(uint i, uvec4 words, bool direct) {
    uint row = vt_row_of(i >> 2u);
    uint bits = sh_bits[row];
    uint rank = (i >> 2u) - vt_entries_before(row);
    if (rank < uint(bitCount(bits))) {
        uint place = vt_select(bits, rank);
        words.x = (i & 3u) == 0u ? STATE_READY : words.x;
        ring[(sh_leaf[row] * 32u + place) * 4u + (i & 3u)] = words;
        if ((i & 3u) == 0u && !direct) {
            vt_put_ready(words.w, row, place);
        }
    }
}

// Copies entries of the inbox into their slots.
void vt_import_quarters(uint n, bool direct) {
    uint quarters = n * 4u;
    uint i = vt_lane;
    // An inbox across a bus answers late: with eight reads under way at a time, many tasks come in three times
    // as fast. They have names because drivers keep an array in memory, and wait for each read to fill it.
    for (; vt_step(3u) && i + 7u * VT_LANES < quarters; i += 8u * VT_LANES) {
        uvec4 w0 = vt_entry_quarter(i + 0u * VT_LANES);
        uvec4 w1 = vt_entry_quarter(i + 1u * VT_LANES);
        uvec4 w2 = vt_entry_quarter(i + 2u * VT_LANES);
        uvec4 w3 = vt_entry_quarter(i + 3u * VT_LANES);
        uvec4 w4 = vt_entry_quarter(i + 4u * VT_LANES);
        uvec4 w5 = vt_entry_quarter(i + 5u * VT_LANES);
        uvec4 w6 = vt_entry_quarter(i + 6u * VT_LANES);
        uvec4 w7 = vt_entry_quarter(i + 7u * VT_LANES);
        for (uint k = 0u; vt_step(2u) && k < ROLLED(8u); ++k) {
            vt_place_quarter(i + k * VT_LANES, w0, direct);
            w0 = w1; w1 = w2; w2 = w3; w3 = w4; w4 = w5; w5 = w6; w6 = w7;
        }
    }
    for (; vt_step(2u) && i < quarters; i += VT_LANES) {
        vt_place_quarter(i, vt_entry_quarter(i), direct);
    }
}

// Lane 0: decides what to import.
void vt_plan_many(uint tasks) {
    vt_first = sched[SCHED_TASKS_TAKEN];
    uint waiting = vt_size_import(tasks, vt_first);
    bool direct = vt_runs_itself(waiting);
    sh_entry = vt_first;
    sh_free_leaf = vt_free_leaf;
    sh_import = min(waiting, direct ? vt_want : VT_ROWS * 32u) | (direct && waiting != 0u ? IMPORT_DIRECT : 0u);
}

// All lanes: imports what there is. Returns how many tasks, and IMPORT_DIRECT.
uint vt_import_many(uint tasks) {
    if (vt_lane == 0u) {
        vt_plan_many(tasks);
    }
    vt_sync();
    uint n = sh_import & ~IMPORT_DIRECT;
    uint direct = sh_import & IMPORT_DIRECT;
    if (n == 0u) {
        return 0u;
    }
    if (vt_lane < VT_ROWS) {
        vt_take_room(vt_lane, n);
    }
    vt_sync();
    vt_count_rows(n);
    vt_import_quarters(n, direct != 0u);
    n = vt_entries_before(VT_ROWS - 1u) + uint(bitCount(sh_bits[VT_ROWS - 1u]));
    if (n == 0u && vt_lane == 0u) {
        vt_next = GO_PLAN; // as in vt_plan_few
    }
    vt_sync_all();
    if (direct == 0u) {
        vt_put();
    }
    return n == 0u ? 0u : n | direct;
}
#endif
