// Polling: one worker at a time, whichever finds the lock free, reads the bell in host memory and
// forwards what is new into device memory. A worker that does not get the lock just goes on.
#pragma once
#include "vyretop/job.glsl"
#include "vyretop/spawn.glsl"

bool vt_polling = false; // this lane holds the lock (lane 0)

void vt_unlock() {
    memoryBarrierBuffer();
    atomicExchange(sched[SCHED_POLL_LOCK], 0u);
    vt_polling = false;
}

bool vt_try_lock() {
    vt_polling = atomicCompSwap(sched[SCHED_POLL_LOCK], 0u, 1u) == 0u;
    memoryBarrierBuffer();
    return vt_polling;
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

// Takes the next command, if there is one. Returns the job it makes for this pass.
uint vt_poll_command(uint published, uint workers_now) {
    uint number = sched[SCHED_CMDS_TAKEN];
    if (number == published) {
        return JOB_NONE;
    }
    uint slot;
    uint got = vt_run_command(number, workers_now, slot);
    vt_call_attention();
    if (got == LATER) {
        return JOB_NONE;
    }
    sched[SCHED_CMDS_TAKEN] = number + 1u;
    outbox[OUT_COMMANDS_TAKEN] = number + 1u;
    if (got == ANSWERED) {
        return JOB_NONE;
    }
    vt_claimed(slot >> 5u, 1u << (slot & 31u));
    sh_number = number;
    return got == ACQUIRED ? JOB_COMMAND : JOB_UNPARK;
}

// Decides what the lanes do with what the host has sent: at most one job a lap. Returns the job
// and the plan by which its slots are claimed.
uint vt_poll_job(uvec4 bell, out uint plan) {
    plan = PLAN_END;
    if (sched[SCHED_SWEEP] != 0u) {
        sh_cursor[SET_PARKED] = sched[SCHED_SWEEP] - 1u;
        plan = (PLAN_END << 4u) | SET_PARKED;
        return JOB_UNPARK;
    }
    sh_number = sched[SCHED_TASKS_TAKEN];
    // Every other pass at most, and only into free slots: importing must not keep tasks from running.
    if (bell.x != sh_number && sh_job != JOB_IMPORT && !vt_set_seems_empty(SET_BASE(SET_FREE))) {
        plan = (PLAN_END << 4u) | SET_FREE;
        return JOB_IMPORT;
    }
    return JOB_NONE;
}

// After the claim of a sweep: where it goes on; 0 when it has been through.
void vt_sweep_on() {
    uint next = sh_cursor[SET_PARKED];
    sched[SCHED_SWEEP] = next == 0u ? 0u : next + 1u;
}

// Copies the totals to where the host reads them. Only the poller and the last worker of a slice do.
void vt_publish_totals() {
    for (uint i = 0u; vt_step(1u) && i < ROLLED(LINE_WORDS); ++i) {
        if (i < NUM_COUNTERS) {
            outbox[OUT_COUNTERS + i] = sched[SCHED_TOTALS + i];
        }
        if (i < NUM_PRIORITIES) {
            control[CTRL_PRIORITY_FAIR0 + i] = sched[SCHED_SERVED + i];
        }
        control[CTRL_METRICS0 + i] = sched[SCHED_METRICS + i];
        control[CTRL_TENANT_FAIR0 + i] = sched[SCHED_TENANTS + i];
    }
    control[CTRL_STARVATION] = sched[SCHED_TOTALS + COUNT_STARVED];
    control[CTRL_EPOCH] = vt_epoch();
    outbox[OUT_COMPLETIONS] = sched[SCHED_COMPLETIONS];
    memoryBarrierBuffer();
    control[CTRL_DONE_COUNT] = sched[SCHED_TOTALS + COUNT_DONE];
}
