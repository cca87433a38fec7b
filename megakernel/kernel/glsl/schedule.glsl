// The scheduling pass: claim up to one task a lane, run them, put them where they wait next. This is what a busy
// worker does all the time, so it does nothing else: what a scheduling pass meets and cannot settle quickly it
// leaves to serving.
//
// A worker claims from one region of one ready set at a time (its plan): lane c of the first
// VT_CLAIMERS takes from the c-th leaf that the summary names, for the lanes 32*c and up. Shared
// memory collects the slots' bits by the set where they go next, and a few lanes put them there.
#pragma once
#include "vyretop/clock.glsl"
#include "vyretop/inbox.glsl"

void vt_dispatch(inout Task t); // generated: one case per handler that passes run
#ifdef VT_DEFERS
bool vt_defers(uint opcode); // generated: serving runs the handler, see deferred.glsl
#endif

uint vt_quota(uint claimer) {
    uint before = claimer * 32u;
    return sh_width > before ? min(sh_width - before, 32u) : 0u;
}

// Claims up to `quota` slots of a leaf of the plan's region, from slot `from` of the region on. `at` is
// where the search continues, `more` whether the leaf has more.
uint vt_claim_leaf(uint base, uint index, uint from, uint quota, out uint at, out bool more) {
    uint leaf = SET_LEAF_AT(base, sh_region * 32u + index);
    uint all = sched[leaf];
    uint have = index == from >> 5u ? all & (0xFFFFFFFFu << (from & 31u)) : all;
    uint want = vt_low_bits(have, quota);
    uint taken = atomicAnd(sched[leaf], ~want) & want;
    more = (have & ~want) != 0u;
    at = index * 32u + (more ? uint(findLSB(have & ~want)) : 32u);
    if (all == 0u) {
        vt_stale = sh_plan_set * VT_SLOTS + sh_region * 32u + index;
    }
    return taken;
}

// Claims for 32 lanes. All claimers read the same summary word, and take from different leaves.
void vt_claim(uint claimer) {
    uint base = SET_BASE(sh_plan_set);
    uint at = sh_at;
    uint mid = sched[SET_MID_AT(base, sh_region)];
    mid = (mid & sh_own) != 0u ? mid & sh_own : mid; // or steal
    uint ahead = at < 1024u ? mid & (0xFFFFFFFFu << (at >> 5u)) : 0u;
    if (ahead == 0u && sh_around != 0u) {
        ahead = mid;
        at = 0u;
    }
    uint from = at;
    uint leaves = uint(bitCount(ahead));
    uint quota = vt_quota(claimer);
    uint taken = 0u;
    uint index = 0u;
    bool more = false;
#if VT_CLAIMERS > 1 // others may have been there before: continue to further leaves
    for (uint nth = claimer; vt_step(1u) && nth < leaves && taken == 0u && quota != 0u; nth += VT_CLAIMERS) {
        index = vt_select(ahead, nth);
        taken = vt_claim_leaf(base, index, from, quota, at, more);
    }
#else
    if (leaves != 0u && quota != 0u) {
        index = vt_select(ahead, 0u);
        taken = vt_claim_leaf(base, index, from, quota, at, more);
    }
    vt_last_leaf = sh_around != 0u && leaves == 1u && (mid & (mid - 1u)) == 0u ? SET_LEAF_AT(base, sh_region * 32u + index) : VT_NONE;
#endif
    vt_step_bits = taken; // a step is claimed in one pass and run in another
    taken = vt_step_phase == STEP_CLAIM ? 0u : taken;
    sh_leaf[claimer] = sh_region * 32u + index;
    sh_bits[claimer] = taken;
    sh_put[sh_plan_set * VT_ROWS + claimer] = taken;
    if (claimer == 0u) {
        vt_exhausted = vt_step_bits == 0u || !more && leaves <= VT_CLAIMERS && sh_around == 0u;
    }
#if VT_CLAIMERS == 1
    sh_at = at;
#else
    atomicAdd(sh_filled, uint(bitCount(taken)));
    atomicMax(sh_reach, taken != 0u ? at : 0u); // others may still read sh_at
#endif
}

// Notes where a slot goes when that is not where it came from.
void vt_put_elsewhere(uint claimer, uint bit, uint set) {
    if (sh_from != VT_NONE) {
        atomicAnd(sh_put[sh_from * VT_ROWS + claimer], ~bit);
    }
    if (set != VT_NONE) {
        atomicOr(sh_put[set * VT_ROWS + claimer], bit);
    }
}

// Before a handler runs. Returns what vt_charge wants.
uint vt_begin(uint slot, in Task t) {
    ring[slot * 4u].x = STATE_RUNNING;
    if (vt_lane == 0u && vt_tells) {
        workers[vt_worker * WORKER_WORDS + WK_SLOT] = slot;
    }
    vt_count_activation(t);
    vt_overrun = false;
    return vt_own_iterations; // spawning has loops too
}

// Whether a task may have another activation in this pass: it yielded, and counts as it did before.
bool vt_goes_on(in Task t, uint activations, uint iterations) {
    bool yielded = vt_outcome == OUTCOME_YIELD && vt_run_key == vt_run_key_of(t);
    return yielded && activations < vt_burst && iterations < vt_burst_end && vt_step_phase == STEP_NONE;
}

// At the beginning of each activation.
void vt_renew() {
    vt_outcome = OUTCOME_DONE;
    vt_left = vt_budget;
}

// What that many iterations of handlers' loops cost, with the kernel's own since `before`, at most.
uint vt_spent(uint before, uint iterations) { return iterations * vt_tick_cost + vt_own_iterations - before; }

// Changes when a burst is to end: where the bell is near, the host is heard at once.
uint vt_calls() {
#ifdef VT_MIRROR
    return sched[SCHED_ATTENTION];
#else
    return inbox[0].y;
#endif
}

// One activation. Returns whether it is settled.
bool vt_run_once(uint slot, inout Task t) {
    vt_renew();
#ifdef VT_STOPS
    vt_begin_stops(t);
    vt_dispatch(t);
    vt_end_stops(slot, t);
    bool settled = vt_hit == 0u && vt_settle_quickly(t);
#else
    vt_dispatch(t);
    bool settled = vt_settle_quickly(t);
#endif
    vt_store_body(slot, t); // the barrier of the pass comes before anybody else can take the slot
    return settled;
}

// The activations of a task in this pass. Returns whether the last one is settled.
bool vt_run(uint slot, inout Task t) {
    uint before = vt_begin(slot, t);
#if defined(VT_CORE) || defined(VT_BREAKS) // no loop around the handler (package comment); breakpoints are looked at before each activation
    bool settled = vt_run_once(slot, t);
    uint iterations = vt_budget - vt_left;
#else
    uint calls = vt_burst > 1u ? vt_calls() : 0u;
    uint iterations = 0u;
    uint n = 1u;
    bool settled;
    do { // the pass has paid for it: SettingScheduleCost
        settled = vt_run_once(slot, t);
        iterations += vt_budget - vt_left;
        n = settled && vt_goes_on(t, n, iterations) && vt_calls() == calls ? n + 1u : 0u;
        vt_run_length += n != 0u ? 1u : 0u;
    } while (n != 0u);
#endif
#ifdef VT_COUNT_LOOPS
    uint spent = vt_spent(before, iterations);
    if (spent != 0u) {
        atomicAdd(sh_iterations, spent);
    }
#endif
    return settled;
}

// One activation, or a task that may not run.
void vt_activate(uint slot, uint claimer, uint bit) {
    Task t = vt_load(slot);
    bool notify = (t.flags & FLAG_NOTIFY) != 0u;
    bool settled = false;
    vt_owe = JOB_REFUSE;
    vt_task_id = t.task_id;
    vt_task_opcode = t.opcode;
    bool now = vt_admissible(t);
#ifdef VT_STOPS
    if (now && vt_stopped_before(t)) {
        vt_owe = JOB_HALT;
        now = false;
    }
#endif
#ifdef VT_BREAKS
    if (now && vt_breaks(slot, t)) {
        vt_owe = JOB_HALT;
        now = false;
    }
#endif
#ifdef VT_DEFERS
    bool later = now && vt_defers(t.opcode);
    vt_owe = later ? JOB_RUN : vt_owe;
    now = now && !later;
#endif
    if (now) {
        settled = vt_run(slot, t);
#ifdef VT_CHECKS
        if (vt_missed != 0u) {
            sh_owed = 1u;
        }
#endif
        vt_owe = settled ? JOB_NONE : JOB_SETTLE;
        t.state = settled ? t.state : STATE_RUNNING;
        vt_store_head(slot, t);
    }
    uint set = VT_NONE;
    if (settled) {
        set = t.state == STATE_DONE ? PUT_FREE : vt_ready_set_of(t);
        if (t.state == STATE_DONE && notify) {
            vt_notify(t);
        }
    } else {
        sh_owed = 1u;
    }
    if (set != sh_from) {
        vt_put_elsewhere(claimer, bit, set);
    }
    vt_slot = slot;
    vt_ran = 1u;
}

void vt_run_claimed() {
    vt_event = EVENT_NONE;
    uint claimer = vt_lane >> 5u;
    uint bits = sh_bits[claimer];
    uint rank = vt_lane & 31u;
    if (rank < uint(bitCount(bits))) {
        uint place = vt_select(bits, rank);
        vt_activate(sh_leaf[claimer] * 32u + place, claimer, 1u << place);
    }
#ifdef VT_BREAKS
    vt_own_iterations += vt_break_words / 2u; // where another lane has a task, and this one none
#endif
}

void vt_put_row(uint i) {
    uint bits = sh_put[i];
    sh_put[i] = 0u;
    if (bits != 0u) {
        uint set = i / VT_ROWS;
        vt_set_add(set == PUT_FREE ? SET_FREE : set, sh_leaf[i % VT_ROWS], bits);
    }
}

// Adds what the pass has collected to the sets.
void vt_put() {
#ifdef VT_NARROW // fewer lanes than rows
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(PUT_SETS * VT_ROWS); i += VT_LANES) {
        vt_put_row(i);
    }
#else
    if (vt_lane < PUT_SETS * VT_ROWS) {
        vt_put_row(vt_lane);
    }
#endif
}

#ifdef VT_GOES_OVER
// A plan costs a narrow worker more than a scheduling pass. While passes are short, one that has nothing more of its set, or
// hears of more urgent tasks, goes over to the most urgent set that has slots of its leaf; after that many passes
// it looks again whether there is something more urgent elsewhere.
#define PASSES_OVER 8u

// The first lanes, one for each priority: look at the leaf of the pass.
void vt_look_around() {
    if (vt_lane < NUM_PRIORITIES) {
        uint bits = sched[SET_LEAF_AT(SET_BASE(vt_lane), sh_leaf[0])];
        uint later = bits & (0xFFFFFFFFu << (vt_heartbeat * 8u & 31u)); // each has its turn
        sh_there[vt_lane] = bits == 0u ? 0u : uint(findLSB(later != 0u ? later : bits)) + 1u;
    }
}

// Lane 0: goes over, if it may.
bool vt_go_over() {
    uint set = VT_NONE;
    uint slot = 0u;
    for (uint i = 0u; vt_step(1u) && i < ROLLED(NUM_PRIORITIES) && slot == 0u; ++i) {
        set = i;
        slot = sh_there[i];
    }
    bool quick = vt_used() - vt_plan_began < PASSES_OVER * vt_schedule_cost;
    if (slot == 0u || !quick || vt_hungry != VT_NONE || vt_stale != VT_NONE) {
        return false;
    }
    sh_plan_set = set;
    sh_from = set;
    sh_at = (sh_leaf[0] & 31u) * 32u + slot - 1u;
    sh_around = 0u;
    vt_exhausted = false;
    return true;
}
#endif

// Lane 0, after a scheduling pass: what comes next.
void vt_look() {
    uint counts = vt_planned ? PASS_OF_A_PLAN : 1u;
    vt_passes_left = max(vt_passes_left, counts) - counts;
#if VT_CLAIMERS == 1
    if (vt_planned && vt_last_leaf != VT_NONE && sched[vt_last_leaf] == 0u) { // all have gone to other sets
        vt_exhausted = true;
    }
#endif
    bool turn = (vt_heartbeat + vt_worker) % vt_stride == 0u;
    bool urgent = turn && (sched[SCHED_APEX] & ((1u << sh_plan_set) - 1u)) != 0u;
    uint next = vt_planned ? (vt_exhausted || urgent ? GO_PLAN : GO_PASS) : GO_WAIT;
#ifdef VT_GOES_OVER
    if (next == GO_PLAN && vt_go_over()) {
        next = GO_PASS;
    }
#endif
    if (vt_polls) {
        vt_bell = inbox[0];
        vt_heard = true;
        next = vt_bell.x != vt_seen_tasks ? min(next, GO_WAIT) : next;
        next = vt_bell_has_news() ? GO_SERVE : next;
    }
    bool serve = sched[SCHED_ATTENTION] != vt_attention || sched[SCHED_PENDING] != 0u || sh_owed != 0u;
    serve = serve || vt_passes_left == 0u || vt_used() >= vt_iteration_limit || vt_step_phase != STEP_NONE;
#ifdef VT_EVENTS
    next = vt_logs_pass(vt_heartbeat - 1u) ? min(next, GO_WAIT) : next;
#endif
    sh_next = serve ? GO_SERVE : next;
}

// Between two barriers other lanes read what lane 0 and the claimers wrote, and the other way round.
void vt_sync() {
    memoryBarrierShared();
#ifndef VT_LOCKSTEP // there each barrier would cost as much as the work between two of them
    barrier();
#endif
}

void vt_sync_all() {
    memoryBarrierBuffer();
    vt_sync();
}

// Lane 0: how many lanes have a task in this pass.
uint vt_lanes_filled() {
#if VT_CLAIMERS == 1
    return uint(bitCount(sh_bits[0]));
#else
    uint n = sh_filled;
    sh_filled = 0u;
    return n;
#endif
}

// Lane 0: counts a scheduling pass, and says in the worker table that there was one. The table is in host memory,
// which is far away on some devices; there only the first pass after a serving tells.
void vt_tell_pass() {
    uint lanes = vt_lanes_filled();
    vt_claims += lanes != 0u ? 1u : 0u;
    vt_empty += lanes != 0u ? 0u : 1u;
    vt_idle = lanes != 0u ? 0u : vt_idle;
    vt_lanes_last = lanes;
    vt_lane_sum += lanes;
    vt_tells = vt_near || !vt_dirty;
    vt_dirty = true;
    if (vt_tells && lanes != 0u) {
        workers[vt_worker * WORKER_WORDS + WK_HEARTBEAT] = vt_heartbeat;
    }
#if VT_CLAIMERS > 1
    sh_at = sh_reach != 0u ? sh_reach : 1024u; // nothing: there are too many workers in this region
    sh_reach = 0u;
#endif
}

void vt_schedule() {
    if (vt_lane < VT_CLAIMERS && sh_width != 0u) {
        vt_claim(vt_lane);
    }
    if (sh_width != 0u) { // otherwise these tasks are the worker's own already
        memoryBarrierBuffer();
    }
    vt_sync();
    if (vt_lane == 0u) {
        vt_tell_pass();
    }
#ifdef VT_MIRROR
    vt_give_back();
#endif
    uint began = vt_now();
    vt_run_claimed();
    vt_sync_all();
    vt_add_time(TIME_HANDLERS, began);
    vt_put();
#ifdef VT_GOES_OVER
    vt_look_around();
#endif
    vt_heartbeat++;
    vt_sync();
    if (vt_lane == 0u) {
        vt_look();
    }
    vt_sync();
}
