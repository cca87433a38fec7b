// Importing with more than 32 lanes: a lane for each quarter of an entry, into a leaf for each 32 entries.
#pragma once

// Whether one row has room for all entries.
bool vt_few() { return sh_import <= 32u && sh_import * 4u <= VT_LANES; }

// Takes free slots for up to 32 entries.
void vt_take_room(uint row) {
    uint base = SET_BASE(SET_FREE);
    uint before = row * 32u;
    uint want = sh_import > before ? min(sh_import - before, 32u) : 0u;
    uint leaf = sh_free_leaf;
    bool found = want != 0u;
    if (!vt_few()) {
        uint ahead = sched[SET_MID_AT(base, leaf >> 5u)] & (0xFFFFFFFFu << (leaf & 31u));
        found = found && row < uint(bitCount(ahead));
        leaf = found ? (leaf & ~31u) + vt_select(ahead, row) : leaf;
        found = found && leaf < VT_IMPORT_LEAVES;
    }
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

void vt_count_rows() {
    if (vt_lane < VT_ROWS) {
        uint n = 0u;
        uint rows = min(vt_lane, (sh_import + 31u) / 32u); // the others are empty
        for (uint i = 0u; vt_step(1u) && i < rows; ++i) {
            n += uint(bitCount(sh_bits[i]));
        }
        sh_first[vt_lane] = n;
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

uvec4 vt_entry_quarter(uint i) { return inbox[vt_quarters_of(i >> 2u) + (i & 3u)]; }

void vt_place_quarter(uint i, uvec4 words) {
    uint row = vt_row_of(i >> 2u);
    uint bits = sh_bits[row];
    uint rank = (i >> 2u) - vt_entries_before(row);
    if (rank < uint(bitCount(bits))) {
        uint place = vt_select(bits, rank);
        words.x = (i & 3u) == 0u ? STATE_READY : words.x;
        ring[(sh_leaf[row] * 32u + place) * 4u + (i & 3u)] = words;
        if ((i & 3u) == 0u && sh_direct == 0u) {
            vt_put_ready(words.w, row, place);
        }
    }
}

// Copies entries of the inbox into their slots.
void vt_import_quarters() {
    uint quarters = sh_import * 4u;
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
            vt_place_quarter(i + k * VT_LANES, w0);
            w0 = w1; w1 = w2; w2 = w3; w3 = w4; w4 = w5; w5 = w6; w6 = w7;
        }
    }
    for (; vt_step(2u) && i < quarters; i += VT_LANES) {
        vt_place_quarter(i, vt_entry_quarter(i));
    }
}

// All lanes: imports what lane 0 has decided. Few entries are read by the last lanes while the first take room
// for them.
void vt_import() {
    bool importing = sh_import != 0u;
    uint quarter = vt_lane + sh_import * 4u - VT_LANES;
    bool few = importing && vt_few();
    bool mine = few && quarter < sh_import * 4u;
    uvec4 early = uvec4(0u);
    if (mine) {
        early = vt_entry_quarter(quarter);
    }
    if (importing && vt_lane < VT_ROWS) {
        vt_take_room(vt_lane);
    }
    vt_sync();
    if (importing) {
        vt_count_rows();
    }
    if (mine) {
        vt_place_quarter(quarter, early);
    }
    if (importing && !few) {
        vt_import_quarters();
    }
    vt_sync_all();
    if (importing) {
        vt_put();
    }
}

uint vt_imported_now() { return vt_entries_before(VT_ROWS - 1u) + uint(bitCount(sh_bits[VT_ROWS - 1u])); }
