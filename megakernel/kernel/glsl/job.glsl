// What a lane does with a slot in one pass. Every job has the same shape: get the words, change
// them, store them, hand the slot on. So there is one place for each of these steps.
#pragma once
#include "vyretop/claim.glsl"

#define JOB_NONE 0u
#define JOB_RUN 1u     // run the task's handler
#define JOB_IMPORT 2u  // take a new task from the inbox
#define JOB_UNPARK 3u  // make a parked task ready if it is due
#define JOB_COMMAND 4u // obey a command (one lane)

shared uint sh_job;        // the lanes' job this pass
shared uint sh_number;     // JOB_IMPORT: number of the first task; JOB_COMMAND: of the command
shared uint sh_direct;     // JOB_IMPORT: non-zero: run what is imported at once, nothing else waits
shared uint sh_iterations; // loop iterations of handlers in this slice
shared uint sh_step;       // non-zero: keep the slot's words before and after (one lane)

// What llvmpipe counts for a round of a job and for an iteration of a handler's loop (kernel.LoopCosts).
uint vt_round_cost = 1u;
uint vt_tick_cost = 1u;

void vt_dispatch(inout Task t); // generated: one case per handler

Task vt_load_new(uint number) {
    uint at = INBOX_ENTRIES / 4u + (number & (VT_INBOX_TASKS - 1u)) * 4u;
    uvec4 a = inbox[at];
    uvec4 b = inbox[at + 1u];
    uvec4 c = inbox[at + 2u];
    uvec4 d = inbox[at + 3u];
    return Task(STATE_READY, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w);
}

// Copies the words of the slot that is being stepped to the worker's record, all lanes together.
void vt_keep_words(uint part) {
    uint slot = vt_claimed_slot(0u);
    uint at = vt_worker * WORKER_WORDS + part;
    for (uint i = vt_lane; vt_step(1u) && i < SLOT_WORDS && sh_tasks != 0u; i += VT_LANES) {
        workers[at + i] = ring[slot * 4u + (i >> 2u)][i & 3u];
    }
    if (vt_lane == 0u && sh_tasks != 0u) {
        workers[vt_worker * WORKER_WORDS + WK_STEP_SLOT] = slot + 1u;
    }
}

// Whether the task may run; if not, the outcome is a fault.
bool vt_admit(in Task t) {
    vt_overrun = false;
    vt_outcome = OUTCOME_FAULT;
    if (t.tenant >= TENANTS) {
        vt_fault_code = FAULT_TENANT_RANGE;
        return false;
    }
    if (!vt_schedulable(t.state)) {
        vt_count(COUNT_VIOLATIONS);
        vt_fault_code = FAULT_STATE;
        return false;
    }
    return t.priority < NUM_PRIORITIES; // if not, settling finds the same and says so
}

void vt_count_activation(in Task t) {
    vt_count(COUNT_ACTIVATIONS);
    vt_count(COUNT_TENANTS + t.tenant);
    vt_count(COUNT_SERVED + t.priority);
    if (t.opcode < METRIC_OPCODES) {
        vt_count(COUNT_METRICS + t.opcode);
    }
}

// Runs the handler with a fresh budget, unless the tenant may not run: then the task is left as it is.
void vt_run(uint slot, inout Task t, uint budget) {
    if (vt_admit(t)) {
        if (!vt_tenant_allowed(t.tenant)) {
            return;
        }
        ring[slot * 4u].x = STATE_RUNNING;
        if (vt_lane == 0u) {
            uint record = vt_worker * WORKER_WORDS;
            workers[record + WK_SLOT] = slot;
            workers[record + WK_TASK_ID] = t.task_id;
            workers[record + WK_OPCODE] = t.opcode;
            workers[record + WK_PC] = t.continuation_pc;
        }
        vt_count_activation(t);
        vt_outcome = OUTCOME_DONE;
        vt_left = budget;
#ifdef VT_COUNT_LOOPS
        uint before = vt_own_iterations; // spawning has loops too
        vt_dispatch(t);
        atomicAdd(sh_iterations, (budget - vt_left) * vt_tick_cost + vt_own_iterations - before);
#else
        vt_dispatch(t);
#endif
    }
    vt_settle(t);
}

void vt_change_words(uint job, uint number, uint slot, inout Task t, uint budget) {
    if (job == JOB_RUN) {
        vt_run(slot, t, budget);
    } else if (job == JOB_IMPORT) {
        if (t.tenant >= TENANTS || t.priority >= NUM_PRIORITIES) {
            vt_make_faulted(t, t.tenant >= TENANTS ? FAULT_TENANT_RANGE : FAULT_PRIORITY);
        }
    } else if (job == JOB_UNPARK) {
        if (t.state == STATE_PAUSED && vt_due(t)) {
            vt_make_ready(t);
        }
    } else {
        vt_obey(number, slot, t);
    }
}

// After the words are stored: hands the slot to the set where it waits now. Returns true when the
// slot is the caller's again because of something that came meanwhile: a command for a task while
// it ran (then `request` is 1 + its number), or the epoch that a parked task waits for.
//
// Whoever leaves a request looks into the sets afterwards, and we look for a request after having
// added to the set, so one of us sees the other; likewise for a new epoch and its sweep.
bool vt_hand_on(uint slot, in Task t, out uint request) {
    uint set = vt_home(t);
    uint base = SET_BASE(set);
    request = 0u;
    memoryBarrierBuffer();
    if (set < SET_FREE) {
        vt_set_add(base, slot);
        memoryBarrierBuffer();
    }
    uint waiting = sched[VT_REQUESTS + slot];
    bool due = set == SET_PARKED && vt_due(t);
    if (set < SET_FREE) {
        if (waiting == 0u && !due || !vt_set_take_slot(base, slot)) {
            return false;
        }
        request = atomicExchange(sched[VT_REQUESTS + slot], 0u);
        return true;
    }
    if (waiting != 0u && atomicCompSwap(sched[VT_REQUESTS + slot], waiting, 0u) == waiting) {
        request = waiting;
        if (set == SET_NOWHERE && t.state == STATE_PAUSED) {
            return true;
        }
        vt_ack(waiting - 1u, ACK_FINISHED, slot, t.state);
    }
    if (set == SET_FREE) {
        vt_set_add(base, slot);
    }
    return false;
}

void vt_do_job(uint slot, inout Task t, uint budget) {
    uint job = sh_job == JOB_IMPORT && sh_direct != 0u ? JOB_RUN : sh_job;
    uint number = sh_number;
    bool notify = (t.flags & FLAG_NOTIFY) != 0u;
    vt_task_id = t.task_id;
    vt_task_opcode = t.opcode;
    bool again = true;
    uint rounds = 0u;
    for (uint round = 0u; vt_step(vt_round_cost) && round < ROLLED(4u) && again; ++round) {
        bool ended = t.state == STATE_FAULTED;
        vt_change_words(job, number, slot, t, budget);
        vt_store(slot, t);
        if (notify && !ended && (t.state == STATE_DONE || t.state == STATE_FAULTED)) {
            vt_notify(t);
        }
        if (vt_answer != 0u) {
            vt_write_answer(); // before the slot is handed on and another command may find it
        }
        uint request;
        again = vt_hand_on(slot, t, request);
        job = request != 0u ? JOB_COMMAND : JOB_UNPARK;
        number = request - 1u;
        rounds++;
    }
#ifdef VT_COUNT_LOOPS
    if (vt_lane != 0u && rounds > 1u) {
        atomicAdd(sh_iterations, (rounds - 1u) * vt_round_cost); // lane 0 counts its own
    }
#endif
}
