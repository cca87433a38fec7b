// The resident loop, in four levels: serve the host, plan, wait or import, run passes. A scheduling pass that has
// nothing better to do goes to the next pass; what else there is to do says how far out it goes.
#pragma once
#include "vyretop/core.glsl"

uint vt_plan_cost = 1u;
uint vt_wait_cost = 1u;

shared uint sh_heartbeat;
shared uint sh_setting[NUM_SETTINGS];

#define SETTING(i) sh_setting[i]

// The settings are in host memory: each worker reads them once.
void vt_read_settings() {
    for (uint i = vt_lane; vt_step(1u) && i < NUM_SETTINGS; i += VT_LANES) {
        sh_setting[i] = INBOX_WORD(uint(INBOX_SETTINGS + i));
    }
    vt_sync();
    vt_zero = SETTING(SETTING_ZERO);
    vt_slice = SETTING(SETTING_SLICE);
    vt_workers_now = SETTING(SETTING_WORKERS);
    vt_lanes_now = clamp(SETTING(SETTING_LANES), 1u, VT_LANES);
    vt_iteration_limit = SETTING(SETTING_ITERATIONS);
    vt_idle_limit = SETTING(SETTING_IDLE);
    vt_budget = SETTING(SETTING_ACTIVATION);
    vt_starvation = SETTING(SETTING_STARVATION);
    vt_urgency = SETTING(SETTING_URGENCY);
    vt_aging = SETTING(SETTING_AGING);
    vt_log_mask = SETTING(SETTING_LOG);
    vt_log_every = SETTING(SETTING_LOG_EVERY);
    vt_log_opcodes = SETTING(SETTING_LOG_OPCODES);
    vt_log_opcode = uvec4(SETTING(SETTING_LOG_OPCODE0), SETTING(SETTING_LOG_OPCODE0 + 1u), SETTING(SETTING_LOG_OPCODE0 + 2u), SETTING(SETTING_LOG_OPCODE0 + 3u));
    vt_passes = SETTING(SETTING_PASSES) * PASS_OF_A_PLAN;
    vt_pass_cost = SETTING(SETTING_PASS_COST);
    vt_plan_cost = SETTING(SETTING_PLAN_COST);
    vt_wait_cost = SETTING(SETTING_WAIT_COST);
    vt_schedule_cost = SETTING(SETTING_SCHEDULE_COST);
    vt_tick_cost = SETTING(SETTING_TICK_COST);
    vt_stride = max(vt_workers_now / 64u, 1u);
    vt_near = SETTING(SETTING_POLLERS) <= 1u;
    vt_polls = vt_worker % max(SETTING(SETTING_POLLERS), 1u) == 0u;
    vt_burst = SETTING(SETTING_BURST);
    vt_burst_end = SETTING(SETTING_BURST_END);
}

void vt_start() {
    vt_worker = gl_WorkGroupID.x;
    vt_lane = gl_LocalInvocationIndex;
    vt_read_settings();
#ifdef VT_CHECKS
    vt_start_checks(vt_slice);
#endif
    uint record = vt_worker * WORKER_WORDS;
    if (vt_lane == 0u) {
        sh_heartbeat = workers[record + WK_HEARTBEAT];
        sh_lane_sum = workers[record + WK_LANE_SUM];
    }
    for (uint i = vt_lane; vt_step(1u) && i < NUM_COUNTERS; i += VT_LANES) {
        sh_told[i] = workers[record + WK_COUNTS + i];
    }
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(COUNT_ALL); i += VT_LANES) {
        sh_count[i] = 0u;
    }
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(PUT_SETS * VT_ROWS); i += VT_LANES) {
        sh_put[i] = 0u;
    }
#ifdef VT_HOLDS
    vt_read_breaks(SETTING(SETTING_BREAKS));
#endif
    vt_first = sched[SCHED_TASKS_TAKEN];
    vt_seen_tasks = vt_first;
    vt_passes_left = vt_passes;
    if (vt_lane == 0u) {
        for (uint i = 0u; vt_step(1u) && i < ROLLED(NUM_PRIORITIES); ++i) {
            sh_cursor[i] = workers[record + WK_CURSOR0 + i];
            bool waits = ((sched[SCHED_APEX] >> i) & 1u) != 0u;
            // Who is next when the slice before was too short to serve it.
            vt_hungry = waits && sched[SCHED_SKIP0 + i * LINE_WORDS] >= vt_starvation ? i : vt_hungry;
        }
        vt_free_leaf = workers[record + WK_CURSOR0 + NUM_PRIORITIES];
        workers[record + WK_SLICES]++;
        workers[record + WK_UNIT] = vt_unit();
        if (vt_pause() == 0u) { // a worker that was away for very long must not take a pause for one that it has obeyed
            sched[SCHED_WORKER0 + vt_worker * WORKER_CONTROL_WORDS + WC_ARRIVED] = 0u;
        }
        vt_start_times();
        vt_divide_leaves();
        atomicAdd(sched[SCHED_STARTED], 1u);
        memoryBarrierBuffer();
        sh_iterations = 0u;
        sh_owed = 0u;
        sh_reach = 0u;
#if VT_CLAIMERS > 1
        sh_filled = 0u;
#endif
    }
    vt_sync();
    vt_heartbeat = sh_heartbeat;
}

// The last worker to leave says how the slice ended. It has published the totals: the one that flushes
// last finds no worker publishing, or one that will read what it has flushed.
void vt_end_slice() {
    uint record = vt_worker * WORKER_WORDS;
    for (uint i = 0u; vt_step(1u) && i < ROLLED(NUM_PRIORITIES); ++i) {
        workers[record + WK_CURSOR0 + i] = sh_cursor[i];
    }
    workers[record + WK_CURSOR0 + NUM_PRIORITIES] = vt_free_leaf < VT_IMPORT_LEAVES ? vt_free_leaf : 0u;
    workers[record + WK_HEARTBEAT] = vt_heartbeat;
    memoryBarrierBuffer();
    sh_publish = atomicAdd(sched[SCHED_EXITED], 1u) + 1u == vt_workers_now ? 1u : 0u;
    memoryBarrierBuffer();
}

void vt_close_slice(uint reason) {
    sched[SCHED_EXITED] = 0u;
    sched[SCHED_STARTED] = 0u;
    vt_tell_taken(sched[SCHED_TASKS_TAKEN]);
#ifdef VT_CORE
    reason = vt_needs_service(inbox[0]) ? END_SERVICE : reason;
#endif
    outbox[OUT_END_REASON] = reason;
    outbox[OUT_RUNNABLE] = !vt_nothing_ready() || sched[SCHED_ALLOWED] != sched[SCHED_PERMITTED] ? 1u : 0u;
    memoryBarrierBuffer();
    outbox[OUT_ENDED_SLICE] = vt_slice;
}

void vt_serve_pass() {
#ifdef VT_CORE
    vt_serve_all_core();
#else
    vt_serve_all();
#endif
}

// What follows the passes of a plan, or a wait.
void vt_end_wait(uint next) {
    vt_write_event(vt_heartbeat - 1u);
#ifdef VT_CHECKS
    if (next == GO_SERVE) {
        vt_tell_miss();
    }
#endif
}

#ifdef VT_ONE_LOOP
// All of a slice in one loop (package comment). What a look at it costs is counted as if it were a pass.
void vt_run_passes() {
    uint go = GO_SERVE;
    for (uint passes = 0u; vt_step(vt_schedule_cost) && passes < 0x7FFFFFFFu; ++passes) {
        if (go == GO_SERVE) {
            vt_serve_pass();
            if (sh_leave != 0u) {
                break;
            }
        }
        if (go <= GO_PLAN && vt_lane == 0u) {
            vt_plan();
        }
        if (go <= GO_WAIT) {
            vt_between_passes();
        }
        go = sh_next;
        if (go == GO_PASS) {
            vt_schedule();
        } else {
            vt_end_wait(go);
        }
    }
}

void vt_run_slice() {
    vt_run_passes();
}
#else
void vt_run_passes() {
    for (uint i = 0u; vt_step(vt_schedule_cost) && sh_next == GO_PASS; ++i) {
        vt_schedule();
    }
}

void vt_run_waits() {
    for (uint i = 0u; vt_step(vt_wait_cost) && i < 0x7FFFFFFFu; ++i) {
        vt_between_passes();
        vt_run_passes();
        vt_end_wait(sh_next);
        if (sh_next != GO_WAIT) {
            break;
        }
    }
}

void vt_run_plans() {
    for (uint i = 0u; vt_step(vt_plan_cost) && i < 0x7FFFFFFFu; ++i) {
        if (vt_lane == 0u) {
            vt_plan();
        }
        vt_run_waits();
        if (sh_next != GO_PLAN) {
            break;
        }
    }
}

void vt_run_slice() {
    for (uint passes = 0u; vt_step(vt_pass_cost) && passes < 0x7FFFFFFFu; ++passes) {
        vt_serve_pass();
        if (sh_leave != 0u) {
            break;
        }
        vt_run_plans();
    }
}
#endif

void vt_resident_loop() {
    vt_start();
    vt_run_slice();
    if (vt_lane == 0u) {
        vt_end_slice();
    }
    vt_sync_all();
    vt_publish_totals();
    vt_sync_all();
    if (vt_lane == 0u && sh_publish != 0u) {
        vt_close_slice(sh_leave);
    }
}
