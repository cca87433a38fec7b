// Polling: one worker at a time, whichever finds the lock free, reads the bell in host memory and
// forwards what is new into device memory. A worker that does not get the lock just goes on.
#pragma once
#include "vyretop/activate.glsl"
#include "vyretop/spawn.glsl"

shared uint sh_import;       // tasks the lanes import this pass
shared uint sh_import_first; // number of the first of them

bool vt_polling; // this lane holds the lock (lane 0)

void vt_unlock() {
    memoryBarrierBuffer();
    atomicExchange(sched[SCHED_POLL_LOCK], 0u);
    vt_polling = false;
}

// Copies one task from the inbox into a slot that the caller owns, and makes it ready.
void vt_import(uint number, uint slot) {
    uint at = INBOX_ENTRIES / 4u + (number & (VT_INBOX_TASKS - 1u)) * 4u;
    uvec4 a = inbox[at];
    uvec4 b = inbox[at + 1u];
    uvec4 c = inbox[at + 2u];
    uvec4 d = inbox[at + 3u];
    Task t = Task(STATE_READY, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w);
    vt_count(COUNT_IMPORTED);
    if (t.priority >= NUM_PRIORITIES) {
        vt_settle_fault(t, FAULT_PRIORITY);
        vt_store(slot, t);
        vt_notify(t);
        return;
    }
    vt_store(slot, t);
    memoryBarrierBuffer();
    vt_set_add(SET_BASE(SET_READY0 + t.priority), slot);
}

void vt_tasks_taken(uint taken) {
    memoryBarrierBuffer();
    sched[SCHED_TASKS_TAKEN] = taken;
    outbox[OUT_TASKS_TAKEN] = taken;
}

// New tasks: a few are imported at once by this lane, which is quickest for one; many by all lanes
// of the workgroup. As many as there are free slots; the rest stays in the inbox.
void vt_poll_tasks(uint published, uint lanes) {
    uint taken = sched[SCHED_TASKS_TAKEN];
    uint news = published - taken;
    if (news == 0u) {
        return;
    }
    sh_words = 0u;
    sh_tasks = 0u;
    uint got = vt_claim_from(SET_FREE, min(news, lanes));
    if (got > 4u) {
        sh_import = got;
        sh_import_first = taken;
        return;
    }
    for (uint i = 0u; i < got; ++i) {
        vt_own_iterations++;
        vt_import(taken + i, vt_claimed_slot(i));
    }
    vt_tasks_taken(taken + got);
}

void vt_poll_commands(uint published, uint workers_now) {
    uint taken = sched[SCHED_CMDS_TAKEN];
    for (uint i = 0u; i < 4u && taken != published; ++i) {
        vt_own_iterations++;
        vt_run_command(taken, workers_now);
        taken++;
    }
    sched[SCHED_CMDS_TAKEN] = taken;
    outbox[OUT_COMMANDS_TAKEN] = taken;
}

void vt_poll_epochs(uint requested) {
    uint taken = sched[SCHED_EPOCHS_TAKEN];
    if (requested != taken) {
        sched[SCHED_EPOCHS_TAKEN] = requested;
        control[CTRL_EPOCH] = atomicAdd(sched[SCHED_EPOCH], requested - taken) + requested - taken;
        outbox[OUT_EPOCHS_TAKEN] = requested;
    }
    uint epoch = vt_epoch();
    if (epoch != sched[SCHED_SWEPT]) {
        sched[SCHED_SWEPT] = epoch;
        memoryBarrierBuffer();
        sched[SCHED_SWEEP] = 1u;
    }
}

// Looks at some parked tasks after a new epoch: at most four leaf words a pass.
void vt_sweep() {
    uint from = sched[SCHED_SWEEP];
    uint base = SET_BASE(SET_PARKED);
    for (uint k = 0u; k < 4u && from != 0u; ++k) {
        vt_own_iterations++;
        uint leaf = vt_set_find(base, from - 1u);
        if (leaf == VT_NONE || leaf < from - 1u) {
            from = 0u; // gone round
            break;
        }
        uint bits = vt_set_take(base, leaf, 0xFFFFFFFFu);
        while (bits != 0u) {
            vt_own_iterations++;
            uint bit = uint(findLSB(bits));
            bits &= bits - 1u;
            vt_unpark(leaf * 32u + bit);
        }
        from = leaf + 2u > VT_SLOTS >> 5u ? 0u : leaf + 2u;
    }
    sched[SCHED_SWEEP] = from;
}

// Copies the totals to where the host reads them. Only the poller and the last worker of a slice do.
void vt_publish_totals() {
    for (uint i = 0u; i < NUM_COUNTERS; ++i) {
        vt_own_iterations++;
        outbox[OUT_COUNTERS + i] = sched[SCHED_TOTALS + i];
    }
    for (uint i = 0u; i < LINE_WORDS; ++i) {
        vt_own_iterations++;
        control[CTRL_METRICS0 + i] = sched[SCHED_METRICS + i];
        control[CTRL_TENANT_FAIR0 + i] = sched[SCHED_TENANTS + i];
    }
    for (uint i = 0u; i < NUM_PRIORITIES; ++i) {
        vt_own_iterations++;
        control[CTRL_PRIORITY_FAIR0 + i] = sched[SCHED_SERVED + i];
    }
    control[CTRL_STARVATION] = sched[SCHED_TOTALS + COUNT_STARVED];
    control[CTRL_EPOCH] = vt_epoch();
    outbox[OUT_COMPLETIONS] = sched[SCHED_COMPLETIONS];
    memoryBarrierBuffer();
    control[CTRL_DONE_COUNT] = sched[SCHED_TOTALS + COUNT_DONE];
}

// Polls if nobody else does. The lock is kept past this call only while the lanes import.
void vt_poll(uint workers_now, uint lanes, bool publish) {
    if (atomicCompSwap(sched[SCHED_POLL_LOCK], 0u, 1u) != 0u) {
        return;
    }
    vt_polling = true;
    memoryBarrierBuffer();
    uvec4 bell = inbox[0];
    sched[SCHED_END_SLICE] = bell.w;
    vt_poll_epochs(bell.z);
    vt_poll_commands(bell.y, workers_now);
    vt_poll_tasks(bell.x, lanes);
    if (sched[SCHED_SWEEP] != 0u) {
        vt_sweep();
    }
    if (publish) {
        vt_publish_totals();
    }
    if (sh_import == 0u) {
        vt_unlock();
    }
}
