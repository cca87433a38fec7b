// Serving: what is done once in a while. Obey the host, settle what passes have left, look after
// starved priorities, publish the counters, decide whether to leave. It is kept out of the passes
// because llvmpipe runs all the code of a loop's body each time, whether a lane wants it or not.
#pragma once
#include "vyretop/mirror.glsl"
#include "vyretop/pause.glsl"
#include "vyretop/totals.glsl"

shared uint sh_leave;   // END_ reason, or 0
shared uint sh_brief;   // non-zero: there is nothing to do but what lane 0 has done
shared uint sh_claimed; // slots that serving has claimed for its job: bits of leaf sh_leaf[0]

bool vt_commanded = false; // the last look at the commands took one that is a job (lane 0)
uint vt_passes;

void vt_claim_for(uint job, uint leaf, uint bits) {
    sh_job = job;
    sh_leaf[0] = leaf;
    sh_claimed = bits;
}

// Takes the next command, if there is one. Early is the one that would be next if no other worker had taken any.
void vt_poll_command(in Mail m, Command early, uint published) {
    vt_seen_commands = m.commands;
    if (int(published - m.commands) <= 0) {
        return;
    }
    Command c = early;
    if (early.number != m.commands) {
        c = vt_command(m.commands);
    }
    uint got = vt_run_command(c, vt_workers_now, vt_pause_in(m.paused));
    if (c.op != OP_MIRROR) { // each worker that comes here helps with that: a few are enough
        vt_call_attention();
    }
    if (got == LATER) {
        return;
    }
    vt_seen_commands = c.number + 1u;
    sched[SCHED_CMDS_TAKEN] = c.number + 1u;
    if (got != ANSWERED) {
        sh_number = c.number;
        vt_claim_for(got == ACQUIRED ? JOB_COMMAND : JOB_UNPARK, c.slot >> 5u, 1u << (c.slot & 31u));
    }
}

// Continues with the sweep of the parked set: at most one leaf. What is not due goes back to where it
// was, so the sweep never looks behind its cursor.
void vt_sweep() {
    uint from = sched[SCHED_SWEEP] - 1u;
    uint leaf = vt_set_find(SET_PARKED, from >> 5u);
    if (leaf == VT_NONE || leaf < from >> 5u) {
        sched[SCHED_SWEEP] = 0u;
        return;
    }
    uint all = sched[SET_LEAF_AT(SET_BASE(SET_PARKED), leaf)];
    uint have = leaf == from >> 5u ? all & (0xFFFFFFFFu << (from & 31u)) : all;
    uint want = vt_low_bits(have, min(VT_LANES, 32u));
    if (all == 0u) {
        vt_set_unmark(SET_PARKED, leaf);
    }
    vt_claim_for(JOB_UNPARK, leaf, vt_set_take(SET_PARKED, leaf, want));
    uint next = leaf * 32u + (have != want ? uint(findLSB(have & ~want)) : 32u);
    sched[SCHED_SWEEP] = next >= VT_SLOTS ? 0u : next + 1u;
}

uint vt_leave_reason(uint ending) {
    if (int(ending - vt_slice) >= 0) {
        return END_ASKED;
    }
    if (vt_used() >= vt_iteration_limit) {
        return END_ITERATIONS;
    }
    return vt_idle > vt_idle_limit ? END_IDLE : 0u;
}

// Lane 0, with the lock: polls the host. Returns the number of the newest slice that must end. The bell may be one
// that was seen before this worker got the lock, and behind what others have taken since.
uint vt_poll() {
    uint shutdown = 0u;
    if (!vt_heard || !vt_bell_has_news()) { // a host that always has something new hides a shutdown until the slice ends
        vt_bell = inbox[0];
        shutdown = control[CTRL_SHUTDOWN];
        memoryBarrierBuffer(); // before what it is about is read; getting the lock has been that for one that was seen before
    }
    vt_heard = false;
    Command early = vt_command(vt_seen_commands);
    Mail m = vt_read_mail();
    bool waits = vt_poll_epochs(m, vt_bell.z);
    vt_seen_epochs = vt_bell.z;
    uint ending = shutdown != 0u ? vt_slice : vt_bell.w;
    if (int(ending - m.ending) > 0) {
        sched[SCHED_END_SLICE] = ending;
        vt_call_attention();
    } else {
        ending = m.ending;
    }
    bool due = sh_owed == 0u && vt_step_phase != STEP_RUN && !(vt_dirty && m.pending != 0u);
    // A worker that leaves could not answer any longer, and one that takes a job each time cannot leave.
    if (due && int(ending - vt_slice) < 0 && vt_used() < vt_iteration_limit) {
        if (!waits || !vt_commanded) { // in turn: a host that always has another command would keep parked tasks waiting
            vt_poll_command(m, early, vt_bell.y);
        }
        vt_commanded = sh_job != JOB_NONE;
        if (waits && sh_job == JOB_NONE) {
            vt_sweep();
        }
        vt_sweeping = waits && sched[SCHED_SWEEP] != 0u;
    }
    if (m.tasks != m.told) {
        vt_tell_taken(m.tasks);
    }
    return ending;
}

// Lane 0's part of a serving.
void vt_serve() {
    uint record = vt_worker * WORKER_WORDS;
    bool idling = vt_idle != 0u;
    sh_job = JOB_NONE;
    sh_claimed = 0u;
    uint calls = sched[SCHED_ATTENTION];
    uint all = vt_pause();
    uint arrived = sched[SCHED_WORKER0 + vt_worker * WORKER_CONTROL_WORDS + WC_ARRIVED];
    uint ending = sched[SCHED_END_SLICE];
    vt_has_called = calls != vt_attention;
    vt_attention = calls;
    vt_step_on();
    vt_sweeping = false;
    // A worker that a pause of all waits for does not look what else the host wants.
    if (all == 0u || arrived == all) {
        if (vt_try_lock()) {
            ending = vt_poll();
            vt_unlock();
        } else {
            ending = sched[SCHED_END_SLICE]; // the worker that has set it calls afterwards
        }
    }
    bool called = vt_has_called; // by others, or by what it has just obeyed
    sh_leave = sh_owed == 0u && sh_job == JOB_NONE && vt_step_phase != STEP_RUN ? vt_leave_reason(ending) : 0u;
    vt_want = sh_leave == 0u ? vt_allowance() : 0u;
    if (vt_answer != 0u) { // of a pause, most often: what follows takes longer than all before
        vt_write_answer();
    }
    vt_end_plan(); // not earlier: a fence waits until memory that is far away has what was stored there
    if (vt_want != 0u) {
        workers[record + WK_STATE] = WORKER_IDLE;
    }
    workers[record + WK_HEARTBEAT] = vt_heartbeat;
    workers[record + WK_ITERATIONS] = vt_used();
    if (vt_want != 0u && idling) {
        workers[record + WK_SLOT] = NO_SLOT;
    }
    bool due = vt_passes_left == 0u || sh_leave != 0u || idling && (!called || (vt_imported | vt_claims | vt_empty) != 0u);
    sh_flush = due ? 1u : 0u;
    vt_passes_left = due ? vt_passes : vt_passes_left;
    vt_calls_left = PATIENT_CALLS;
    memoryBarrierBuffer(); // what passes have put into sets comes before the look for requests, vt_hand_on
    bool brief = !due && sh_owed == 0u && sh_job == JOB_NONE && sh_keep == 0u && sched[SCHED_PENDING] == 0u && sched[SCHED_MIRROR] == 0u;
#ifdef VT_BREAKS
    brief = false; // hits are told
#endif
    sh_brief = brief ? 1u : 0u;
    sh_owed = 0u;
    vt_dirty = false;
}

// One lane's job in a serving, if it has one.
void vt_serve_lane() {
    uint job = vt_owe;
    uint slot = vt_slot;
    if (job == JOB_NONE && vt_lane < uint(bitCount(sh_claimed))) {
        job = sh_job;
        slot = sh_leaf[0] * 32u + vt_select(sh_claimed, vt_lane);
    } else if (job == JOB_NONE && vt_ran != 0u && sched[SCHED_PENDING] != 0u) {
        job = JOB_CHECK;
    }
    if (job != JOB_NONE) {
        vt_do_job(job, sh_number, slot);
    }
    if (vt_answer != 0u) {
        vt_write_answer();
    }
    vt_owe = JOB_NONE;
}

// All lanes: what servings are for, unless it was only that somebody called.
void vt_serve_lanes() {
#ifdef VT_DEFERS
    uint began = vt_now();
    vt_run_deferred();
    vt_add_time(TIME_HANDLERS, began);
#endif
    vt_serve_lane();
    if (sh_flush != 0u) {
        vt_flush_lane();
    }
    vt_sync_all();
#ifdef VT_MIRROR
    vt_mirror();
#endif
    vt_keep_words();
    if (vt_lane == 0u) {
        sh_publish = 0u;
        if (sh_flush != 0u) {
            vt_age();
            sh_publish = atomicCompSwap(sched[SCHED_PUBLISHING], 0u, 1u) == 0u ? 1u : 0u;
        }
    }
    vt_sync();
    vt_flush_workgroup();
#ifdef VT_HOLDS
    vt_flush_hits();
#endif
    vt_sync_all();
    vt_publish_totals();
    if (sh_publish != 0u && sched[SCHED_METERED] != 0u) {
        vt_meter();
        if (vt_lane == 0u) {
            vt_share_out();
        }
    }
    vt_sync_all();
    if (vt_lane == 0u && sh_publish != 0u) {
        atomicExchange(sched[SCHED_PUBLISHING], 0u);
    }
}

// All lanes: the whole serving.
void vt_serve_all() {
    vt_sync(); // everybody has read what the last serving left
    vt_heartbeat++;
    if (vt_lane == 0u) {
        vt_serve();
    }
    vt_sync_all();
    if (sh_brief == 0u) {
        vt_serve_lanes();
    }
    vt_ran = 0u;
    vt_allowed = sched[SCHED_ALLOWED];
}
