// Quotas. Activations are given out in rounds: a tenant that has had as many as its quota waits for the
// next round, if others have had some and not all of theirs, or had some in the last round. The round ends
// when no other tenant waits, or when a worker has found nothing to do for a while: no time is lost. And no tenant
// waits forever: one that keeps others waiting uses up its own quota.
//
// A tenant that waits is not allowed to run, as if the host had masked it: its tasks go to the parked set
// as they are claimed. Counts are looked at when they are published, by who publishes.
#pragma once
#include "vyretop/wait.glsl"

shared uint sh_over;   // tenants that have had their quotas in this round
shared uint sh_had;    // and those that have had some activation

// Whether nothing is ready, and no sweep of the parked tasks is under way or due.
bool vt_nothing_ready() {
    return (sched[SCHED_APEX] & 0x1Fu) == 0u && sched[SCHED_SWEEP] == 0u && sched[SCHED_SWEPT] == vt_epoch();
}

// All lanes: finds out who is over its quota.
void vt_meter() {
    if (vt_lane == 0u) {
        sh_over = 0u;
        sh_had = 0u;
    }
    vt_sync();
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(TENANTS); i += VT_LANES) {
        uint had = sched[SCHED_TENANTS + i] - sched[SCHED_ROUND + i];
        atomicOr(sh_over, had >= sched[SCHED_QUOTAS + i] ? 1u << i : 0u);
        atomicOr(sh_had, had != 0u ? 1u << i : 0u);
    }
    vt_sync();
}

// Lane 0: has those wait that are over, or begins a new round.
void vt_share_out() {
    uint permitted = sched[SCHED_PERMITTED];
    uint allowed = sched[SCHED_ALLOWED];
    uint over = sh_over & permitted;
    uint within = (sh_had | sched[SCHED_ACTIVE]) & permitted & ~over;
    bool again = over != 0u && (within == 0u || vt_idle > PATIENCE && vt_nothing_ready());
    for (uint i = 0u; vt_step(1u) && i < ROLLED(TENANTS) && again; ++i) {
        uint began = sched[SCHED_ROUND + i];
        uint quota = sched[SCHED_QUOTAS + i];
        uint all = sched[SCHED_TENANTS + i];
        sched[SCHED_ROUND + i] = all - began > quota ? began + quota : all; // what it had too much counts in the next round
    }
    if (again) {
        sched[SCHED_ACTIVE] = sh_had;
    }
    uint now = again ? permitted : permitted & ~over;
    if (now != allowed) {
        vt_allow(now);
    }
}
