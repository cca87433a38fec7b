// What the host has sent, as far as serving deals with it: commands, epochs, the end of the slice.
// One worker at a time, whichever finds the lock free, forwards it into device memory. A worker that
// does not get the lock just continues.
#pragma once
#include "vyretop/job.glsl"
#include "vyretop/spawn.glsl"

bool vt_sweeping = false; // it has seen a sweep under way, which servings continue with (lane 0)

void vt_unlock() {
    memoryBarrierBuffer();
    atomicExchange(sched[SCHED_POLL_LOCK], 0u);
}

bool vt_try_lock() {
    bool locked = atomicCompSwap(sched[SCHED_POLL_LOCK], 0u, 1u) == 0u;
    memoryBarrierBuffer();
    return locked;
}

// What the host and other workers have left for the worker that serves next, read with the lock.
struct Mail {
    uint ending, commands, pending, tasks, told, paused;
    uint epochs, epoch, swept, sweep;
};

// One read after the other, and nothing made of any of them in between: a read may take long, and so all are under
// way together.
Mail vt_read_mail() {
    uint ending = sched[SCHED_END_SLICE];
    uint commands = sched[SCHED_CMDS_TAKEN];
    uint pending = sched[SCHED_PENDING];
    uint tasks = sched[SCHED_TASKS_TAKEN];
    uint told = sched[SCHED_TASKS_TOLD];
    uint paused = sched[SCHED_PAUSE_ALL];
    uint epochs = sched[SCHED_EPOCHS_TAKEN];
    uint epoch = sched[SCHED_EPOCH];
    uint swept = sched[SCHED_SWEPT];
    uint sweep = sched[SCHED_SWEEP];
    return Mail(ending, commands, pending, tasks, told, paused, epochs, epoch, swept, sweep);
}

// Takes what epochs are requested, and begins a sweep of the parked tasks where that is due. Returns whether there
// is one.
bool vt_poll_epochs(in Mail m, uint requested) {
    uint epoch = m.epoch;
    if (int(requested - m.epochs) > 0) { // the bell may have been seen before others took what it is about
        sched[SCHED_EPOCHS_TAKEN] = requested;
        epoch = atomicAdd(sched[SCHED_EPOCH], requested - m.epochs) + requested - m.epochs;
        control[CTRL_EPOCH] = epoch;
        outbox[OUT_EPOCHS_TAKEN] = requested;
    }
    if (epoch != m.swept && m.sweep == 0u) { // a sweep that began again each time might never come to the last slots
        sched[SCHED_SWEPT] = epoch;
        memoryBarrierBuffer();
        sched[SCHED_SWEEP] = 1u;
    }
    return m.sweep != 0u || epoch != m.swept;
}
