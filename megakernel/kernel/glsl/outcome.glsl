// How an activation ends: the outcome becomes words, and the words say where the slot waits next.
#pragma once
#include "vyretop/task.glsl"

#define SET_NOWHERE 0xFFFFFFFFu

// Counters of this workgroup since the last flush; the same order as the totals in sched.
#define COUNT_METRICS LINE_WORDS
#define COUNT_TENANTS (2u * LINE_WORDS)
#define COUNT_SERVED (3u * LINE_WORDS)
#define COUNT_ALL (3u * LINE_WORDS + NUM_PRIORITIES)
shared uint sh_count[COUNT_ALL];

void vt_count(uint counter) { atomicAdd(sh_count[counter], 1u); }

// One event per lane and pass, written at the end of the pass. Drivers inline every function, so
// what is long must be called from one place only; the same is true of answers to commands.
uint vt_event = 0u;
uint vt_event_a = 0u;
uint vt_event_b = 0u;

void vt_note(uint event, uint a, uint b) {
    vt_event = event;
    vt_event_a = a;
    vt_event_b = b;
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
    uint at = OUT_COMPLETION0 + (number & (VT_COMPLETIONS - 1u)) * COMPLETION_WORDS;
    outbox[at + COMPLETION_TASK] = t.task_id;
    outbox[at + COMPLETION_STATE] = t.state;
    outbox[at + COMPLETION_CODE] = t.continuation_data;
    outbox[at + COMPLETION_OUTPUT] = t.output_handle;
    outbox[at + COMPLETION_PARAM] = t.param;
    outbox[at + COMPLETION_WORKER] = vt_worker;
    memoryBarrierBuffer();
    outbox[at + COMPLETION_SEQ] = number + 1u;
}

bool vt_tenant_allowed(uint tenant) { return sched[SCHED_MASKS + tenant] != 0u; }

bool vt_schedulable(uint state) {
    return state == STATE_READY || state == STATE_YIELDED || state == STATE_REQUEUED;
}

// The set where a task waits, from its words. A held task and a faulted one wait nowhere; a task
// whose tenant may not run waits among the parked, unchanged, until the masks change.
uint vt_home(in Task t) {
    if (t.state == STATE_DONE || t.state == STATE_EMPTY) {
        return SET_FREE;
    }
    if (t.state == STATE_PAUSED) {
        return t.resume_epoch == HELD_EPOCH ? SET_NOWHERE : SET_PARKED;
    }
    if (!vt_schedulable(t.state)) {
        return SET_NOWHERE;
    }
    return vt_tenant_allowed(t.tenant) ? SET_READY0 + t.priority : SET_PARKED;
}

// Whether a task of the parked set may leave it.
bool vt_due(in Task t) {
    return (t.state != STATE_PAUSED || int(vt_epoch() - t.resume_epoch) >= 0) && vt_tenant_allowed(t.tenant);
}

void vt_make_ready(inout Task t) {
    t.state = STATE_READY;
    t.resume_epoch = 0u;
    t.flags = (t.flags & ~(FLAG_PAUSED | FLAG_YIELDED)) | FLAG_RESUME_READY;
}

void vt_make_faulted(inout Task t, uint code) {
    t.state = STATE_FAULTED;
    t.continuation_data = code;
    vt_count(COUNT_FAULTED);
    vt_note(EVENT_FAULT, code, 0u);
}

// The code with which a task must be faulted although its handler asked for something else, or 0.
uint vt_refusal(in Task t) {
    if (vt_overrun) {
        return FAULT_BUDGET;
    }
    if (t.priority >= NUM_PRIORITIES) {
        return FAULT_PRIORITY;
    }
    if (vt_outcome > OUTCOME_FAULT) {
        return FAULT_OUTCOME;
    }
    bool full = vt_outcome == OUTCOME_YIELD && t.yield_count == 0xFFFFFFFFu;
    full = full || vt_outcome == OUTCOME_REQUEUE && (t.requeue_count == 0xFFFFFFFFu || t.age_ticks == 0xFFFFFFFFu);
    return full ? FAULT_COUNTER : 0u;
}

// Turns the handler's outcome into words of t.
void vt_settle(inout Task t) {
    uint refusal = vt_refusal(t);
    if (refusal != 0u || vt_outcome == OUTCOME_FAULT) {
        vt_make_faulted(t, refusal != 0u ? refusal : vt_fault_code);
        return;
    }
    if (vt_outcome == OUTCOME_DONE) {
        t.state = STATE_DONE;
        t.flags = 0u;
        vt_count(COUNT_DONE);
        vt_note(EVENT_DONE, t.continuation_data, 0u);
    } else if (vt_outcome == OUTCOME_YIELD) {
        t.state = STATE_YIELDED;
        t.yield_count++;
        t.flags |= FLAG_YIELDED;
        vt_count(COUNT_YIELDS);
        vt_note(EVENT_YIELD, t.continuation_pc, t.continuation_data);
    } else if (vt_outcome == OUTCOME_REQUEUE) {
        t.state = STATE_REQUEUED;
        t.requeue_count++;
        t.age_ticks++;
        t.flags |= FLAG_REQUEUE_REQUESTED;
        vt_count(COUNT_REQUEUES);
        vt_note(EVENT_REQUEUE, t.priority, t.continuation_pc);
    } else {
        t.state = STATE_PAUSED;
        t.flags = (t.flags & ~FLAG_RESUME_READY) | FLAG_PAUSED;
        vt_count(COUNT_PAUSES);
        vt_note(EVENT_PAUSE, t.resume_epoch, t.continuation_pc);
    }
}
