// Between laps: wait for something to do, and import new tasks from the inbox.
#pragma once
#include "vyretop/lap.glsl"

shared uint sh_import;    // tasks to import now
shared uint sh_entry;     // number of the first
shared uint sh_free_leaf; // where free slots begin
shared uint sh_direct;    // non-zero: run them at once, nothing else waits

// Of lane 0.
uint vt_want = 0u;         // tasks this worker may have at a time; 0 while it is paused
uint vt_lanes_now;
uint vt_free_cursor = 0u;  // leaf at which its search for free slots goes on
bool vt_backlog = false;   // the inbox has tasks for which there was no free slot
uint vt_idle_limit;

// Looks that find nothing before serving: it publishes the counters and decides whether to leave.
#define PATIENCE 2048u

// What calls from the words that everybody may write, or GO_LAP.
uint vt_called(uvec4 bell) {
    if (sched[SCHED_ATTENTION] != vt_attention || vt_dirty && sched[SCHED_PENDING] != 0u) {
        return GO_SERVE;
    }
    if (bell.y != vt_seen_commands || bell.z != vt_seen_epochs || int(bell.w - vt_slice) >= 0) {
        return GO_SERVE;
    }
    return GO_LAP;
}

// Lane 0: looks for something to do, at most so many times. Returns the bell's count of tasks.
uint vt_wait(uint patience) {
    uint tasks = vt_seen_tasks;
    uint room = vt_iteration_limit - min(vt_used(), vt_iteration_limit);
    patience = min(patience, room);
    sh_next = GO_SERVE;
    for (uint n = 0u; vt_step(1u) && n < patience; ++n) {
        uvec4 bell = uvec4(tasks, vt_seen_commands, vt_seen_epochs, vt_slice - 1u);
        if (vt_polls) {
            bell = inbox[0];
        }
        tasks = bell.x;
        uint apex = sched[SCHED_APEX] & 0x1Fu;
        bool work = vt_want != 0u && apex != 0u;
        uint next = vt_called(bell);
        if (next == GO_LAP && !vt_planned && tasks == vt_seen_tasks) {
            next = work ? GO_PLAN : GO_WAIT;
        }
        if (next != GO_WAIT) {
            sh_next = next;
            break;
        }
        vt_idle++;
    }
    return tasks;
}

// Lane 0: the first leaf with free slots for tasks of the host. The last leaves are kept for spawned
// tasks: if the host could fill all slots, parents would wait for ever for a slot for a child.
uint vt_find_free() {
    uint leaf = vt_set_find(SET_FREE, vt_free_cursor);
    if (leaf >= VT_IMPORT_LEAVES) {
        vt_free_cursor = 0u; // the next search begins anew
        return VT_NONE;
    }
    return leaf;
}

// Lane 0: prepares an import, if it gets the lock and there is room.
void vt_begin_import(uint tasks) {
    uint apex = sched[SCHED_APEX] & 0x1Fu;
    if (tasks == vt_seen_tasks || sh_next != GO_LAP || !vt_try_lock()) {
        return;
    }
    sh_entry = sched[SCHED_TASKS_TAKEN];
    uint waiting = tasks - sh_entry;
    if (int(waiting) <= 0) {
        vt_seen_tasks = sh_entry;
        vt_unlock();
        return;
    }
    bool retry = vt_free_cursor != 0u;
    sh_free_leaf = vt_find_free();
    if (sh_free_leaf == VT_NONE) {
        vt_backlog = true;
        vt_seen_tasks = retry ? vt_seen_tasks : tasks; // a search from 0 saw all there is
        vt_unlock();
        return;
    }
    sh_direct = !vt_planned && apex == 0u && vt_want == vt_lanes_now ? 1u : 0u;
    sh_import = min(waiting, sh_direct != 0u ? vt_want : VT_LANES);
}

// Takes free slots for 32 lanes.
void vt_take_room(uint claimer) {
    uint before = claimer * 32u;
    uint want = sh_import > before ? min(sh_import - before, 32u) : 0u;
    uint base = SET_BASE(SET_FREE);
    uint region = sh_free_leaf >> 5u;
    uint ahead = sched[SET_MID_AT(base, region)] & (0xFFFFFFFFu << (sh_free_leaf & 31u));
    uint taken = 0u;
    uint leaf = 0u;
    if (want != 0u && claimer < uint(bitCount(ahead))) {
        leaf = region * 32u + vt_select(ahead, claimer);
        if (leaf < VT_IMPORT_LEAVES) {
            uint have = sched[SET_LEAF_AT(base, leaf)];
            uint bits = vt_low_bits(have, want);
            taken = atomicAnd(sched[SET_LEAF_AT(base, leaf)], ~bits) & bits;
            if (have == bits) {
                vt_stale = SET_FREE * VT_SLOTS + leaf; // it is empty now
            }
        }
    }
    sh_leaf[claimer] = leaf;
    sh_bits[claimer] = taken;
}

Task vt_load_new(uint number) {
    uint at = INBOX_ENTRIES / 4u + (number & (VT_INBOX_TASKS - 1u)) * 4u;
    uvec4 a = inbox[at];
    uvec4 b = inbox[at + 1u];
    uvec4 c = inbox[at + 2u];
    uvec4 d = inbox[at + 3u];
    return Task(STATE_READY, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w);
}

// Tasks imported into the slots of the claimers before this one.
uint vt_imported_before(uint claimer) {
    uint n = 0u;
#if VT_CLAIMERS > 1
    for (uint i = 0u; vt_step(1u) && i < claimer; ++i) {
        n += uint(bitCount(sh_bits[i]));
    }
#endif
    return n;
}

// Copies one entry of the inbox into its slot. If it is not run at once, it joins its ready set.
void vt_import_lane() {
    uint claimer = vt_lane >> 5u;
    uint bits = sh_bits[claimer];
    uint rank = vt_lane & 31u;
    if (rank >= uint(bitCount(bits))) {
        return;
    }
    uint place = vt_select(bits, rank);
    uint slot = sh_leaf[claimer] * 32u + place;
    Task t = vt_load_new(sh_entry + vt_imported_before(claimer) + rank);
    vt_store(slot, t);
    if (sh_direct == 0u) {
        bool misfit = t.tenant >= TENANTS || t.priority >= NUM_PRIORITIES;
        if (misfit || ((vt_allowed >> t.tenant) & 1u) == 0u) {
            vt_slot = slot;
            vt_owe = JOB_REFUSE;
            sh_owed = 1u;
        } else {
            atomicOr(sh_put[t.priority * VT_CLAIMERS + claimer], 1u << place);
        }
    }
}

// Lane 0: gives the entries back to the host; all have been read.
void vt_end_import() {
    uint n = vt_imported_before(VT_CLAIMERS - 1u) + uint(bitCount(sh_bits[VT_CLAIMERS - 1u]));
    uint taken = sh_entry + n;
    sched[SCHED_TASKS_TAKEN] = taken;
    outbox[OUT_TASKS_TAKEN] = taken;
    vt_unlock();
    atomicAdd(sh_count[COUNT_IMPORTED], n);
    vt_seen_tasks = taken;
    vt_free_cursor = sh_leaf[VT_CLAIMERS - 1u];
    sh_import = 0u;
    if (sh_owed != 0u) {
        sh_next = GO_SERVE;
    } else if (n == 0u) {
        sh_next = GO_PLAN; // the summary was ahead of the leaf; planning corrects it
    } else if (sh_direct == 0u && !vt_planned) {
        sh_next = vt_want == 0u ? GO_WAIT : GO_PLAN;
    }
}

// All lanes: waits, imports, and leaves in sh_next whether laps follow.
void vt_between_laps() {
    vt_sync(); // everybody has read sh_next
    if (vt_lane == 0u) {
        sh_import = 0u;
        sh_direct = 0u;
        sh_width = vt_want;
        bool ready = vt_step_phase == STEP_RUN; // its task is claimed
        uint tasks = vt_wait(ready || vt_planned ? 1u : PATIENCE);
        if (ready) {
            sh_next = GO_LAP;
            sh_width = 0u;
        } else {
            vt_begin_import(tasks);
        }
        if (sh_next == GO_LAP && sh_import == 0u && !vt_planned && !ready) {
            sh_next = GO_WAIT;
        }
    }
    vt_sync_all();
    bool importing = sh_import != 0u;
    if (importing && vt_lane < VT_CLAIMERS) {
        vt_take_room(vt_lane);
    }
    vt_sync();
    if (importing) {
        vt_import_lane();
    }
    vt_sync_all();
    if (importing) {
        vt_put();
        if (vt_lane == 0u) {
            vt_end_import();
            if (sh_direct != 0u) { // the first lap has its tasks
                sh_from = NOWHERE;
                sh_width = 0u;
            }
        }
    }
    vt_sync_all();
}
