// Counters: from the lanes to the worker's, from there to the totals, and from time to time to the host.
#pragma once
#include "vyretop/quota.glsl"

shared uint sh_flush;   // non-zero: move the counters to the totals
shared uint sh_publish; // non-zero: and publish those
shared uint sh_told[NUM_COUNTERS]; // what the worker table says of this worker's counters,
shared uint sh_lane_sum;           // and of its lanes
uint vt_starvation;

// Activations of lower priorities that wait have been overtaken by those of higher ones since the
// last flush. Finds the lowest priority that too many have overtaken.
void vt_age() {
    uint before = 0u;
    uint apex = sched[SCHED_APEX];
    for (uint p = 0u; vt_step(1u) && p < ROLLED(NUM_PRIORITIES); ++p) {
        uint n = sh_count[COUNT_SERVED + p];
        uint skip = SCHED_SKIP0 + p * LINE_WORDS;
        if (n != 0u) {
            sched[skip] = 0u;
        } else if (before != 0u && ((apex >> p) & 1u) != 0u) {
            vt_hungry = atomicAdd(sched[skip], before) + before >= vt_starvation ? p : vt_hungry;
        }
        before += n;
    }
}

// Moves the counters of the lanes to those of the workgroup.
void vt_flush_lane() {
    vt_flush_run();
    atomicAdd(sh_count[COUNT_DONE], vt_done);
    atomicAdd(sh_count[COUNT_YIELDS], vt_yields);
    atomicAdd(sh_count[COUNT_REQUEUES], vt_requeues);
    vt_done = 0u;
    vt_yields = 0u;
    vt_requeues = 0u;
    if (vt_lane == 0u) {
        atomicAdd(sh_count[COUNT_IMPORTED], vt_imported);
        atomicAdd(sh_count[COUNT_CLAIMS], vt_claims);
        atomicAdd(sh_count[COUNT_EMPTY], vt_empty);
        sh_lane_sum += vt_lane_sum;
        workers[vt_worker * WORKER_WORDS + WK_LANE_SUM] = sh_lane_sum;
        vt_flush_times();
        workers[vt_worker * WORKER_WORDS + WK_LANES] = vt_lanes_last;
        vt_imported = 0u;
        vt_claims = 0u;
        vt_empty = 0u;
        vt_lane_sum = 0u;
    }
}

// And those to the totals and to the worker's record.
void vt_flush_workgroup() {
    uint record = vt_worker * WORKER_WORDS;
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(COUNT_ALL) && sh_flush != 0u; i += VT_LANES) {
        uint n = atomicExchange(sh_count[i], 0u);
        if (n != 0u) {
            atomicAdd(sched[SCHED_TOTALS + i], n);
            if (i < NUM_COUNTERS) {
                sh_told[i] += n;
                workers[record + WK_COUNTS + i] = sh_told[i];
            }
        }
    }
}

// Copies the totals to where the host reads them, if no other worker is doing that.
void vt_publish_totals() {
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(LINE_WORDS) && sh_publish != 0u; i += VT_LANES) {
        if (i < NUM_COUNTERS) {
            outbox[OUT_COUNTERS + i] = sched[SCHED_TOTALS + i];
        }
        if (i < NUM_PRIORITIES) {
            control[CTRL_PRIORITY_FAIR0 + i] = sched[SCHED_SERVED + i];
        }
        if (i < NUM_EVENTS) {
            log_quads[(LOG_KINDS + i) >> 2u][(LOG_KINDS + i) & 3u] = sched[SCHED_LOG_KINDS + i];
        }
        control[CTRL_METRICS0 + i] = sched[SCHED_METRICS + i];
        control[CTRL_TENANT_FAIR0 + i] = sched[SCHED_TENANTS + i];
    }
    memoryBarrierBuffer();
    if (vt_lane == 0u && sh_publish != 0u) {
        control[CTRL_STARVATION] = sched[SCHED_TOTALS + COUNT_STARVED];
        control[CTRL_EPOCH] = vt_epoch();
        outbox[OUT_COMMANDS_TAKEN] = sched[SCHED_CMDS_TAKEN];
        outbox[OUT_COMPLETIONS] = sched[SCHED_COMPLETIONS];
        log_quads[LOG_CURSOR / 4u][LOG_CURSOR % 4u] = sched[SCHED_LOG_CURSOR];
        log_quads[LOG_OWN_CURSOR / 4u][LOG_OWN_CURSOR % 4u] = sched[SCHED_LOG_CURSOR + 1u];
        memoryBarrierBuffer();
        control[CTRL_DONE_COUNT] = sched[SCHED_TOTALS + COUNT_DONE];
    }
}
