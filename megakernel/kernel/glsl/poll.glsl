// What the host has sent, as far as serving deals with it: commands, epochs, the end of the slice.
// One worker at a time, whichever finds the lock free, forwards it into device memory. A worker that
// does not get the lock just goes on.
#pragma once
#include "vyretop/job.glsl"
#include "vyretop/spawn.glsl"

bool vt_polling = false;  // this lane holds the lock (lane 0)
bool vt_sweeping = false; // it has seen a sweep under way, which servings go on with (lane 0)

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

// Takes what epochs are requested, and begins a sweep of the parked tasks where that is due. Returns whether there
// is one.
bool vt_poll_epochs(uint requested) {
    uint taken = sched[SCHED_EPOCHS_TAKEN];
    uint epoch = vt_epoch();
    uint swept = sched[SCHED_SWEPT];
    bool sweeps = sched[SCHED_SWEEP] != 0u;
    if (requested != taken) {
        sched[SCHED_EPOCHS_TAKEN] = requested;
        epoch = atomicAdd(sched[SCHED_EPOCH], requested - taken) + requested - taken;
        control[CTRL_EPOCH] = epoch;
        outbox[OUT_EPOCHS_TAKEN] = requested;
    }
    if (epoch != swept && !sweeps) { // a sweep that began anew each time might never come to the last slots
        sched[SCHED_SWEPT] = epoch;
        memoryBarrierBuffer();
        sched[SCHED_SWEEP] = 1u;
    }
    return sweeps || epoch != swept;
}
