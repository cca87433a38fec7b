// The lap: claim up to one task a lane, run them, put them where they wait next. This is what a busy
// worker does all the time, so it does nothing else: what a lap meets and cannot settle quickly it
// leaves to serving.
//
// A worker claims from one region of one ready set at a time (its plan): lane c of the first
// VT_CLAIMERS takes from the c-th leaf that the summary names, for the lanes 32*c and up. Shared
// memory collects the slots' bits by the set where they go next, and a few lanes put them there.
#pragma once
#include "vyretop/clock.glsl"
#include "vyretop/poll.glsl"

#define PUT_SETS (NUM_PRIORITIES + 1u)  // the ready sets, and the free one
#define PUT_FREE NUM_PRIORITIES

// Rows: each claimer of a lap has one, and each of an import.
#if VT_CLAIMERS > 1
#define VT_ROWS 32u
#else
#define VT_ROWS 1u
#endif
#if VT_CLAIMERS > 1
#define PLANNED(name) shared uint name
#else
#define PLANNED(name) uint name = 0u // only lane 0 claims and plans; others need not see it
#endif
shared uint sh_leaf[VT_ROWS];           // leaf of the row
shared uint sh_bits[VT_ROWS];           // slots taken from it
shared uint sh_put[PUT_SETS * VT_ROWS]; // slots of it to be added to a set
#if VT_CLAIMERS > 1
shared uint sh_filled;                  // slots of all rows that the next lap runs
#endif
shared uint sh_from;                    // set that they were taken from; VT_NONE: they are in none
PLANNED(sh_plan_set);                // the plan: the set,
PLANNED(sh_region);                  // the region,
PLANNED(sh_own);                     // the leaves of a region that this worker takes from first,
PLANNED(sh_at);                      // slot of the region where the search goes on,
shared uint sh_reach;                   // (set during a claim)
PLANNED(sh_around);                  // non-zero: the region is the only one; go round in it
PLANNED(sh_width);                   // tasks a lap may claim; 0: what a lap starts with was claimed before
#if VT_CLAIMERS == 1 && !defined(VT_NARROW)
#define VT_GOES_OVER
shared uint sh_there[NUM_PRIORITIES];   // of each ready set, a slot of the leaf that the lap had plus one, or 0
#endif
shared uint sh_next;                    // what comes after the lap, a GO_ value
shared uint sh_owed;                    // non-zero: a lane has something for serving to settle

// What comes next; each includes leaving the loops of those above it.
#define GO_SERVE 0u
#define GO_PLAN 1u
#define GO_WAIT 2u
#define GO_LAP 3u

// Settings of this slice, the same for all lanes.
uint vt_slice;
uint vt_workers_now;
uint vt_iteration_limit;
uint vt_budget;
uint vt_pass_cost = 1u;
uint vt_lap_cost = 1u;
uint vt_tick_cost = 1u;

// A task that yields keeps its lane for some activations more, as long as they are short: what a lap costs
// beside its activations is then paid once for all of them. What the host wants of a task waits for them, so
// together they may have so many iterations of loops that the last one begins.
uint vt_burst = 1u;     // activations that a task may have in a lap
uint vt_burst_end = 0u; // iterations that end them

// A serving is due after so many laps. Laps that run what they have imported follow no plan and keep no other
// task waiting; if they counted as much, one task in as many as a serving allows laps would wait for it.
#define LAP_OF_A_PLAN 16u

// Stepping: a lap claims one task, serving keeps its words, another lap runs it, serving keeps them again.
#define STEP_NONE 0u
#define STEP_CLAIM 1u
#define STEP_RUN 2u

// Of lane 0.
uint vt_step_phase = STEP_NONE;
uint vt_step_request = 0u;  // whose step it is: WC_REQUEST
uint vt_step_bits = 0u;     // what the lap has claimed, in leaf sh_leaf[0]
bool vt_planned = false;    // there is a plan
bool vt_exhausted = false;  // and it has nothing more
uint vt_hungry = VT_NONE;   // priority whose turn it is, because others have overtaken it
uint vt_stale = VT_NONE;    // set * VT_SLOTS + leaf that was found empty although the summary named it
uint vt_last_leaf = VT_NONE; // word of the only leaf that the plan seems to have, where the region is the only one
uint vt_laps_left = 0u;     // before serving
uint vt_plan_began = 0u;    // vt_used() when the plan was made
bool vt_polls = false;      // this worker looks at the bell between laps
bool vt_dirty = false;      // laps were run since the last serving
uint vt_stride = 1u;        // laps between looks for a higher priority: if all looked at once, all would fall upon the same few tasks
bool vt_near = false;       // host memory is as near as the device's own
bool vt_tells = false;      // this lap is told in the worker table
uvec4 vt_bell = uvec4(0u);  // what this worker saw of the bell last
bool vt_heard = false;      // since the last serving
uint vt_attention = 0u;     // what the last serving saw of the call for attention, and of the bell
uint vt_seen_commands = 0u;
uint vt_seen_epochs = 0u;
uint vt_seen_tasks = 0u;    // tasks of the bell that need no look any more
uint vt_idle = 0u;          // looks that found nothing, since the last lap
uint vt_claims = 0u;
uint vt_empty = 0u;
uint vt_lanes_last = 0u;
uint vt_lane_sum = 0u;

// Giving back: when all lanes have read their entries, the last one gives these to the host, and the lock to
// everybody. It waits until what others must see before is seen, and lane 0 goes on meanwhile.
#define IMPORT_DIRECT 0x80000000u // the worker runs at once what it imports, as nothing else waits
uint vt_gives_back = 0u;    // 0, or with the lock 1 + what has been imported
shared uint sh_entry;       // number of the first entry of an import

// With the lock, or by the last worker: tells the host how many entries have been read.
void vt_tell_taken(uint taken) {
    sched[SCHED_TASKS_TOLD] = taken;
    outbox[OUT_TASKS_TAKEN] = taken;
}

void vt_give_back() {
    uint n = (vt_gives_back - 1u) & ~IMPORT_DIRECT;
    if (vt_lane == VT_LANES - 1u && vt_gives_back != 0u) {
        bool tells = n != 0u;
#ifdef VT_MIRROR
        // Where the host's memory is far, giving the lock back would wait until the host has this. As long as there
        // is much room, the host need not know.
        tells = tells && (n == vt_gives_back - 1u || sh_entry + n - sched[SCHED_TASKS_TOLD] > VT_INBOX_TASKS / 4u);
#endif
        if (n != 0u) {
            sched[SCHED_TASKS_TAKEN] = sh_entry + n;
        }
        if (tells) {
            vt_tell_taken(sh_entry + n);
        }
        vt_unlock();
    }
    vt_gives_back = 0u;
}

void vt_dispatch(inout Task t); // generated: one case per handler that laps run
#ifdef VT_DEFERS
bool vt_defers(uint opcode); // generated: serving runs the handler, see deferred.glsl
#endif

uint vt_quota(uint claimer) {
    uint before = claimer * 32u;
    return sh_width > before ? min(sh_width - before, 32u) : 0u;
}

// Claims up to `quota` slots of a leaf of the plan's region, from slot `from` of the region on. `at` is
// where the search goes on, `more` whether the leaf has more.
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
#if VT_CLAIMERS > 1 // others may have been there before: go on to further leaves
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
    vt_step_bits = taken; // a step is claimed in one lap and run in another
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

// Whether a task may have another activation in this lap: it yielded, and counts as it did before.
bool vt_goes_on(in Task t, uint activations, uint iterations) {
#ifdef VT_BREAKS
    return false; // they are looked at before each activation
#else
    bool yielded = vt_outcome == OUTCOME_YIELD && vt_run_key == vt_run_key_of(t);
    return yielded && activations < vt_burst && iterations < vt_burst_end && vt_step_phase == STEP_NONE;
#endif
}

// At the beginning of each activation.
void vt_renew() {
    vt_outcome = OUTCOME_DONE;
    vt_left = vt_budget;
}

// What so many iterations of handlers' loops cost, with the kernel's own since `before`, at most.
uint vt_spent(uint before, uint iterations) { return iterations * vt_tick_cost + vt_own_iterations - before; }

// Changes when a burst is to end: where the bell is near, the host is heard at once.
uint vt_calls() {
#ifdef VT_MIRROR
    return sched[SCHED_ATTENTION];
#else
    return inbox[0].y;
#endif
}

// The activations of a task in this lap. Returns whether the last one is settled.
bool vt_run(uint slot, inout Task t) {
    uint calls = vt_burst > 1u ? vt_calls() : 0u;
    uint before = vt_begin(slot, t);
    uint iterations = 0u;
    uint n = 1u;
    bool settled;
    do { // the lap has paid for it: SettingLapCost
        vt_renew();
        vt_dispatch(t);
        iterations += vt_budget - vt_left;
        settled = vt_settle_quickly(t);
        vt_store_body(slot, t); // the barrier of the lap comes before anybody else can take the slot
        n = settled && vt_goes_on(t, n, iterations) && vt_calls() == calls ? n + 1u : 0u;
        vt_run_length += n != 0u ? 1u : 0u;
        vt_write_event();
    } while (n != 0u);
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
    vt_task_id = 0u;
    vt_task_opcode = 0u;
}

void vt_put_row(uint i) {
    uint bits = sh_put[i];
    sh_put[i] = 0u;
    if (bits != 0u) {
        uint set = i / VT_ROWS;
        vt_set_add(set == PUT_FREE ? SET_FREE : set, sh_leaf[i % VT_ROWS], bits);
    }
}

// Adds what the lap has collected to the sets.
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
// A plan costs a narrow worker more than a lap. While laps are short, one that has nothing more of its set, or
// hears of more urgent tasks, goes over to the most urgent set that has slots of its leaf; after so many laps
// it looks again whether there is something more urgent elsewhere.
#define LAPS_OVER 8u

// The first lanes, one for each priority: look at the leaf of the lap.
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
    bool quick = vt_used() - vt_plan_began < LAPS_OVER * vt_lap_cost;
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

// Whether the bell that was seen last has something new.
bool vt_bell_has_news() {
    return vt_bell.y != vt_seen_commands || vt_bell.z != vt_seen_epochs || int(vt_bell.w - vt_slice) >= 0;
}

// Lane 0, after a lap: what comes next.
void vt_look() {
    uint counts = vt_planned ? LAP_OF_A_PLAN : 1u;
    vt_laps_left = max(vt_laps_left, counts) - counts;
#if VT_CLAIMERS == 1
    if (vt_planned && vt_last_leaf != VT_NONE && sched[vt_last_leaf] == 0u) { // all have gone to other sets
        vt_exhausted = true;
    }
#endif
    bool turn = (vt_heartbeat + vt_worker) % vt_stride == 0u;
    bool urgent = turn && (sched[SCHED_APEX] & ((1u << sh_plan_set) - 1u)) != 0u;
    uint next = vt_planned ? (vt_exhausted || urgent ? GO_PLAN : GO_LAP) : GO_WAIT;
#ifdef VT_GOES_OVER
    if (next == GO_PLAN && vt_go_over()) {
        next = GO_LAP;
    }
#endif
    if (vt_polls) {
        vt_bell = inbox[0];
        vt_heard = true;
        next = vt_bell.x != vt_seen_tasks ? min(next, GO_WAIT) : next;
        next = vt_bell_has_news() ? GO_SERVE : next;
    }
    bool serve = sched[SCHED_ATTENTION] != vt_attention || sched[SCHED_PENDING] != 0u || sh_owed != 0u;
    serve = serve || vt_laps_left == 0u || vt_used() >= vt_iteration_limit || vt_step_phase != STEP_NONE;
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

// Lane 0: how many lanes have a task in this lap.
uint vt_lanes_filled() {
#if VT_CLAIMERS == 1
    return uint(bitCount(sh_bits[0]));
#else
    uint n = sh_filled;
    sh_filled = 0u;
    return n;
#endif
}

// Lane 0: counts a lap, and says in the worker table that there was one. The table is in host memory,
// which is far away on some devices; there only the first lap after a serving tells.
void vt_tell_lap() {
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

void vt_lap() {
    if (vt_lane < VT_CLAIMERS && sh_width != 0u) {
        vt_claim(vt_lane);
    }
    if (sh_width != 0u) { // otherwise these tasks are the worker's own already
        memoryBarrierBuffer();
    }
    vt_sync();
    if (vt_lane == 0u) {
        vt_tell_lap();
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
