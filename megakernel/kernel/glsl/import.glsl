// Importing tasks from the inbox into free slots. The worker that has the lock takes as many as it can run at
// once, or as many as there is room for; those that it runs itself are in no set until then.
//
// Memory of the host may be far away, and somebody waits for a task that comes alone. There the lanes read a few
// entries, each its own, while lane 0 learns under the lock whether these are the next ones and takes room for
// them. The lane that has read an entry runs its task, if the worker runs it: what it has stored it sees without
// a fence. And another lane gives the lock back, while lane 0 continues.
#pragma once
#include "vyretop/schedule.glsl"

shared uint sh_reads;     // 0, or with the lock 1 + the entries that lanes read at once, if these are few
shared uint sh_import;    // tasks to import now, and IMPORT_DIRECT

// Of lane 0.
uint vt_next = GO_WAIT;    // what becomes sh_next, stored once: llvmpipe takes as long for a store to shared memory as for one to a buffer
uint vt_want = 0u;         // tasks this worker may have at a time; 0 while it is paused
uint vt_lanes_now;
#define NO_ROOM 0xFFFFFFFEu
uint vt_free_leaf = VT_NONE; // leaf that may have free slots, as planning has found; NO_ROOM: there are none
bool vt_work = false;      // there are ready tasks
bool vt_backlog = false;   // the inbox has tasks for which there was no free slot
uint vt_first = 0u;        // the next entry, as far as is known without the lock
uint vt_imported = 0u;

// First quarter of an entry. A lane reads one at a time, because there is no wider load.
uint vt_quarters_of(uint entry) { return INBOX_ENTRIES / 4u + (entry & (VT_INBOX_TASKS - 1u)) * 4u; }

// The task of an entry joins its ready set; what is wrong with it shows when it is claimed.
void vt_put_ready(uint priority, uint row, uint place) {
    atomicOr(sh_put[vt_ready_set(min(priority, NUM_PRIORITIES - 1u)) * VT_ROWS + row], 1u << place);
}

// Whether many entries are imported at once: the core variant does without.
#if VT_CLAIMERS > 1 && !defined(VT_CORE)
#define VT_MANY true
#else
#define VT_MANY false
#endif

// How many of that many entries are read at once, or 0 for many. One leaf does not hold these; narrow workers take what
// they can run.
uint vt_few(uint entries) {
    return VT_MANY && entries > 32u ? 0u : min(entries, min(VT_LANES, 32u));
}

// Lane 0: gets the lock if there seem to be entries, and says which ones the lanes are to read. Returns whether it
// has got it.
bool vt_begin_import(uint tasks) {
    uint entries = tasks - vt_first;
    if (int(entries) <= 0) { // others have taken them
        vt_seen_tasks = tasks;
    }
    bool locked = tasks != vt_seen_tasks && vt_next == GO_PASS && vt_try_lock();
    sh_reads = locked ? 1u + vt_few(entries) : 0u;
    if (locked) {
        sh_entry = vt_first;
    }
    return locked;
}

// Lane 0, with the lock: how many tasks may be imported when that many have been taken. Where that is none, vt_next says
// what is to be done.
uint vt_size_import(uint tasks, uint taken) {
    uint waiting = tasks - taken;
    if (int(waiting) <= 0) {
        vt_seen_tasks = taken;
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
    return waiting;
}

// Lane 0: whether a worker that imports that many tasks runs them itself. Of many tasks, others take their part from
// the sets.
bool vt_runs_itself(uint waiting) {
    bool mine = VT_CLAIMERS == 1 || waiting <= vt_want;
    return mine && !vt_planned && !vt_work && vt_want == vt_lanes_now;
}

// Lane 0: counts what has been imported, and says what is next.
void vt_end_import(uint n, bool direct) {
    vt_imported += n;
    if (n != 0u) {
        vt_first += n;
        vt_seen_tasks = vt_first;
    }
    if (n != 0u && direct) { // the first pass has its tasks
        sh_from = VT_NONE;
        sh_width = 0u;
#if VT_CLAIMERS > 1
        sh_filled = n;
#endif
    } else if (n != 0u && !vt_planned) {
        vt_next = vt_want == 0u ? GO_WAIT : GO_PLAN;
    }
    sh_next = n == 0u && vt_next == GO_PASS && !vt_planned ? GO_WAIT : vt_next;
}

#include "vyretop/import_few.glsl"
#include "vyretop/import_many.glsl"

// All lanes, with the lock: imports what there is.
void vt_import(uint few, uint tasks) {
#if VT_CLAIMERS > 1 && !defined(VT_CORE)
    uint n = 0u;
    if (few != 0u) {
        n = vt_import_few(few, tasks);
    } else {
        n = vt_import_many(tasks);
    }
#else
    uint n = vt_import_few(few, tasks);
#endif
    if (vt_lane == 0u) {
        vt_end_import(n & ~IMPORT_DIRECT, (n & IMPORT_DIRECT) != 0u);
    }
    vt_gives_back = 1u + n;
    vt_sync();
#ifdef VT_MIRROR
    if ((n & IMPORT_DIRECT) != 0u) { // in the pass that follows, while others run the tasks
        return;
    }
#endif
    vt_give_back();
}
