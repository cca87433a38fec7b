// The resident loop: serve the host, then run laps. In both, lane 0 leads and then all lanes do what
// it laid out in shared memory; two barriers a lap keep its writes apart from the other lanes' reads.
#pragma once
#include "vyretop/poll.glsl"

shared uint sh_leave; // END_ reason, or 0
shared uint sh_again;  // non-zero: another lap before the next serving
shared uint sh_preset; // job that serving has laid out for the first lap

// Settings of this slice, the same for all lanes.
uint vt_slice;
uint vt_workers_now;
uint vt_lanes_now;
uint vt_iteration_limit;
uint vt_idle_limit;
uint vt_budget;
uint vt_starvation;
uint vt_laps;
uint vt_pass_cost = 1u;
uint vt_lap_cost = 1u;

uint vt_idle = 0u;     // passes without a task since the last one (lane 0)
uint vt_lane_sum = 0u; // lanes filled since the last flush (lane 0)
uint vt_want = 0u;     // tasks this worker may claim in a lap (lane 0)
uint vt_hungry = VT_NONE; // priority whose turn it is, because others have overtaken it (lane 0)
uint vt_seen_commands = 0u; // what the last serving saw of the bell, and of the call for attention (lane 0)
uint vt_seen_epochs = 0u;
uint vt_attention = 0u;

void vt_start() {
    vt_worker = gl_WorkGroupID.x;
    vt_lane = gl_LocalInvocationIndex;
    vt_zero = SETTING(SETTING_ZERO);
    vt_slice = SETTING(SETTING_SLICE);
    vt_workers_now = SETTING(SETTING_WORKERS);
    vt_lanes_now = clamp(SETTING(SETTING_LANES), 1u, VT_LANES);
    vt_iteration_limit = SETTING(SETTING_ITERATIONS);
    vt_idle_limit = SETTING(SETTING_IDLE);
    vt_budget = SETTING(SETTING_ACTIVATION);
    vt_starvation = SETTING(SETTING_STARVATION);
    vt_log_mask = SETTING(SETTING_LOG);
    vt_pass_cost = SETTING(SETTING_PASS_COST);
    vt_round_cost = SETTING(SETTING_ROUND_COST);
    vt_tick_cost = SETTING(SETTING_TICK_COST);
    vt_laps = SETTING(SETTING_LAPS);
    vt_lap_cost = SETTING(SETTING_LAP_COST);
    uint record = vt_worker * WORKER_WORDS;
    vt_heartbeat = workers[record + WK_HEARTBEAT];
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(COUNT_ALL); i += VT_LANES) {
        sh_count[i] = 0u;
    }
    if (vt_lane == 0u) {
        for (uint i = 0u; vt_step(1u) && i < ROLLED(NUM_SETS); ++i) {
            sh_cursor[i] = workers[record + WK_CURSOR0 + i];
        }
        workers[record + WK_SLICES]++;
        sh_iterations = 0u;
        sh_job = JOB_NONE;
        sh_leave = 0u;
    }
}

// Upper bound of the loop iterations that the lanes of this workgroup have used.
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

// Obeys a pause and answers it when it has taken effect. Returns how many tasks this worker may claim.
uint vt_allowance() {
    uint wc = SCHED_WORKER0 + vt_worker * WORKER_CONTROL_WORDS;
    uint all = sched[SCHED_PAUSE_ALL];
    if (all == 0u && sched[wc + WC_PAUSE] == 0u) {
        return vt_lanes_now;
    }
    uint record = vt_worker * WORKER_WORDS;
    uint steps = sched[wc + WC_STEPS];
    uint request = sched[wc + WC_REQUEST];
    workers[record + WK_STATE] = WORKER_PAUSED;
    workers[record + WK_STEPS_LEFT] = steps;
    if (vt_answer != 0u) {
        return 0u; // one answer a pass
    }
    if (all != 0u && sched[wc + WC_ARRIVED] != all) {
        sched[wc + WC_ARRIVED] = all;
        bool last = atomicAdd(sched[SCHED_PAUSE_COUNT], 1u) + 1u == vt_workers_now;
        if (last && atomicCompSwap(sched[SCHED_PAUSE_OWED], all, 0u) == all) {
            vt_ack(all - 1u, ACK_APPLIED, vt_worker, vt_workers_now);
        }
    } else if (steps != 0u) {
        sh_step = 1u;
        return 1u;
    } else if (request != 0u && atomicCompSwap(sched[wc + WC_REQUEST], request, 0u) == request) {
        vt_ack(request - 1u, ACK_APPLIED, vt_worker, workers[record + WK_STEP_SLOT]);
    }
    return 0u;
}

// After a claim: what the worker table and the idle count say about it.
void vt_note_claim() {
    uint record = vt_worker * WORKER_WORDS;
    if (sh_tasks == 0u) {
        vt_idle++;
        vt_count(COUNT_EMPTY);
        return;
    }
    vt_idle = 0u;
    if (sh_job == JOB_IMPORT && sh_direct == 0u || sh_job > JOB_IMPORT) {
        return;
    }
    vt_count(COUNT_CLAIMS);
    vt_lane_sum += sh_tasks;
    workers[record + WK_LANES] = sh_tasks;
    if (sh_step != 0u) {
        sched[SCHED_WORKER0 + vt_worker * WORKER_CONTROL_WORDS + WC_STEPS]--;
    } else {
        workers[record + WK_STATE] = WORKER_RUNNING;
    }
}

void vt_look_idle() {
    uint record = vt_worker * WORKER_WORDS;
    workers[record + WK_STATE] = WORKER_IDLE;
    workers[record + WK_SLOT] = NO_SLOT;
}

// What is done once in a while: poll the host, obey it, publish, leave. It is kept out of the laps
// because llvmpipe runs all the code of a loop's body each time, whether a lane wants it or not.
void vt_serve(uint passes) {
    sh_step = 0u;
    sh_words = 0u;
    sh_tasks = 0u;
    sh_preset = JOB_NONE;
    workers[vt_worker * WORKER_WORDS + WK_ITERATIONS] = vt_used();
    uvec4 bell = uvec4(0u);
    if (vt_try_lock()) {
        bell = inbox[0];
        if (sched[SCHED_END_SLICE] != bell.w) {
            sched[SCHED_END_SLICE] = bell.w;
            vt_call_attention();
        }
        vt_poll_epochs(bell.z);
        vt_seen_epochs = bell.z;
    }
    vt_attention = sched[SCHED_ATTENTION];
    sh_leave = vt_leave_reason(passes);
    if (vt_polling) {
        if (sh_leave == 0u) { // a worker that leaves could not answer any more
            sh_preset = vt_poll_command(bell.y, vt_workers_now);
            vt_seen_commands = sched[SCHED_CMDS_TAKEN];
        }
        vt_publish_totals();
        vt_unlock();
    }
    vt_want = 0u;
    if (sh_leave == 0u && sh_preset == JOB_NONE) {
        vt_want = vt_allowance();
        vt_hungry = vt_want != 0u ? vt_starved(vt_starvation) : VT_NONE;
    }
    if (vt_want != 0u && vt_idle != 0u && sh_step == 0u) {
        vt_look_idle();
    }
}

// Chooses a lap's job and the plan of its claim: what the host sent comes first.
uint vt_choose(uvec4 bell, out uint plan) {
    plan = PLAN_END;
    uint job = vt_polling ? vt_poll_job(bell, plan) : JOB_NONE;
    if (job == JOB_IMPORT) {
        // Nothing else was there to run in the last lap: what is imported need not queue.
        sh_direct = vt_idle != 0u && vt_want == vt_lanes_now ? 1u : 0u;
    } else if (job == JOB_NONE && vt_want != 0u) {
        job = JOB_RUN;
        plan = PLAN_READY;
        if (vt_hungry != VT_NONE) {
            plan = (plan << 4u) | vt_hungry;
            sched[SCHED_SKIP0 + vt_hungry * LINE_WORDS] = 0u;
            vt_count(COUNT_STARVED);
            vt_hungry = VT_NONE;
        }
    }
    return job;
}

// How many slots the lanes can use in this job.
uint vt_width(uint job, uvec4 bell) {
    if (job == JOB_RUN) {
        return vt_want;
    }
    return job == JOB_IMPORT ? min(bell.x - sh_number, sh_direct != 0u ? vt_want : VT_LANES) : VT_LANES;
}

// Whether there is nothing that only serving can deal with.
bool vt_calm(uvec4 bell) {
    bool heard = vt_polling && (bell.y != vt_seen_commands || bell.z != vt_seen_epochs || int(bell.w - vt_slice) >= 0);
    bool idling = vt_idle == 1u || vt_idle == 2u; // flush and publish, so that the counts are right at rest
    return !heard && !idling && sh_step == 0u && vt_want == vt_lanes_now && sched[SCHED_ATTENTION] == vt_attention;
}

// Lane 0's part of a lap. The first lap after serving may have its job from there.
void vt_lead(uint lap) {
    workers[vt_worker * WORKER_WORDS + WK_HEARTBEAT] = vt_heartbeat;
    sh_direct = 0u;
    uint plan = PLAN_END;
    uvec4 bell = uvec4(0u);
    bool preset = lap == 0u && sh_preset != JOB_NONE;
    if (!preset) {
        sh_words = 0u;
        sh_tasks = 0u;
        if (vt_try_lock()) {
            bell = inbox[0];
        }
    }
    sh_job = preset ? sh_preset : vt_choose(bell, plan);
    vt_claim(plan, vt_width(sh_job, bell));
    if (plan != PLAN_END && sh_job == JOB_UNPARK) {
        vt_sweep_on();
    }
    vt_note_claim();
    uint used = vt_used();
    sh_again = lap + 1u < vt_laps && used < vt_iteration_limit && vt_calm(bell) ? 1u : 0u;
    // The lock is kept for an import: the entries must be copied before the host may reuse them.
    if (vt_polling && sh_job != JOB_IMPORT) {
        vt_unlock();
    }
}

// Moves the counters of the workgroup to the totals and to the worker's record.
void vt_flush() {
    uint record = vt_worker * WORKER_WORDS;
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(COUNT_ALL); i += VT_LANES) {
        uint n = atomicExchange(sh_count[i], 0u);
        if (n != 0u) {
            atomicAdd(sched[SCHED_TOTALS + i], n);
            if (i < NUM_COUNTERS) {
                workers[record + WK_COUNTS + i] += n;
            }
        }
    }
    if (vt_lane == 0u) {
        workers[record + WK_LANE_SUM] += vt_lane_sum;
        vt_lane_sum = 0u;
    }
}

// What the lanes do between the two barriers of a pass.
void vt_follow() {
    bool busy = vt_lane < sh_tasks;
    uint slot = 0u;
    Task t;
    if (busy) {
        slot = vt_claimed_slot(vt_lane);
        if (sh_job == JOB_IMPORT) {
            t = vt_load_new(sh_number + vt_lane);
            vt_count(COUNT_IMPORTED);
        } else {
            t = vt_load(slot);
        }
    }
    if (sh_job == JOB_IMPORT) {
        memoryBarrierBuffer();
        barrier(); // every entry has been read
        if (vt_lane == 0u) {
            uint taken = sh_number + sh_tasks;
            sched[SCHED_TASKS_TAKEN] = taken;
            outbox[OUT_TASKS_TAKEN] = taken;
            vt_unlock();
        }
    }
    if (sh_step != 0u) {
        vt_keep_words(WK_STEP_BEFORE);
        barrier();
    }
    if (busy) {
        vt_do_job(slot, t, vt_budget);
    }
    if (sh_step != 0u) {
        memoryBarrierBuffer();
        barrier();
        vt_keep_words(WK_STEP_AFTER);
    }
    if (vt_answer != 0u) {
        vt_write_answer();
    }
    if (vt_event != EVENT_NONE) {
        if ((vt_log_mask & LOG_EVENTS) != 0u) {
            vt_log(LOG_EVENT_BASE + vt_event, vt_event < EVENT_YIELD ? 1u : 2u, vt_event_a, vt_event_b, 0u, 0u);
        }
        vt_event = EVENT_NONE;
    }
    vt_task_id = 0u;
    vt_task_opcode = 0u;
}

bool vt_any_ready() {
    bool any = false;
    for (uint p = 0u; vt_step(FIND_COST + 1u) && p < ROLLED(NUM_PRIORITIES); ++p) {
        any = any || !vt_set_seems_empty(SET_BASE(SET_READY0 + p));
    }
    return any;
}

// The last worker to leave publishes exact totals and says how the slice ended.
void vt_end_slice(uint reason) {
    uint record = vt_worker * WORKER_WORDS;
    for (uint i = 0u; vt_step(1u) && i < ROLLED(NUM_SETS); ++i) {
        workers[record + WK_CURSOR0 + i] = sh_cursor[i];
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

// Laps: claim and run, until something needs serving.
void vt_run_laps() {
    for (uint lap = 0u; vt_step(vt_lap_cost) && lap < vt_laps; ++lap) {
        if (vt_lane == 0u) {
            vt_lead(lap);
        }
        memoryBarrierShared();
        memoryBarrierBuffer();
        barrier();
        vt_follow();
        vt_heartbeat++;
        bool again = sh_again != 0u;
        memoryBarrierShared();
        barrier();
        if (!again) {
            break;
        }
    }
}

void vt_resident_loop() {
    vt_start();
    memoryBarrierShared();
    barrier();
    for (uint passes = 0u; vt_step(vt_pass_cost) && passes < 0x7FFFFFFFu; ++passes) {
        if (vt_lane == 0u) {
            vt_serve(passes);
        }
        memoryBarrierShared();
        memoryBarrierBuffer();
        barrier();
        if (sh_leave != 0u) {
            break;
        }
        vt_run_laps();
        vt_flush();
    }
    vt_flush();
    memoryBarrierBuffer();
    barrier();
    if (vt_lane == 0u) {
        vt_end_slice(sh_leave);
    }
}
