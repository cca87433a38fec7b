// How an activation ends: the outcome becomes words, the slot goes to the set where it waits next.
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

void vt_ack(uint number, uint result, uint slot, uint detail) {
    uint at = OUTBOX_RING + (number & (COMMAND_RING - 1u)) * ACK_WORDS;
    outbox[at + ACK_RESULT] = result;
    outbox[at + ACK_SLOT] = slot;
    outbox[at + ACK_DETAIL] = detail;
    memoryBarrierBuffer();
    outbox[at + ACK_SEQ] = number + 1u;
    vt_event(EVENT_COMMAND, 2u, number, result);
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

void vt_make_ready(inout Task t) {
    t.state = STATE_READY;
    t.resume_epoch = 0u;
    t.flags = (t.flags & ~(FLAG_PAUSED | FLAG_YIELDED)) | FLAG_RESUME_READY;
}

uint vt_settle_fault(inout Task t, uint code) {
    t.state = STATE_FAULTED;
    t.continuation_data = code;
    vt_count(COUNT_FAULTED);
    vt_event(EVENT_FAULT, 1u, code, 0u);
    return SET_NOWHERE;
}

uint vt_settle_done(inout Task t) {
    t.state = STATE_DONE;
    t.flags = 0u;
    vt_count(COUNT_DONE);
    vt_event(EVENT_DONE, 1u, t.continuation_data, 0u);
    return SET_FREE;
}

uint vt_settle_yield(inout Task t) {
    if (t.yield_count == 0xFFFFFFFFu) {
        return vt_settle_fault(t, FAULT_COUNTER);
    }
    t.state = STATE_YIELDED;
    t.yield_count++;
    t.flags |= FLAG_YIELDED;
    vt_count(COUNT_YIELDS);
    vt_event(EVENT_YIELD, 2u, t.continuation_pc, t.continuation_data);
    return SET_READY0 + t.priority;
}

uint vt_settle_requeue(inout Task t) {
    if (t.requeue_count == 0xFFFFFFFFu || t.age_ticks == 0xFFFFFFFFu) {
        return vt_settle_fault(t, FAULT_COUNTER);
    }
    t.state = STATE_REQUEUED;
    t.requeue_count++;
    t.age_ticks++;
    t.flags |= FLAG_REQUEUE_REQUESTED;
    vt_count(COUNT_REQUEUES);
    vt_event(EVENT_REQUEUE, 2u, t.priority, t.continuation_pc);
    return SET_READY0 + t.priority;
}

uint vt_settle_pause(inout Task t) {
    t.state = STATE_PAUSED;
    t.flags = (t.flags & ~FLAG_RESUME_READY) | FLAG_PAUSED;
    vt_count(COUNT_PAUSES);
    vt_event(EVENT_PAUSE, 2u, t.resume_epoch, t.continuation_pc);
    return t.resume_epoch == HELD_EPOCH ? SET_NOWHERE : SET_PARKED;
}

// Turns the handler's outcome into words of t; returns the set the slot goes to.
uint vt_settle(inout Task t) {
    if (vt_overrun) {
        return vt_settle_fault(t, FAULT_BUDGET);
    }
    if (t.priority >= NUM_PRIORITIES) {
        return vt_settle_fault(t, FAULT_PRIORITY);
    }
    switch (vt_outcome) {
    case OUTCOME_DONE: return vt_settle_done(t);
    case OUTCOME_YIELD: return vt_settle_yield(t);
    case OUTCOME_REQUEUE: return vt_settle_requeue(t);
    case OUTCOME_PAUSE: return vt_settle_pause(t);
    case OUTCOME_FAULT: return vt_settle_fault(t, vt_fault_code);
    }
    return vt_settle_fault(t, FAULT_OUTCOME);
}

bool vt_tenant_allowed(uint tenant) { return sched[SCHED_MASKS + tenant] != 0u; }

// A parked task whose reason to wait has gone becomes ready. The caller owns the slot; returns the
// set that has it now.
uint vt_unpark(uint slot) {
    Task t = vt_load(slot);
    bool due = t.state != STATE_PAUSED || int(vt_epoch() - t.resume_epoch) >= 0;
    uint set = SET_PARKED;
    if (due && vt_tenant_allowed(t.tenant)) {
        set = SET_READY0 + t.priority;
        if (t.state == STATE_PAUSED) {
            vt_make_ready(t);
            vt_store(slot, t);
        }
    }
    memoryBarrierBuffer();
    vt_set_add(SET_BASE(set), slot);
    return set;
}
