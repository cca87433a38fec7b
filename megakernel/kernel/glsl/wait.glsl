// Between laps: wait for something to do, and import new tasks from the inbox.
#pragma once
#include "vyretop/lap.glsl"

shared uint sh_import;    // tasks to import now
shared uint sh_entry;     // number of the first
PLANNED(sh_free_leaf);    // where free slots begin
shared uint sh_direct;    // non-zero: run them at once, nothing else waits

// Of lane 0.
uint vt_next = GO_WAIT;    // what becomes sh_next, stored once: llvmpipe takes as long for a store to shared memory as for one to a buffer
uint vt_want = 0u;         // tasks this worker may have at a time; 0 while it is paused
uint vt_lanes_now;
#define NO_ROOM 0xFFFFFFFEu
uint vt_free_leaf = VT_NONE; // leaf that may have free slots, as planning has found; NO_ROOM: there are none
bool vt_work = false;      // there are ready tasks
bool vt_backlog = false;   // the inbox has tasks for which there was no free slot
uint vt_idle_limit;
uint vt_imported = 0u;
uint vt_told_taken = 0u;   // entries that the host knew to be read when this import began

// Calls that may wait for a lap: what seemed ready may be gone by the time it is planned for.
#define PATIENT_CALLS 4u
uint vt_calls_left = 0u;

// Looks that find nothing before serving: it publishes the counters and decides whether to leave.
#define PATIENCE 2048u

// What calls from the words that everybody may write, or GO_LAP. Between two servings there is a lap, if there
// is something to run: a host that always has another command would keep all tasks waiting.
uint vt_called(uvec4 bell) {
    bool called = sched[SCHED_ATTENTION] != vt_attention || bell.y != vt_seen_commands || bell.z != vt_seen_epochs;
    bool lap_first = !vt_dirty && vt_want != 0u && (vt_planned || vt_work) && vt_calls_left != 0u;
    if (called && lap_first) {
        vt_calls_left--;
        called = false;
    }
    bool must = int(bell.w - vt_slice) >= 0 || vt_dirty && sched[SCHED_PENDING] != 0u;
    return called || must ? GO_SERVE : GO_LAP;
}

// Lane 0: looks for something to do, at most so many times. Returns the bell's count of tasks.
uint vt_wait(uint patience) {
    uint tasks = vt_seen_tasks;
    uint room = vt_iteration_limit - min(vt_used(), vt_iteration_limit);
    patience = min(patience, room);
    vt_next = GO_SERVE;
    for (uint n = 0u; vt_step(1u) && n < patience; ++n) {
        uvec4 bell = uvec4(tasks, vt_seen_commands, vt_seen_epochs, vt_slice - 1u);
        if (vt_polls) {
            bell = inbox[0];
        }
        tasks = bell.x;
        uint apex = sched[SCHED_APEX] & 0x1Fu;
        vt_work = apex != 0u;
        uint next = vt_called(bell);
        if (next == GO_LAP && !vt_planned && tasks == vt_seen_tasks) {
            next = vt_work && vt_want != 0u ? GO_PLAN : GO_WAIT;
        }
        if (next != GO_WAIT) {
            vt_next = next;
            break;
        }
        vt_idle++;
    }
    return tasks;
}

// Lane 0: prepares an import, if it gets the lock and there is room.
void vt_begin_import(uint tasks) {
    sh_import = 0u;
    if (tasks == vt_seen_tasks || vt_next != GO_LAP || !vt_try_lock()) {
        return;
    }
    uint entry = sched[SCHED_TASKS_TAKEN];
    vt_told_taken = sched[SCHED_TASKS_TOLD];
    uint waiting = tasks - entry;
    if (int(waiting) <= 0) {
        vt_seen_tasks = entry;
    } else if (vt_free_leaf == NO_ROOM) {
        vt_backlog = true;
        vt_seen_tasks = tasks;
    } else if (vt_free_leaf == VT_NONE) {
        vt_next = GO_PLAN;
    } else {
        sh_entry = entry;
        sh_free_leaf = vt_free_leaf;
        // One worker runs what it has imported itself; of many tasks, others take their part from the sets.
        bool mine = VT_CLAIMERS == 1 || waiting <= vt_want;
        bool direct = mine && !vt_planned && !vt_work && vt_want == vt_lanes_now;
        sh_direct = direct ? 1u : 0u;
        sh_import = min(waiting, direct ? vt_want : VT_CLAIMERS > 1 ? VT_ROWS * 32u : VT_LANES);
    }
}

// Whether one row has room for all entries.
bool vt_few() { return sh_import <= 32u && sh_import * 4u <= VT_LANES; }

// Takes free slots for up to 32 entries.
void vt_take_room(uint row) {
    uint base = SET_BASE(SET_FREE);
    uint before = row * 32u;
    uint want = sh_import > before ? min(sh_import - before, 32u) : 0u;
    uint leaf = sh_free_leaf;
    bool found = want != 0u;
#if VT_CLAIMERS > 1
    if (!vt_few()) {
        uint ahead = sched[SET_MID_AT(base, leaf >> 5u)] & (0xFFFFFFFFu << (leaf & 31u));
        found = found && row < uint(bitCount(ahead));
        leaf = found ? (leaf & ~31u) + vt_select(ahead, row) : leaf;
        found = found && leaf < VT_IMPORT_LEAVES;
    }
#endif
    uint taken = 0u;
    if (found) {
        uint have = sched[SET_LEAF_AT(base, leaf)];
        uint bits = vt_low_bits(have, want);
        taken = vt_set_take(SET_FREE, leaf, bits);
        if (have == bits) { // it is empty now
#if VT_CLAIMERS > 1
            vt_set_unmark(SET_FREE, leaf);
#else
            vt_stale = SET_FREE * VT_SLOTS + leaf;
#endif
        }
    }
    sh_leaf[row] = leaf;
    sh_bits[row] = taken;
}

#if VT_CLAIMERS > 1
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
#else
void vt_count_rows() {}
uint vt_row_of(uint n) { return 0u; }
uint vt_entries_before(uint row) { return 0u; }
#endif

// A quarter of an entry: what a lane reads at a time, because there is no wider load.
uvec4 vt_entry_quarter(uint i) {
    return inbox[INBOX_ENTRIES / 4u + ((sh_entry + (i >> 2u)) & (VT_INBOX_TASKS - 1u)) * 4u + (i & 3u)];
}

void vt_place_quarter(uint i, uvec4 words) {
    uint row = vt_row_of(i >> 2u);
    uint bits = sh_bits[row];
    uint rank = (i >> 2u) - vt_entries_before(row);
    if (rank < uint(bitCount(bits))) {
        uint place = vt_select(bits, rank);
        words.x = (i & 3u) == 0u ? STATE_READY : words.x;
        ring[(sh_leaf[row] * 32u + place) * 4u + (i & 3u)] = words;
        if ((i & 3u) == 0u && sh_direct == 0u) { // the task joins its ready set; what is wrong with it shows when it is claimed
            atomicOr(sh_put[vt_ready_set(min(words.w, NUM_PRIORITIES - 1u)) * VT_ROWS + row], 1u << place);
        }
    }
}

// Copies entries of the inbox into their slots.
void vt_import_quarters() {
    uint quarters = sh_import * 4u;
    uint i = vt_lane;
#if VT_CLAIMERS > 1
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
#endif
    for (; vt_step(VT_CLAIMERS > 1 ? 2u : 1u) && i < quarters; i += VT_LANES) {
        vt_place_quarter(i, vt_entry_quarter(i));
    }
}

// Lane 0, while it has the lock or is the last one: tells the host how many entries have been read.
void vt_tell_taken(uint taken) {
    sched[SCHED_TASKS_TOLD] = taken;
    outbox[OUT_TASKS_TAKEN] = taken;
}

// Lane 0: gives the entries back to the host; all have been read.
void vt_end_import() {
    uint n = vt_entries_before(VT_ROWS - 1u) + uint(bitCount(sh_bits[VT_ROWS - 1u]));
    uint taken = sh_entry + n;
    sched[SCHED_TASKS_TAKEN] = taken;
    // Where the host's memory is far, giving the lock back would wait until the host has this, and the tasks with
    // it. As long as there is much room, the host need not know.
    if (vt_near || sh_direct == 0u || taken - vt_told_taken > VT_INBOX_TASKS / 4u) {
        vt_tell_taken(taken);
    }
    vt_imported += n;
    vt_seen_tasks = taken;
    if (n == 0u) {
        vt_next = GO_PLAN; // the summary was ahead of the leaf; planning corrects it
    } else if (sh_direct == 0u && !vt_planned) {
        vt_next = vt_want == 0u ? GO_WAIT : GO_PLAN;
    }
}

// All lanes: waits, imports, and leaves in sh_next whether laps follow.
void vt_between_laps() {
    vt_sync(); // everybody has read sh_next
    if (vt_lane == 0u) {
        sh_width = vt_want;
        bool ready = vt_step_phase == STEP_RUN; // its task is claimed
        uint began = vt_now();
        uint tasks = vt_wait(ready || vt_planned || vt_sweeping ? 1u : PATIENCE);
        vt_add_time(TIME_IDLE, began);
        if (ready) {
            vt_next = GO_SERVE; // no import
            sh_width = 0u;
        }
        vt_begin_import(tasks);
        vt_next = ready ? GO_LAP : vt_next;
        if (vt_next == GO_LAP && sh_import == 0u && !vt_planned && !ready) {
            vt_next = GO_WAIT;
        }
    }
    vt_sync_all();
    bool importing = sh_import != 0u;
#if VT_CLAIMERS > 1 // few entries are read by the last lanes while the first take room for them
    uint quarter = vt_lane + sh_import * 4u - VT_LANES;
    bool few = importing && vt_few();
    bool mine = few && quarter < sh_import * 4u;
    uvec4 early = uvec4(0u);
    if (mine) {
        early = vt_entry_quarter(quarter);
    }
#endif
    if (importing && vt_lane < VT_ROWS) {
        vt_take_room(vt_lane);
    }
    vt_sync();
    if (importing) {
        vt_count_rows();
    }
#if VT_CLAIMERS > 1
    if (mine) {
        vt_place_quarter(quarter, early);
    }
    if (importing && !few) {
        vt_import_quarters();
    }
#else
    if (importing) {
        vt_import_quarters();
    }
#endif
    vt_sync_all();
    if (importing) {
        vt_put();
    }
    if (vt_lane == 0u) {
        if (importing) {
            vt_end_import();
        }
        if (importing && sh_direct != 0u) { // the first lap has its tasks
            sh_from = VT_NONE;
            sh_width = 0u;
        }
        if (vt_polling) {
            vt_unlock();
        }
        sh_next = vt_next;
    }
    vt_sync();
}
