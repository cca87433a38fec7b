// Importing with at most 32 lanes: a lane for each entry, into one leaf.
#pragma once

// Lane 0: takes free slots.
void vt_take_room(uint n) {
    uint have = sched[SET_LEAF_AT(SET_BASE(SET_FREE), sh_free_leaf)];
    uint bits = vt_low_bits(have, n);
    if (have == bits) { // it is empty now
        vt_stale = SET_FREE * VT_SLOTS + sh_free_leaf;
    }
    sh_leaf[0] = sh_free_leaf;
    sh_bits[0] = vt_set_take(SET_FREE, sh_free_leaf, bits);
}

// Copies the lane's entry into its slot.
void vt_import_entry() {
    uint bits = sh_bits[0];
    if (vt_lane < uint(bitCount(bits))) {
        uint place = vt_select(bits, vt_lane);
        uint from = vt_quarters_of(vt_lane);
        uint to = (sh_leaf[0] * 32u + place) * 4u;
        uvec4 head = inbox[from];
        ring[to] = uvec4(STATE_READY, head.yzw);
        ring[to + 1u] = inbox[from + 1u];
        ring[to + 2u] = inbox[from + 2u];
        ring[to + 3u] = inbox[from + 3u];
        if (sh_direct == 0u) {
            vt_put_ready(head.w, 0u, place);
        }
    }
}

// All lanes: imports what lane 0 has decided.
void vt_import() {
    uint n = sh_import;
    if (n != 0u && vt_lane == 0u) {
        vt_take_room(n);
    }
    vt_sync();
    if (n != 0u) {
        vt_import_entry();
    }
    vt_sync_all();
    if (n != 0u) {
        vt_put();
    }
}

uint vt_imported_now() { return uint(bitCount(sh_bits[0])); }
