// How an activation ends: the outcome becomes words, and the words say where the slot waits next.
#pragma once
#include "vyretop/task.glsl"

// Counters of this workgroup since the last flush; the same order as the totals in sched.
#define COUNT_METRICS LINE_WORDS
#define COUNT_TENANTS (2u * LINE_WORDS)
#define COUNT_SERVED (3u * LINE_WORDS)
#define COUNT_ALL (3u * LINE_WORDS + NUM_PRIORITIES)
shared uint sh_count[COUNT_ALL];

void vt_count(uint counter) { atomicAdd(sh_count[counter], 1u); }

// What happens in every pass is counted by the lane itself: a shared counter costs an atomic for each
// lane. Runs of activations with the same opcode, tenant and priority are counted as one number.
uint vt_done = 0u;
uint vt_yields = 0u;
uint vt_requeues = 0u;
uint vt_run_key = 0u;
uint vt_run_length = 0u;

void vt_flush_run() {
    if (vt_run_length != 0u) {
        atomicAdd(sh_count[COUNT_ACTIVATIONS], vt_run_length);
        atomicAdd(sh_count[COUNT_TENANTS + (vt_run_key >> 16u)], vt_run_length);
        atomicAdd(sh_count[COUNT_SERVED + ((vt_run_key >> 8u) & 255u)], vt_run_length);
        if ((vt_run_key & 255u) < METRIC_OPCODES) {
            atomicAdd(sh_count[COUNT_METRICS + (vt_run_key & 255u)], vt_run_length);
        }
    }
    vt_run_length = 0u;
}

// Settings of this slice: the ready set of each priority, four bits each, and how many age ticks make a
// task more urgent by one; 0: none do.
uint vt_urgency = 0u;
uint vt_aging = 0u;

uint vt_ready_set(uint priority) { return (vt_urgency >> (priority * 4u)) & 15u; }

// The ready set where a task waits next. The priority is below NUM_PRIORITIES.
uint vt_ready_set_of(in Task t) {
    uint set = vt_ready_set(t.priority);
    if (vt_aging != 0u) { // compared, because a division takes long where there is no instruction for it
        uint n = t.age_ticks >= vt_aging ? 1u : 0u;
        n += t.age_ticks >= 2u * vt_aging ? 1u : 0u;
        n += t.age_ticks >= 3u * vt_aging ? 1u : 0u;
        n += t.age_ticks >= 4u * vt_aging ? 1u : 0u;
        set -= min(set, n);
    }
    return set;
}

uint vt_run_key_of(in Task t) { return min(t.opcode, METRIC_OPCODES) | (vt_ready_set_of(t) << 8u) | (t.tenant << 16u); }

void vt_count_activation(in Task t) {
    uint key = vt_run_key_of(t);
    if (key != vt_run_key) {
        vt_flush_run();
        vt_run_key = key;
    }
    vt_run_length++;
}

// One event per lane and pass: what the last activation has come to. It is written outside the loop of passes, which continues
// from one pass to the next without, and pays for noting it only. Drivers inline every function, so
// what is long must be called from few places only; the same is true of answers to commands.
uint vt_event = 0u;
uint vt_event_a = 0u;
uint vt_event_b = 0u;

void vt_note(uint event, uint a, uint b) {
    vt_event = event;
    vt_event_a = a;
    vt_event_b = b;
}

void vt_write_event(uint heartbeat) {
#ifdef VT_EVENTS
    bool due = (LOG_SAMPLED >> vt_event & 1u) == 0u || vt_logs_pass(heartbeat);
    if (vt_event != EVENT_NONE && due && vt_logs(vt_event)) {
        vt_log(vt_event, LOG_EVENT_BASE + vt_event, heartbeat, vt_event == EVENT_DONE ? 1u : 2u, vt_event_a, vt_event_b, 0u, 0u);
    }
    vt_event = EVENT_NONE;
#endif
}

// The answer this lane owes: 1 + number of the command, or 0.
uint vt_answer = 0u;
uint vt_answer_result = 0u;
uint vt_answer_slot = 0u;
uint vt_answer_detail = 0u;

void vt_ack(uint number, uint result, uint slot, uint detail) {
    vt_answer = number + 1u;
    vt_answer_result = result;
    vt_answer_slot = slot;
    vt_answer_detail = detail;
}

void vt_write_answer() {
    uint at = OUTBOX_RING + ((vt_answer - 1u) & (COMMAND_RING - 1u)) * ACK_WORDS;
    outbox[at + ACK_RESULT] = vt_answer_result;
    outbox[at + ACK_SLOT] = vt_answer_slot;
    outbox[at + ACK_DETAIL] = vt_answer_detail;
    memoryBarrierBuffer();
    outbox[at + ACK_SEQ] = vt_answer;
    vt_answer = 0u;
}

// Tells the host that a task has ended. The host never has more notifying tasks in flight than the
// ring has records, so there is always room.
void vt_notify(in Task t) {
    uint number = atomicAdd(sched[SCHED_COMPLETIONS], 1u);
    uint at = (number & (VT_COMPLETIONS - 1u)) * (COMPLETION_WORDS / 4u);
    outbox_quads[at] = uvec4(number, t.task_id, t.state, t.continuation_data); // no record of this place ends up with this sequence word
    outbox_quads[at + 1u] = uvec4(t.output_handle, t.param, vt_worker, 0u);
    memoryBarrierBuffer();
    outbox_quads[at].x = number + 1u;
}

// Bit t: tenant t may run. As it was at the last serving; a change calls everybody's attention.
uint vt_allowed = 0u;

bool vt_tenant_allowed(uint tenant) { return ((sched[SCHED_ALLOWED] >> tenant) & 1u) != 0u; }

bool vt_schedulable(uint state) {
    return state == STATE_READY || state == STATE_YIELDED || state == STATE_REQUEUED;
}

// The set where a task waits, from its words. A task whose tenant may not run waits among the parked,
// unchanged, until the masks change.
uint vt_home(in Task t) {
    if (t.state == STATE_DONE || t.state == STATE_EMPTY) {
        return SET_FREE;
    }
    if (t.state == STATE_PAUSED) {
        return t.resume_epoch == HELD_EPOCH ? SET_RESTING : SET_PARKED;
    }
    if (!vt_schedulable(t.state)) {
        return SET_RESTING;
    }
    return vt_tenant_allowed(t.tenant) ? SET_READY0 + vt_ready_set_of(t) : SET_PARKED;
}

// Whether a task of the parked set may leave it.
bool vt_due(in Task t) {
    bool waits = t.state == STATE_PAUSED && (t.resume_epoch == HELD_EPOCH || int(vt_epoch() - t.resume_epoch) < 0);
    return !waits && vt_tenant_allowed(t.tenant);
}

void vt_make_ready(inout Task t) {
    t.state = STATE_READY;
    t.resume_epoch = 0u;
    t.flags = (t.flags & ~(FLAG_PAUSED | FLAG_YIELDED)) | FLAG_RESUME_READY;
}

// Parks a task until a command lets it continue.
void vt_hold(inout Task t) {
    t.state = STATE_PAUSED;
    t.resume_epoch = HELD_EPOCH;
    t.flags = (t.flags & ~(FLAG_RESUME_READY | REASON_MASK)) | FLAG_PAUSED | (WAIT_COMMAND << REASON_SHIFT);
    vt_count(COUNT_PAUSES);
}

void vt_make_faulted_at(inout Task t, uint code, uint site) {
    t.state = STATE_FAULTED;
    t.continuation_data = code;
    vt_count(COUNT_FAULTED);
    vt_note(EVENT_FAULT, code, site);
}

void vt_make_faulted(inout Task t, uint code) { vt_make_faulted_at(t, code, 0u); }

// Whether the task may run here and now.
bool vt_admissible(in Task t) {
    return vt_schedulable(t.state) && t.tenant < TENANTS && t.priority < NUM_PRIORITIES && ((vt_allowed >> t.tenant) & 1u) != 0u;
}

// The outcomes that every pass must deal with quickly. Returns false, with t untouched, when it is
// another one; then vt_settle will do it.
bool vt_settle_quickly(inout Task t) {
    if (vt_overrun || t.priority >= NUM_PRIORITIES || vt_outcome > OUTCOME_REQUEUE) {
        return false;
    }
    if (vt_outcome == OUTCOME_DONE) {
        t.state = STATE_DONE;
        t.flags = 0u;
        vt_done++;
        vt_note(EVENT_DONE, t.continuation_data, 0u);
        return true;
    }
    bool yield = vt_outcome == OUTCOME_YIELD;
    uint count = yield ? t.yield_count : max(t.requeue_count, t.age_ticks);
    if (count == 0xFFFFFFFFu) {
        return false;
    }
    t.state = yield ? STATE_YIELDED : STATE_REQUEUED;
    t.flags = (t.flags & ~FLAG_HALTED) | (yield ? FLAG_YIELDED : FLAG_REQUEUE_REQUESTED);
    t.yield_count += yield ? 1u : 0u;
    t.requeue_count += yield ? 0u : 1u;
    t.age_ticks += yield ? 0u : 1u;
    vt_yields += yield ? 1u : 0u;
    vt_requeues += yield ? 0u : 1u;
    vt_note(yield ? EVENT_YIELD : EVENT_REQUEUE, yield ? t.continuation_pc : t.priority, yield ? t.continuation_data : t.continuation_pc);
    return true;
}

// The code with which a task must be faulted although its handler asked for something else.
uint vt_refusal(in Task t) {
    if (vt_overrun) {
        return FAULT_BUDGET;
    }
    if (vt_outcome == OUTCOME_FAULT) {
        return vt_fault_code;
    }
    if (t.priority >= NUM_PRIORITIES) {
        return FAULT_PRIORITY;
    }
    return vt_outcome > OUTCOME_FAULT ? FAULT_OUTCOME : FAULT_COUNTER;
}

// Turns an outcome that is not settled quickly into words of t: a pause, or a fault.
void vt_settle(inout Task t) {
    if (vt_outcome == OUTCOME_PAUSE && !vt_overrun && t.priority < NUM_PRIORITIES) {
        t.state = STATE_PAUSED;
        t.flags = (t.flags & ~(FLAG_RESUME_READY | FLAG_HALTED)) | FLAG_PAUSED;
        vt_count(COUNT_PAUSES);
        vt_note(EVENT_PAUSE, t.resume_epoch, t.continuation_pc);
        return;
    }
    vt_make_faulted_at(t, vt_refusal(t), vt_outcome == OUTCOME_FAULT && !vt_overrun ? vt_fault_site : 0u);
}

// What becomes of a task that is not admissible. One whose tenant may not run is left as it is.
void vt_refuse(inout Task t) {
    if (t.tenant >= TENANTS) {
        vt_make_faulted(t, FAULT_TENANT_RANGE);
    } else if (!vt_schedulable(t.state)) {
        vt_count(COUNT_VIOLATIONS);
        vt_make_faulted(t, FAULT_STATE);
    } else if (t.priority >= NUM_PRIORITIES) {
        vt_make_faulted(t, FAULT_PRIORITY);
    }
}
