// Commands of the host. Task commands act on whoever owns the slot: the poller, when it can take
// the slot out of a set, or else the lane that runs the task, when its activation ends.
#pragma once
#include "vyretop/outcome.glsl"

uint vt_command(uint number, uint word) {
    return INBOX_WORD(INBOX_RING + (number & (COMMAND_RING - 1u)) * COMMAND_WORDS + word);
}

// Puts a slot that the caller owns back where its state says it waits.
void vt_put_back(uint slot, in Task t) {
    memoryBarrierBuffer();
    if (t.state != STATE_PAUSED) {
        vt_set_add(SET_BASE(SET_READY0 + t.priority), slot);
    } else if (t.resume_epoch != HELD_EPOCH) {
        vt_set_add(SET_BASE(SET_PARKED), slot);
    }
}

// Changes t as the command says; returns an ACK_ result.
uint vt_change(inout Task t, uint op, uint arg) {
    switch (op) {
    case OP_PAUSE_TASK:
        t.state = STATE_PAUSED;
        t.resume_epoch = HELD_EPOCH;
        t.flags = (t.flags & ~FLAG_RESUME_READY) | FLAG_PAUSED;
        vt_count(COUNT_PAUSES);
        return ACK_APPLIED;
    case OP_RESUME_TASK:
        if (t.state != STATE_PAUSED) {
            return ACK_ILLEGAL;
        }
        vt_make_ready(t);
        return ACK_APPLIED;
    case OP_REQUEUE_TASK:
        if (arg >= NUM_PRIORITIES) {
            return ACK_BAD_ARGUMENT;
        }
        if (t.requeue_count == 0xFFFFFFFFu || t.age_ticks == 0xFFFFFFFFu) {
            return ACK_ILLEGAL;
        }
        t.state = STATE_REQUEUED;
        t.resume_epoch = 0u;
        t.priority = arg;
        t.requeue_count++;
        t.age_ticks++;
        t.flags = (t.flags & ~FLAG_PAUSED) | FLAG_REQUEUE_REQUESTED;
        vt_count(COUNT_REQUEUES);
        return ACK_APPLIED;
    case OP_REPRIORITISE:
        if (arg >= NUM_PRIORITIES) {
            return ACK_BAD_ARGUMENT;
        }
        t.priority = arg;
        return ACK_APPLIED;
    }
    return ACK_BAD_ARGUMENT;
}

// Carries out a task command on a slot that the caller owns, and hands the slot on.
void vt_apply(uint number, uint slot) {
    Task t = vt_load(slot);
    uint before = t.state;
    uint result = ACK_FINISHED;
    if (t.task_id == vt_command(number, CMD_TASK_ID)) {
        result = vt_change(t, vt_command(number, CMD_OP), vt_command(number, CMD_ARG0));
        if (result == ACK_APPLIED) {
            vt_store(slot, t);
        }
    }
    vt_put_back(slot, t);
    vt_ack(number, result, slot, before);
}

// After giving a slot to a set: if a command came for it while it ran, take it back and obey. The
// poller first leaves the request and then tries the sets; we first add to the set and then look
// for a request; so one of the two sees the other.
void vt_obey_request(uint set, uint slot) {
    memoryBarrierBuffer();
    if (sched[VT_REQUESTS + slot] == 0u || !vt_set_take_slot(SET_BASE(set), slot)) {
        return;
    }
    uint request = atomicExchange(sched[VT_REQUESTS + slot], 0u);
    if (request != 0u) {
        vt_apply(request - 1u, slot);
        return;
    }
    vt_set_add(SET_BASE(set), slot);
}

// A command that came for a task that has just ended, or that nobody queues any more.
void vt_answer_request(uint slot, bool ended) {
    memoryBarrierBuffer();
    uint request = sched[VT_REQUESTS + slot];
    if (request == 0u || atomicCompSwap(sched[VT_REQUESTS + slot], request, 0u) != request) {
        return;
    }
    if (ended) {
        vt_ack(request - 1u, ACK_FINISHED, slot, 0u);
    } else {
        vt_apply(request - 1u, slot);
    }
}

// Takes a slot out of whichever set it waits in.
bool vt_take_anywhere(uint slot) {
    for (uint set = SET_READY0; set <= SET_PARKED; ++set) {
        vt_own_iterations++;
        if (vt_set_take_slot(SET_BASE(set), slot)) {
            return true;
        }
    }
    return false;
}

// The caller is the poller. A held task belongs to nobody; only the poller acts on it.
bool vt_is_held(uint slot) {
    return ring[slot * 4u].x == STATE_PAUSED && ring[slot * 4u + 2u].y == HELD_EPOCH;
}

void vt_task_command(uint number) {
    uint slot = vt_command(number, CMD_SLOT);
    if (slot >= VT_SLOTS || ring[slot * 4u + 2u].z != vt_command(number, CMD_TASK_ID)) {
        vt_ack(number, ACK_NOT_FOUND, slot, 0u);
        return;
    }
    if (vt_take_anywhere(slot) || vt_is_held(slot)) {
        vt_apply(number, slot);
        return;
    }
    if (atomicCompSwap(sched[VT_REQUESTS + slot], 0u, number + 1u) != 0u) {
        vt_ack(number, ACK_BUSY, slot, 0u);
        return;
    }
    memoryBarrierBuffer();
    if (vt_take_anywhere(slot)) {
        if (atomicExchange(sched[VT_REQUESTS + slot], 0u) != 0u) {
            vt_apply(number, slot);
        }
        return;
    }
    uint state = ring[slot * 4u].x;
    bool ended = state == STATE_DONE || state == STATE_FAULTED || state == STATE_EMPTY;
    if (!ended && !vt_is_held(slot)) {
        return; // it runs; the lane that runs it answers
    }
    if (atomicCompSwap(sched[VT_REQUESTS + slot], number + 1u, 0u) == number + 1u) {
        if (ended) {
            vt_ack(number, ACK_FINISHED, slot, state);
        } else {
            vt_apply(number, slot);
        }
    }
}

void vt_reap(uint number) {
    uint slot = vt_command(number, CMD_SLOT);
    if (slot >= VT_SLOTS || ring[slot * 4u].x != STATE_FAULTED || ring[slot * 4u + 2u].z != vt_command(number, CMD_TASK_ID)) {
        vt_ack(number, ACK_NOT_FOUND, slot, 0u);
        return;
    }
    ring[slot * 4u].x = STATE_EMPTY;
    memoryBarrierBuffer();
    vt_set_add(SET_BASE(SET_FREE), slot);
    vt_count(COUNT_REAPED);
    vt_ack(number, ACK_APPLIED, slot, STATE_FAULTED);
}

void vt_worker_command(uint number, uint op, uint workers_now) {
    uint worker = vt_command(number, CMD_WORKER);
    uint wc = SCHED_WORKER0 + worker * WORKER_CONTROL_WORDS;
    if (worker >= workers_now) {
        vt_ack(number, ACK_BAD_ARGUMENT, worker, workers_now);
    } else if (op == OP_RESUME_WORKER) {
        sched[wc + WC_PAUSE] = 0u;
        vt_ack(number, ACK_APPLIED, worker, 0u);
    } else if (sched[wc + WC_REQUEST] != 0u) {
        vt_ack(number, ACK_BUSY, worker, 0u);
    } else if (op == OP_PAUSE_WORKER) {
        sched[wc + WC_PAUSE] = 1u;
        memoryBarrierBuffer();
        sched[wc + WC_REQUEST] = number + 1u;
    } else if (sched[wc + WC_PAUSE] == 0u && sched[SCHED_PAUSE_ALL] == 0u) {
        vt_ack(number, ACK_ILLEGAL, worker, 0u);
    } else if (vt_command(number, CMD_ARG0) == 0u) {
        vt_ack(number, ACK_BAD_ARGUMENT, worker, 0u);
    } else {
        sched[wc + WC_STEPS] = vt_command(number, CMD_ARG0);
        memoryBarrierBuffer();
        sched[wc + WC_REQUEST] = number + 1u;
    }
}

void vt_pause_all(uint number) {
    if (sched[SCHED_PAUSE_ALL] != 0u) {
        vt_ack(number, ACK_BUSY, 0u, 0u);
        return;
    }
    sched[SCHED_PAUSE_COUNT] = 0u;
    memoryBarrierBuffer();
    sched[SCHED_PAUSE_ALL] = number + 1u;
}

void vt_resume_all(uint number, uint workers_now) {
    sched[SCHED_PAUSE_ALL] = 0u;
    for (uint w = 0u; w < workers_now; ++w) {
        vt_own_iterations++;
        sched[SCHED_WORKER0 + w * WORKER_CONTROL_WORDS + WC_PAUSE] = 0u;
    }
    vt_ack(number, ACK_APPLIED, 0u, 0u);
}

void vt_refresh_tenants(uint number) {
    for (uint i = 0u; i < TENANTS; ++i) {
        vt_own_iterations++;
        sched[SCHED_MASKS + i] = control[CTRL_TENANT_MASK0 + i];
        sched[SCHED_QUOTAS + i] = control[CTRL_TENANT_QUOTA0 + i];
    }
    sched[SCHED_SWEPT] = vt_epoch() - 1u; // look at the parked tasks again
    vt_ack(number, ACK_APPLIED, 0u, 0u);
}

void vt_run_command(uint number, uint workers_now) {
    uint op = vt_command(number, CMD_OP);
    switch (op) {
    case OP_PAUSE_TASK:
    case OP_RESUME_TASK:
    case OP_REQUEUE_TASK:
    case OP_REPRIORITISE: vt_task_command(number); break;
    case OP_PAUSE_WORKER:
    case OP_RESUME_WORKER:
    case OP_STEP_WORKER: vt_worker_command(number, op, workers_now); break;
    case OP_PAUSE_ALL: vt_pause_all(number); break;
    case OP_RESUME_ALL: vt_resume_all(number, workers_now); break;
    case OP_REAP: vt_reap(number); break;
    case OP_REFRESH_TENANTS: vt_refresh_tenants(number); break;
    default: vt_ack(number, ACK_BAD_ARGUMENT, 0u, op);
    }
}
