// One activation: from a claimed slot to its outcome.
#pragma once
#include "vyretop/claim.glsl"

shared uint sh_iterations; // loop iterations of handlers in this slice
shared uint sh_step;       // non-zero: keep the slot's words before and after, lane 0 only

void vt_dispatch(inout Task t); // generated: one case per handler

void vt_keep_words(uint at, in Task t) {
    workers[at] = t.state; workers[at + 1u] = t.opcode;
    workers[at + 2u] = t.tenant; workers[at + 3u] = t.priority;
    workers[at + 4u] = t.input_handle; workers[at + 5u] = t.output_handle;
    workers[at + 6u] = t.param; workers[at + 7u] = t.continuation_pc;
    workers[at + 8u] = t.continuation_data; workers[at + 9u] = t.resume_epoch;
    workers[at + 10u] = t.task_id; workers[at + 11u] = t.parent_task_id;
    workers[at + 12u] = t.age_ticks; workers[at + 13u] = t.requeue_count;
    workers[at + 14u] = t.yield_count; workers[at + 15u] = t.flags;
}

// Runs the handler with a fresh budget.
void vt_run_handler(inout Task t, uint budget) {
    vt_outcome = OUTCOME_DONE;
    vt_overrun = false;
    vt_left = budget;
    vt_dispatch(t);
#ifdef VT_COUNT_LOOPS
    atomicAdd(sh_iterations, budget - vt_left);
#endif
}

// After parking: the reason to wait may have gone between the decision and the parking, and a sweep
// that started before would not see the slot.
void vt_park(uint slot, in Task t) {
    uint set = SET_PARKED;
    vt_count(COUNT_PARKED);
    memoryBarrierBuffer();
    bool due = t.state != STATE_PAUSED || int(vt_epoch() - t.resume_epoch) >= 0;
    if (due && vt_tenant_allowed(t.tenant) && vt_set_take_slot(SET_BASE(SET_PARKED), slot)) {
        set = vt_unpark(slot);
    }
    vt_obey_request(set, slot);
}

// Hands the slot on after an activation: the words first, then the set.
void vt_release(uint slot, inout Task t, uint set, bool notify) {
    vt_store(slot, t);
    if (notify && (t.state == STATE_DONE || t.state == STATE_FAULTED)) {
        vt_notify(t);
    }
    memoryBarrierBuffer();
    if (set == SET_NOWHERE || set == SET_FREE) {
        vt_answer_request(slot, t.state != STATE_PAUSED);
    }
    if (set != SET_NOWHERE) {
        vt_set_add(SET_BASE(set), slot);
    }
    if (set == SET_PARKED) {
        vt_park(slot, t);
    } else if (set < SET_PARKED) {
        vt_obey_request(set, slot);
    }
}

// Whether the task may run; if not, the outcome says what becomes of it.
bool vt_admit(in Task t) {
    vt_overrun = false;
    vt_outcome = OUTCOME_FAULT;
    if (t.tenant >= TENANTS) {
        vt_fault_code = FAULT_TENANT_RANGE;
        return false;
    }
    if (t.state != STATE_READY && t.state != STATE_YIELDED && t.state != STATE_REQUEUED) {
        vt_count(COUNT_VIOLATIONS);
        vt_fault_code = FAULT_STATE;
        return false;
    }
    return true;
}

void vt_activate(uint slot, uint budget) {
    Task t = vt_load(slot);
    vt_task_id = t.task_id;
    vt_task_opcode = t.opcode;
    bool notify = (t.flags & FLAG_NOTIFY) != 0u;
    uint record = vt_worker * WORKER_WORDS;
    if (sh_step != 0u) {
        vt_keep_words(record + WK_STEP_BEFORE, t);
    }
    if (t.tenant < TENANTS && !vt_tenant_allowed(t.tenant)) {
        vt_set_add(SET_BASE(SET_PARKED), slot); // waits, unchanged, until the masks change
        vt_park(slot, t);
        return;
    }
    if (vt_admit(t)) {
        ring[slot * 4u].x = STATE_RUNNING;
        if (vt_lane == 0u) {
            workers[record + WK_SLOT] = slot;
            workers[record + WK_TASK_ID] = t.task_id;
            workers[record + WK_OPCODE] = t.opcode;
            workers[record + WK_PC] = t.continuation_pc;
        }
        vt_count(COUNT_ACTIVATIONS);
        vt_count(COUNT_TENANTS + t.tenant);
        vt_count(COUNT_SERVED + min(t.priority, NUM_PRIORITIES - 1u));
        if (t.opcode < METRIC_OPCODES) {
            vt_count(COUNT_METRICS + t.opcode);
        }
        vt_run_handler(t, budget);
    }
    uint set = vt_settle(t);
    if (sh_step != 0u) {
        vt_keep_words(record + WK_STEP_AFTER, t);
        workers[record + WK_STEP_SLOT] = slot + 1u;
    }
    vt_release(slot, t, set, notify);
    vt_task_id = 0u;
    vt_task_opcode = 0u;
}
