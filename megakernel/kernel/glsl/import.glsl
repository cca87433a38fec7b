// Importing tasks from the inbox into free slots. The worker that has the lock takes as many as it can run at
// once, or as many as there is room for; those that it runs itself are in no set until then.
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
bool vt_direct = false;    // what sh_direct says
uint vt_first = 0u;        // what sh_entry says
uint vt_imported = 0u;
uint vt_told_taken = 0u;   // entries that the host knew to be read when this import began

// Lane 0, with the lock: how many tasks to import. Where there is no room, vt_next says what is to be done.
uint vt_size_import(uint tasks) {
    vt_first = sched[SCHED_TASKS_TAKEN];
    vt_told_taken = sched[SCHED_TASKS_TOLD];
    uint waiting = tasks - vt_first;
    if (int(waiting) <= 0) {
        vt_seen_tasks = vt_first;
        return 0u;
    }
    if (vt_free_leaf == NO_ROOM) {
        vt_backlog = true;
        vt_seen_tasks = tasks;
        return 0u;
    }
    if (vt_free_leaf == VT_NONE) {
        vt_next = GO_PLAN;
        return 0u;
    }
    // One worker runs what it has imported itself; of many tasks, others take their part from the sets.
    bool mine = VT_CLAIMERS == 1 || waiting <= vt_want;
    vt_direct = mine && !vt_planned && !vt_work && vt_want == vt_lanes_now;
    return min(waiting, vt_direct ? vt_want : VT_CLAIMERS > 1 ? VT_ROWS * 32u : VT_LANES);
}

// Lane 0: prepares an import, if it gets the lock and there is room.
void vt_begin_import(uint tasks) {
    uint n = 0u;
    if (tasks != vt_seen_tasks && vt_next == GO_LAP && vt_try_lock()) {
        n = vt_size_import(tasks);
        sh_entry = vt_first;
        sh_free_leaf = vt_free_leaf;
        sh_direct = vt_direct ? 1u : 0u;
    }
    sh_import = n;
}

// First quarter of an entry. A lane reads one at a time, because there is no wider load.
uint vt_quarters_of(uint i) { return INBOX_ENTRIES / 4u + ((sh_entry + i) & (VT_INBOX_TASKS - 1u)) * 4u; }

// The task of an entry joins its ready set; what is wrong with it shows when it is claimed.
void vt_put_ready(uint priority, uint row, uint place) {
    atomicOr(sh_put[vt_ready_set(min(priority, NUM_PRIORITIES - 1u)) * VT_ROWS + row], 1u << place);
}

#if VT_CLAIMERS > 1
#include "vyretop/import_wide.glsl"
#else
#include "vyretop/import_narrow.glsl"
#endif

// Lane 0, while it has the lock or is the last one: tells the host how many entries have been read.
void vt_tell_taken(uint taken) {
    sched[SCHED_TASKS_TOLD] = taken;
    outbox[OUT_TASKS_TAKEN] = taken;
}

// Lane 0: gives the entries back to the host; all have been read.
void vt_end_import() {
    uint n = vt_imported_now();
    uint taken = vt_first + n;
    sched[SCHED_TASKS_TAKEN] = taken;
    // Where the host's memory is far, giving the lock back would wait until the host has this, and the tasks with
    // it. As long as there is much room, the host need not know.
    if (vt_near || !vt_direct || taken - vt_told_taken > VT_INBOX_TASKS / 4u) {
        vt_tell_taken(taken);
    }
    vt_imported += n;
    vt_seen_tasks = taken;
    if (n == 0u) {
        vt_next = GO_PLAN; // the summary was ahead of the leaf; planning corrects it
    } else if (!vt_direct && !vt_planned) {
        vt_next = vt_want == 0u ? GO_WAIT : GO_PLAN;
    }
}
