// The resident loop. Lane 0 leads: it polls, decides whether to leave, obeys pauses, and claims;
// then all lanes run what it claimed. Two barriers a pass keep its writes to shared memory apart
// from the other lanes' reads.
#pragma once
#include "vyretop/poll.glsl"

shared uint sh_leave; // END_ reason, or 0
shared uint sh_flush; // non-zero: the lanes flush the counters this pass

// Settings of this slice, the same for all lanes.
uint vt_slice;
uint vt_workers_now;
uint vt_lanes_now;
uint vt_iteration_limit;
uint vt_idle_limit;
uint vt_budget;
uint vt_starvation;
uint vt_publish_mask;

uint vt_idle;     // passes without a task since the last one (lane 0)
uint vt_lane_sum; // lanes filled in this slice (lane 0)

void vt_start() {
    vt_worker = gl_WorkGroupID.x;
    vt_lane = gl_LocalInvocationIndex;
    vt_slice = SETTING(SETTING_SLICE);
    vt_workers_now = SETTING(SETTING_WORKERS);
    vt_lanes_now = clamp(SETTING(SETTING_LANES), 1u, VT_LANES);
    vt_iteration_limit = SETTING(SETTING_ITERATIONS);
    vt_idle_limit = SETTING(SETTING_IDLE);
    vt_budget = SETTING(SETTING_ACTIVATION);
    vt_starvation = SETTING(SETTING_STARVATION);
    vt_log_mask = SETTING(SETTING_LOG);
    vt_publish_mask = SETTING(SETTING_PUBLISH_EVERY) - 1u;
    uint record = vt_worker * WORKER_WORDS;
    vt_heartbeat = workers[record + WK_HEARTBEAT];
    for (uint i = vt_lane; i < COUNT_ALL; i += VT_LANES) {
        sh_count[i] = 0u;
    }
    if (vt_lane == 0u) {
        for (uint i = 0u; i < NUM_SETS; ++i) {
            vt_cursor[i] = workers[record + WK_CURSOR0 + i];
        }
        workers[record + WK_SLICES]++;
        workers[record + WK_STATE] = WORKER_IDLE;
        sh_iterations = 0u;
        sh_import = 0u;
        sh_step = 0u;
        sh_leave = 0u;
        sh_flush = 0u;
    }
}

// Upper bound of the loop iterations that lane 0's vector has used.
uint vt_used() { return vt_own_iterations + sh_iterations; }

uint vt_leave_reason(uint passes) {
    if (int(sched[SCHED_END_SLICE] - vt_slice) >= 0 || control[CTRL_SHUTDOWN] != 0u) {
        return END_ASKED;
    }
#ifdef VT_COUNT_LOOPS
    passes = vt_used();
#endif
    if (passes >= vt_iteration_limit) {
        return END_ITERATIONS;
    }
    return vt_idle > vt_idle_limit ? END_IDLE : 0u;
}

// Answers a pause when it has taken effect. Returns how many tasks this worker may claim.
uint vt_allowance() {
    uint wc = SCHED_WORKER0 + vt_worker * WORKER_CONTROL_WORDS;
    uint all = sched[SCHED_PAUSE_ALL];
    if (all == 0u && sched[wc + WC_PAUSE] == 0u) {
        return vt_lanes_now;
    }
    uint record = vt_worker * WORKER_WORDS;
    workers[record + WK_STATE] = WORKER_PAUSED;
    uint steps = sched[wc + WC_STEPS];
    workers[record + WK_STEPS_LEFT] = steps;
    if (all != 0u && sched[wc + WC_ARRIVED] != all) {
        sched[wc + WC_ARRIVED] = all;
        if (atomicAdd(sched[SCHED_PAUSE_COUNT], 1u) + 1u == vt_workers_now) {
            vt_ack(all - 1u, ACK_APPLIED, vt_worker, vt_workers_now);
        }
    }
    if (steps != 0u) {
        sh_step = 1u;
        return 1u;
    }
    uint request = sched[wc + WC_REQUEST];
    if (request != 0u) {
        sched[wc + WC_REQUEST] = 0u;
        vt_ack(request - 1u, ACK_APPLIED, vt_worker, workers[record + WK_STEP_SLOT]);
    }
    return 0u;
}

void vt_claimed(uint record) {
    if (sh_tasks == 0u) {
        vt_idle++;
        vt_count(COUNT_EMPTY);
        return;
    }
    vt_idle = 0u;
    vt_lane_sum += sh_tasks;
    if (sh_step != 0u) {
        sched[SCHED_WORKER0 + vt_worker * WORKER_CONTROL_WORDS + WC_STEPS]--;
    } else {
        workers[record + WK_STATE] = WORKER_RUNNING;
    }
    workers[record + WK_LANES] = sh_tasks;
}

// Lane 0's part of a pass.
void vt_lead(uint passes) {
    uint record = vt_worker * WORKER_WORDS;
    bool publish = (vt_heartbeat & vt_publish_mask) == 0u || vt_idle == 2u;
    sh_step = 0u;
    sh_words = 0u;
    sh_tasks = 0u;
    sh_flush = publish || vt_idle == 1u ? 1u : 0u;
    workers[record + WK_HEARTBEAT] = vt_heartbeat;
    vt_poll(vt_workers_now, VT_LANES, publish);
    if (sh_import != 0u) {
        vt_idle = 0u;
        sh_tasks = 0u;
        return;
    }
    sh_leave = vt_leave_reason(passes);
    if (sh_leave != 0u) {
        return;
    }
    uint want = vt_allowance();
    sh_words = 0u;
    sh_tasks = 0u;
    if (want != 0u) {
        if (vt_idle == 1u) {
            workers[record + WK_STATE] = sh_step != 0u ? WORKER_PAUSED : WORKER_IDLE;
            workers[record + WK_SLOT] = NO_SLOT;
        }
        vt_claim(want, vt_starvation);
    }
    vt_claimed(record);
}

// Moves the counters of the workgroup to the totals and to the worker's record.
void vt_flush() {
    for (uint i = vt_lane; i < COUNT_ALL; i += VT_LANES) {
        uint n = atomicExchange(sh_count[i], 0u);
        if (n != 0u) {
            atomicAdd(sched[SCHED_TOTALS + i], n);
            if (i < NUM_COUNTERS) {
                workers[vt_worker * WORKER_WORDS + WK_COUNTS + i] += n;
            }
        }
    }
    if (vt_lane == 0u) {
        vt_own_iterations += COUNT_ALL / VT_LANES + 1u;
        workers[vt_worker * WORKER_WORDS + WK_LANE_SUM] += vt_lane_sum;
        workers[vt_worker * WORKER_WORDS + WK_ITERATIONS] = vt_used();
        vt_lane_sum = 0u;
    }
}

// What the lanes do between the two barriers of a pass.
void vt_follow() {
    if (vt_lane < sh_import) {
        vt_import(sh_import_first + vt_lane, vt_claimed_slot(vt_lane));
    } else if (vt_lane < sh_tasks) {
        vt_activate(vt_claimed_slot(vt_lane), vt_budget);
    }
}

void vt_end_import() {
    vt_tasks_taken(sh_import_first + sh_import);
    sh_import = 0u;
    vt_unlock();
}

bool vt_any_ready() {
    for (uint p = 0u; p < NUM_PRIORITIES; ++p) {
        if (!vt_set_seems_empty(SET_BASE(SET_READY0 + p))) {
            return true;
        }
    }
    return false;
}

// The last worker to leave publishes exact totals and says how the slice ended.
void vt_end_slice(uint reason) {
    uint record = vt_worker * WORKER_WORDS;
    for (uint i = 0u; i < NUM_SETS; ++i) {
        workers[record + WK_CURSOR0 + i] = vt_cursor[i];
    }
    workers[record + WK_HEARTBEAT] = vt_heartbeat;
    workers[record + WK_SLOT] = NO_SLOT;
    if (workers[record + WK_STATE] != WORKER_PAUSED) {
        workers[record + WK_STATE] = WORKER_ABSENT;
    }
    memoryBarrierBuffer();
    if (atomicAdd(sched[SCHED_EXITED], 1u) + 1u != vt_workers_now) {
        return;
    }
    memoryBarrierBuffer();
    sched[SCHED_EXITED] = 0u;
    vt_publish_totals();
    outbox[OUT_END_REASON] = reason;
    outbox[OUT_RUNNABLE] = vt_any_ready() || sched[SCHED_SWEEP] != 0u ? 1u : 0u;
    memoryBarrierBuffer();
    outbox[OUT_ENDED_SLICE] = vt_slice;
}

void vt_resident_loop() {
    vt_start();
    memoryBarrierShared();
    barrier();
    for (uint passes = 0u; passes < 0x7FFFFFFFu; ++passes) {
        if (vt_lane == 0u) {
            vt_own_iterations += 1u + VT_CLAIM_WORDS; // this loop and the lanes' search for their slots
            vt_lead(passes);
        }
        memoryBarrierShared();
        memoryBarrierBuffer();
        barrier();
        if (sh_leave != 0u) {
            break;
        }
        vt_follow();
        if (sh_flush != 0u) {
            vt_flush();
        }
        vt_heartbeat++;
        memoryBarrierShared();
        barrier();
        if (vt_lane == 0u && vt_polling) {
            vt_end_import();
        }
    }
    barrier();
    vt_flush();
    memoryBarrierBuffer();
    barrier();
    if (vt_lane == 0u) {
        vt_end_slice(sh_leave);
    }
}
