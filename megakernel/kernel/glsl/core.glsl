// The service pass of the core variant, which a driver compiles in a fraction of the time of the full kernel: it
// settles what scheduling passes have left, publishes the counters and leaves. For all else that the host may want, the slice
// ends with END_SERVICE, and the host continues with the full kernel. No command is taken here, so no worker is
// paused or stepped, no slot has a request, and no epoch begins.
#pragma once
#include "vyretop/serve.glsl"

#ifdef VT_CORE
// What a scheduling pass did not settle, each by its lane: pauses and faults, and tasks that all lanes have run.
void vt_settle_owed() {
    if (vt_owe != JOB_NONE) {
        Task t = vt_load(vt_slot);
        bool notify = (t.flags & FLAG_NOTIFY) != 0u && t.state != STATE_FAULTED && t.state != STATE_DONE;
        vt_task_id = t.task_id;
        vt_task_opcode = t.opcode;
        if (vt_owe == JOB_REFUSE) {
            vt_refuse(t);
#ifdef VT_DEFERS
        } else if (vt_owe == JOB_SETTLE && !vt_settle_quickly(t)) {
#else
        } else {
#endif
            vt_settle(t);
        }
        if (t.state == STATE_PAUSED && vt_due(t)) {
            vt_make_ready(t);
        }
        vt_store(vt_slot, t);
        if (notify && (t.state == STATE_FAULTED || t.state == STATE_DONE)) {
            vt_notify(t);
        }
        memoryBarrierBuffer();
        vt_set_add(vt_home(t), vt_slot >> 5u, 1u << (vt_slot & 31u));
        vt_write_event(vt_heartbeat);
        vt_task_id = 0u;
        vt_task_opcode = 0u;
    }
    vt_owe = JOB_NONE;
}

// Whether the host or a handler wants what only the full kernel does.
bool vt_needs_service(uvec4 bell) {
    bool asked = bell.y != sched[SCHED_CMDS_TAKEN] || bell.z != sched[SCHED_EPOCHS_TAKEN];
    return asked || sched[SCHED_EPOCH] != sched[SCHED_SWEPT] || sched[SCHED_SWEEP] != 0u || sched[SCHED_METERED] != 0u;
}

// Lane 0, with the lock: as vt_poll, but it takes nothing.
uint vt_poll_end(uint ending) {
    vt_bell = inbox[0];
    vt_heard = false;
    vt_seen_commands = vt_bell.y;
    vt_seen_epochs = vt_bell.z;
    bool now = control[CTRL_SHUTDOWN] != 0u || vt_needs_service(vt_bell);
    uint asked = now ? vt_slice : vt_bell.w;
    if (int(asked - ending) > 0) {
        sched[SCHED_END_SLICE] = asked;
        vt_call_attention();
        ending = asked;
    }
    uint taken = sched[SCHED_TASKS_TAKEN];
    if (taken != sched[SCHED_TASKS_TOLD]) {
        vt_tell_taken(taken);
    }
    return ending;
}

// Lane 0's part.
void vt_serve_core() {
    uint record = vt_worker * WORKER_WORDS;
    bool idling = vt_idle != 0u;
    vt_attention = sched[SCHED_ATTENTION];
    uint ending = sched[SCHED_END_SLICE];
    if (vt_try_lock()) {
        ending = vt_poll_end(ending);
        vt_unlock();
    }
    sh_leave = vt_leave_reason(ending);
    vt_want = sh_leave == 0u ? vt_lanes_now : 0u;
    vt_end_plan();
    if (vt_want != 0u) {
        workers[record + WK_STATE] = WORKER_IDLE;
    }
    workers[record + WK_HEARTBEAT] = vt_heartbeat;
    workers[record + WK_ITERATIONS] = vt_used();
    if (idling) {
        workers[record + WK_SLOT] = NO_SLOT;
    }
    bool due = vt_passes_left == 0u || sh_leave != 0u || idling && (vt_imported | vt_claims | vt_empty) != 0u;
    sh_flush = due ? 1u : 0u;
    vt_passes_left = due ? vt_passes : vt_passes_left;
    vt_calls_left = PATIENT_CALLS;
    sh_owed = 0u;
    vt_dirty = false;
    sh_publish = 0u;
    if (due) {
        sh_publish = atomicCompSwap(sched[SCHED_PUBLISHING], 0u, 1u) == 0u ? 1u : 0u;
    }
}

// All lanes: the whole service pass.
void vt_serve_all_core() {
    vt_sync(); // everybody has read what the last one left
    vt_heartbeat++;
#ifdef VT_DEFERS
    vt_run_deferred();
#endif
    vt_settle_owed();
    vt_sync_all();
    if (vt_lane == 0u) {
        vt_serve_core();
    }
    vt_sync_all();
    if (sh_flush != 0u) {
        vt_flush_lane();
        vt_sync();
        if (vt_lane == 0u) {
            vt_age();
        }
        vt_sync();
        vt_flush_workgroup();
        vt_sync_all();
        vt_publish_totals();
        vt_sync_all();
        if (vt_lane == 0u && sh_publish != 0u) {
            atomicExchange(sched[SCHED_PUBLISHING], 0u);
        }
    }
    vt_ran = 0u;
    vt_allowed = sched[SCHED_ALLOWED];
}
#endif
