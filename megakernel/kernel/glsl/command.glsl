// Commands of the host. The poller carries out one a pass. A task command needs the slot: the
// poller takes it out of the set where it waits, or, when it runs, leaves a request that the lane
// running it obeys at the end of the activation.
#pragma once
#include "vyretop/outcome.glsl"

struct Command {
    uint number, op, task_id, slot, arg, expected, worker, desired;
};

Command vt_command(uint number) {
    uint at = (INBOX_RING + (number & (COMMAND_RING - 1u)) * COMMAND_WORDS) / 4u;
    uvec4 a = inbox[at];
    uvec4 b = inbox[at + 1u];
    return Command(number, a[CMD_OP], a[CMD_TASK_ID], a[CMD_SLOT], a[CMD_ARG0], b[CMD_EXPECTED - 4u], b[CMD_WORKER - 4u], b[CMD_DESIRED - 4u]);
}

uint vt_change_requeue(inout Task t, uint priority) {
    if (priority >= NUM_PRIORITIES) {
        return ACK_BAD_ARGUMENT;
    }
    if (t.requeue_count == 0xFFFFFFFFu || t.age_ticks == 0xFFFFFFFFu) {
        return ACK_ILLEGAL;
    }
    t.state = STATE_REQUEUED;
    t.resume_epoch = 0u;
    t.priority = priority;
    t.requeue_count++;
    t.age_ticks++;
    t.flags = (t.flags & ~FLAG_PAUSED) | FLAG_REQUEUE_REQUESTED;
    vt_count(COUNT_REQUEUES);
    return ACK_APPLIED;
}

// Changes a task as a command says; returns an ACK_ result. The caller owns the slot.
uint vt_change(inout Task t, uint op, uint arg) {
    if ((op == OP_REAP) != (t.state == STATE_FAULTED)) {
        return op == OP_REAP ? ACK_ILLEGAL : ACK_FINISHED;
    }
    if (op == OP_PAUSE_TASK) {
        if (t.state != STATE_PAUSED || (t.flags & FLAG_HALTED) == 0u) { // a breakpoint that holds it stays the reason
            vt_hold(t);
        }
        return ACK_APPLIED;
    }
    if (op == OP_RESUME_TASK) {
        if (t.state != STATE_PAUSED) {
            return ACK_ILLEGAL;
        }
        vt_make_ready(t);
        return ACK_APPLIED;
    }
    if (op == OP_REQUEUE_TASK) {
        return vt_change_requeue(t, arg);
    }
    if (op == OP_REPRIORITIZE) {
        if (arg >= NUM_PRIORITIES) {
            return ACK_BAD_ARGUMENT;
        }
        t.priority = arg;
        return ACK_APPLIED;
    }
    if (op == OP_REAP) {
        t.state = STATE_EMPTY;
        vt_count(COUNT_REAPED);
        return ACK_APPLIED;
    }
    return ACK_BAD_ARGUMENT;
}

// The words of a task that can be edited are those that its handler works on; the scheduler goes by
// none of them.
#define EDIT_FIRST 4u // input_handle
#define EDIT_LAST 8u  // continuation_data

uint vt_operand(in Task t, uint word) {
    uint low = word == EDIT_FIRST ? t.input_handle : word == 5u ? t.output_handle : t.param;
    return word <= 6u ? low : word == 7u ? t.continuation_pc : t.continuation_data;
}

// Edits an operand of a task if it holds what the host expects; before: what it held.
uint vt_edit(inout Task t, uint word, uint expected, uint desired, out uint before) {
    before = 0u;
    if (t.state == STATE_FAULTED) {
        return ACK_FINISHED;
    }
    if (word < EDIT_FIRST || word > EDIT_LAST) {
        return ACK_BAD_ARGUMENT;
    }
    before = vt_operand(t, word);
    if (before != expected) {
        return ACK_CHANGED;
    }
    t.input_handle = word == EDIT_FIRST ? desired : t.input_handle;
    t.output_handle = word == 5u ? desired : t.output_handle;
    t.param = word == 6u ? desired : t.param;
    t.continuation_pc = word == 7u ? desired : t.continuation_pc;
    t.continuation_data = word == EDIT_LAST ? desired : t.continuation_data;
    return ACK_APPLIED;
}

// Edits a word of the control buffer; the host has checked that the word exists.
void vt_edit_control(in Command c) {
    uint before = atomicCompSwap(control[c.arg], c.expected, c.desired);
    vt_ack(c.number, before == c.expected ? ACK_APPLIED : ACK_CHANGED, 0u, before);
}

// Carries out task command `number` on t, whose slot the caller owns, and keeps the answer.
void vt_obey(uint number, uint slot, inout Task t) {
    uint before = t.state;
    uint result = ACK_FINISHED;
    Command c = vt_command(number);
    if (t.task_id == c.task_id) {
        if (c.op == OP_EDIT_TASK) {
            result = vt_edit(t, c.arg, c.expected, c.desired, before);
        } else {
            result = vt_change(t, c.op, c.arg);
        }
    }
    vt_ack(number, result, slot, before);
}

// Takes a slot out of the ready set where it waits, which may be another than its words say now.
bool vt_take_ready(uint slot) {
    for (uint set = SET_READY0; vt_step(1u) && set < ROLLED(SET_READY0 + NUM_PRIORITIES); ++set) {
        if (vt_set_take_slot(set, slot)) {
            return true;
        }
    }
    return false;
}

// Takes a slot out of whichever set it waits in.
bool vt_take_anywhere(uint slot) {
    for (uint set = SET_READY0; vt_step(1u) && set <= ROLLED(SET_RESTING); ++set) {
        if (vt_set_take_slot(set, slot)) {
            return true;
        }
    }
    return false;
}

// Requests: one word a slot, 0 or 1 + the number of a command for the task that runs in it, and a
// count of those that are not 0. The count is raised before, and lowered after: who sees 0 need not
// look at the words.
bool vt_leave_request(uint slot, uint request) {
    atomicAdd(sched[SCHED_PENDING], 1u);
    memoryBarrierBuffer();
    bool left = atomicCompSwap(sched[VT_REQUESTS + slot], 0u, request) == 0u;
    if (!left) {
        atomicAdd(sched[SCHED_PENDING], 0xFFFFFFFFu);
    }
    return left;
}

bool vt_take_request(uint slot, uint request) {
    bool taken = atomicCompSwap(sched[VT_REQUESTS + slot], request, 0u) == request;
    if (taken) {
        atomicAdd(sched[SCHED_PENDING], 0xFFFFFFFFu);
    }
    return taken;
}

// Gets hold of the slot of a task command. ACQUIRED: the caller owns the slot and obeys. PUT_BACK:
// the caller owns the slot, and the lane that ran the task has obeyed already. ANSWERED: the command
// is answered, or the lane that runs the task will answer it.
#define ANSWERED 0u
#define ACQUIRED 1u
#define PUT_BACK 2u
#define LATER 3u // ask again in the next pass: an older command had to be answered first, or the slot is changing hands

bool vt_is_free(uint slot) {
    return ((sched[SET_LEAF_AT(SET_BASE(SET_FREE), slot >> 5u)] >> (slot & 31u)) & 1u) != 0u;
}

uint vt_acquire(uint number, uint slot) {
    for (uint attempt = 0u; vt_step(2u) && attempt < ROLLED(2u); ++attempt) {
        bool mine = vt_take_anywhere(slot);
        uint state = ring[slot * 4u].x;
        bool ended = state == STATE_DONE || state == STATE_EMPTY;
        if (attempt == 1u && (mine || ended)) {
            // Take the request back, unless the lane has found it: then the lane answers.
            if (!vt_take_request(slot, number + 1u)) {
                return mine ? PUT_BACK : ANSWERED;
            }
        }
        if (mine) {
            return ACQUIRED;
        }
        if (ended && !vt_is_free(slot)) {
            return LATER; // a spawn may have written its task's id and not yet the state
        }
        if (ended) {
            vt_ack(number, ACK_FINISHED, slot, state);
            return ANSWERED;
        }
        if (attempt == 0u && !vt_leave_request(slot, number + 1u)) {
            vt_ack(number, ACK_BUSY, slot, state);
            return ANSWERED;
        }
        memoryBarrierBuffer();
    }
    return ANSWERED;
}

// Answers a command that `owed` says is unanswered, because a newer one has overtaken it. Its other
// possible answerer also goes through the word, so it is answered once.
bool vt_overtake(uint owed) {
    uint request = sched[owed];
    if (request == 0u || atomicCompSwap(sched[owed], request, 0u) != request) {
        return false;
    }
    vt_ack(request - 1u, ACK_FINISHED, 0u, 0u);
    return true;
}

// The pause of all that a value of SCHED_PAUSE_ALL is about, without the count, or 0.
uint vt_pause_in(uint word) { return word >= PAUSE_FLAG ? word >> PAUSE_COUNT_BITS << PAUSE_COUNT_BITS : 0u; }
uint vt_pause_of_command(uint number) { return PAUSE_FLAG | (number << PAUSE_COUNT_BITS); }
uint vt_pause() { return vt_pause_in(sched[SCHED_PAUSE_ALL]); }

uint vt_worker_command(in Command c, uint workers_now) {
    uint wc = SCHED_WORKER0 + c.worker * WORKER_CONTROL_WORDS;
    uint result = ACK_APPLIED;
    if (c.worker >= workers_now || c.op == OP_STEP_WORKER && c.arg == 0u) {
        result = ACK_BAD_ARGUMENT;
    } else if (c.op == OP_RESUME_WORKER) {
        sched[wc + WC_PAUSE] = 0u;
        sched[wc + WC_STEPS] = 0u;
        if (vt_overtake(wc + WC_REQUEST)) {
            return LATER;
        }
    } else if (sched[wc + WC_REQUEST] != 0u) {
        result = ACK_BUSY;
    } else if (c.op == OP_STEP_WORKER && sched[wc + WC_PAUSE] == 0u && vt_pause() == 0u) {
        result = ACK_ILLEGAL;
    } else {
        result = 0u; // the worker answers when it has paused, or has run the steps
        sched[wc + (c.op == OP_PAUSE_WORKER ? WC_PAUSE : WC_STEPS)] = c.op == OP_PAUSE_WORKER ? 1u : c.arg;
        sched[SCHED_SINGLED] = max(sched[SCHED_SINGLED], c.worker + 1u);
        memoryBarrierBuffer();
        sched[wc + WC_REQUEST] = c.number + 1u;
    }
    if (result != 0u) {
        vt_ack(c.number, result, c.worker, workers_now);
    }
    return ANSWERED;
}

bool vt_has_called = false; // this worker, in this serving

// Makes every worker look at its pause words soon, instead of after all its passes.
void vt_call_attention() {
    vt_has_called = true;
    memoryBarrierBuffer();
    atomicAdd(sched[SCHED_ATTENTION], 1u);
}

void vt_pause_all(uint number, uint paused) {
    if (paused != 0u) {
        vt_ack(number, ACK_BUSY, 0u, 0u);
        return;
    }
    sched[SCHED_PAUSE_OWED] = number + 1u;
    memoryBarrierBuffer();
    atomicExchange(sched[SCHED_PAUSE_ALL], vt_pause_of_command(number)); // the last worker to pause answers
}

// Clears every pause, also of workers that this slice does not have. Few are ever paused singly, and a look at each
// takes as long as all the rest.
uint vt_resume_all(uint number) {
    uint singled = min(sched[SCHED_SINGLED], MAX_WORKERS);
    bool overtook = vt_overtake(SCHED_PAUSE_OWED);
    atomicExchange(sched[SCHED_PAUSE_ALL], 0u);
    for (uint w = 0u; vt_step(1u) && w < singled && !overtook; ++w) {
        uint wc = SCHED_WORKER0 + w * WORKER_CONTROL_WORDS;
        sched[wc + WC_PAUSE] = 0u;
        sched[wc + WC_STEPS] = 0u;
        overtook = vt_overtake(wc + WC_REQUEST);
    }
    if (overtook) {
        return LATER;
    }
    sched[SCHED_SINGLED] = 0u;
    vt_ack(number, ACK_APPLIED, 0u, 0u);
    return ANSWERED;
}

// Lets tenants run or wait, calls everybody, and has the parked tasks looked at again.
void vt_allow(uint tenants) {
    sched[SCHED_ALLOWED] = tenants;
    control[CTRL_QUOTA_WAITS] = sched[SCHED_PERMITTED] & ~tenants;
    memoryBarrierBuffer();
    sched[SCHED_SWEPT] = vt_epoch() - 1u;
    vt_call_attention();
}

uint vt_quota_of(uint tenant) {
    uint quota = control[CTRL_TENANT_QUOTA0 + tenant];
    return min(quota - 1u, DEFAULT_QUOTA - 1u) + 1u; // 0 is the largest, too
}

// Reads masks and quotas, and begins a round (quota.glsl). Another worker that publishes may be busy with the round:
// then later.
uint vt_refresh_tenants(in Command c) {
    if (atomicCompSwap(sched[SCHED_PUBLISHING], 0u, 1u) != 0u) {
        return LATER;
    }
    uint factor = max(c.arg, 1u);
    uint permitted = 0u;
    uint metered = 0u;
    uint smallest = DEFAULT_QUOTA;
    for (uint i = 0u; vt_step(1u) && i < ROLLED(TENANTS); ++i) {
        permitted |= control[CTRL_TENANT_MASK0 + i] != 0u ? 1u << i : 0u;
        smallest = min(smallest, vt_quota_of(i));
        metered |= vt_quota_of(i) ^ DEFAULT_QUOTA;
    }
    for (uint i = 0u; vt_step(1u) && i < ROLLED(TENANTS); ++i) {
        sched[SCHED_QUOTAS + i] = min(vt_quota_of(i), smallest * QUOTA_SPAN) * factor;
        sched[SCHED_ROUND + i] = sched[SCHED_TENANTS + i];
    }
    sched[SCHED_PERMITTED] = permitted;
    sched[SCHED_METERED] = metered;
    vt_allow(permitted);
    atomicExchange(sched[SCHED_PUBLISHING], 0u);
    vt_ack(c.number, ACK_APPLIED, 0u, 0u);
    return ANSWERED;
}

// Has workers copy the slots to where the host sees them; the last one answers. No worker begins before there
// is a region to begin with.
void vt_start_mirror(uint number) {
#ifdef VT_MIRROR
    if (sched[SCHED_MIRROR] != 0u) {
        vt_ack(number, ACK_BUSY, 0u, 0u);
        return;
    }
    sched[SCHED_MIRROR_DONE] = 0u;
    sched[SCHED_MIRROR] = number + 1u;
    memoryBarrierBuffer();
    sched[SCHED_MIRROR_NEXT] = 0u;
#else
    vt_ack(number, ACK_ILLEGAL, 0u, 0u);
#endif
}

// Starts a command. For ACQUIRED and PUT_BACK, its slot is to be dealt with this pass. Paused: vt_pause(), which
// no other worker can change from 0 or to 0.
uint vt_run_command(in Command c, uint workers_now, uint paused) {
    if (c.op >= OP_PAUSE_TASK && c.op <= OP_REPRIORITIZE || c.op == OP_REAP || c.op == OP_EDIT_TASK) {
        if (c.slot >= VT_SLOTS || ring[c.slot * 4u + 2u].z != c.task_id) {
            vt_ack(c.number, ACK_NOT_FOUND, c.slot, 0u);
        } else {
            return vt_acquire(c.number, c.slot);
        }
    } else if (c.op >= OP_PAUSE_WORKER && c.op <= OP_STEP_WORKER) {
        return vt_worker_command(c, workers_now);
    } else if (c.op == OP_PAUSE_ALL) {
        vt_pause_all(c.number, paused);
    } else if (c.op == OP_RESUME_ALL) {
        return vt_resume_all(c.number);
    } else if (c.op == OP_REFRESH_TENANTS) {
        return vt_refresh_tenants(c);
    } else if (c.op == OP_MIRROR) {
        vt_start_mirror(c.number);
    } else if (c.op == OP_EDIT_CONTROL) {
        vt_edit_control(c);
    } else {
        vt_ack(c.number, ACK_BAD_ARGUMENT, 0u, c.op);
    }
    return ANSWERED;
}
