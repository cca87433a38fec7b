// What serving does with single slots: outcomes that a scheduling pass did not settle, commands, and parked tasks
// that may be due. Every job has the same shape: get the words, change them, store them, hand the
// slot on. So there is one place for each of these steps.
#pragma once
#include "vyretop/break.glsl"
#include "vyretop/command.glsl"

#define JOB_NONE 0u
#define JOB_SETTLE 1u  // the activation's outcome is a pause or a fault
#define JOB_REFUSE 2u  // the task was claimed, but may not run
#define JOB_UNPARK 3u  // make a parked task ready if it is due
#define JOB_COMMAND 4u // obey a command
#define JOB_CHECK 5u   // a command may have come for the task while it ran
#define JOB_RUN 6u     // run the task: its handler is not one for passes
#define JOB_HALT 7u    // hold the task: a breakpoint has been hit

shared uint sh_job;    // job for the slots that serving has claimed, and for
shared uint sh_number; // JOB_COMMAND the number of the command

// The last task that this lane had in a scheduling pass.
uint vt_slot = 0u;
uint vt_ran = 0u;      // non-zero: not yet looked whether a command came for it
uint vt_owe = JOB_NONE; // JOB_SETTLE, JOB_REFUSE, JOB_RUN or JOB_HALT: the slot is still this lane's

void vt_change_words(uint job, uint number, uint slot, inout Task t) {
#ifdef VT_STOPS
    if (job == JOB_SETTLE && vt_hit != 0u) {
        vt_settle_stopped(slot, t);
        vt_hit = 0u; // this lane may get the slot once more, for a command
        return;
    }
#endif
    if (job == JOB_SETTLE) {
#ifdef VT_DEFERS
        if (vt_settle_quickly(t)) {
            return;
        }
#endif
        vt_settle(t);
    } else if (job == JOB_REFUSE) {
        vt_refuse(t);
#ifdef VT_HOLDS
    } else if (job == JOB_HALT) {
        vt_hold_for_break(t, (t.flags & FLAG_STOP) != 0u ? FLAG_ENDED : 0u);
#endif
    } else if (job == JOB_UNPARK) {
        if (t.state == STATE_PAUSED && vt_due(t)) {
            vt_make_ready(t);
        }
    } else {
        vt_obey(number, slot, t);
    }
}

// After the words are stored: hands the slot to the set where it waits now. Returns true when the
// slot is the caller's again because of something that came in the meantime: a command for a task while
// it ran (then `request` is 1 + its number), or the epoch that a parked task waits for.
//
// A worker that leaves a request looks into the sets afterwards, and this one looks for a request after having
// added to the set, so one of us sees the other; likewise for a new epoch and its sweep.
bool vt_hand_on(uint slot, in Task t, out uint request) {
    uint set = vt_home(t);
    uint waiting;
    request = 0u;
    memoryBarrierBuffer();
    if (set == SET_FREE) {
        waiting = sched[VT_REQUESTS + slot];
        if (waiting != 0u && vt_take_request(slot, waiting)) {
            vt_ack(waiting - 1u, ACK_FINISHED, slot, t.state);
        }
        vt_set_add(SET_FREE, slot >> 5u, 1u << (slot & 31u));
        return false;
    }
    vt_set_add(set, slot >> 5u, 1u << (slot & 31u));
    memoryBarrierBuffer();
    bool due = set == SET_PARKED && vt_due(t);
    if (sched[VT_REQUESTS + slot] == 0u && !due || !vt_set_take_slot(set, slot)) {
        return false;
    }
    waiting = sched[VT_REQUESTS + slot];
    request = waiting != 0u && vt_take_request(slot, waiting) ? waiting : 0u;
    return true;
}

// Looks whether a command has come for the task that ran in the slot, which has been handed on since.
// Returns true when the slot is the caller's again; request as in vt_hand_on.
bool vt_check(uint slot, out uint request) {
    request = 0u;
    uint waiting = sched[VT_REQUESTS + slot];
    if (waiting == 0u) {
        return false;
    }
    uvec4 head = ring[slot * 4u];
    bool gone = ring[slot * 4u + 2u].z != vt_command(waiting - 1u).task_id; // the slot has another task by now
    if (gone || head.x == STATE_DONE || head.x == STATE_EMPTY) {
        if (vt_take_request(slot, waiting)) {
            vt_ack(waiting - 1u, ACK_FINISHED, slot, head.x);
        }
        return false;
    }
    if (head.w >= NUM_PRIORITIES || !vt_take_ready(slot)) {
        return false; // somebody has it, and will look when handing it on
    }
    waiting = sched[VT_REQUESTS + slot];
    request = waiting != 0u && vt_take_request(slot, waiting) ? waiting : 0u;
    return true;
}

// One lane's job in a serving.
void vt_do_job(uint job, uint number, uint slot) {
    if (job == JOB_CHECK) {
        uint request;
        if (!vt_check(slot, request)) {
            return;
        }
        job = request != 0u ? JOB_COMMAND : JOB_UNPARK;
        number = request - 1u;
    }
    bool again = true;
    // A slot that is given up before it is handed on is lost. It takes a new command for each round.
    for (uint round = 0u; vt_step(1u) && round < ROLLED(COMMAND_RING) && again; ++round) {
        Task t = vt_load(slot); // each time: others may have had the slot before it came back
        bool notify = (t.flags & FLAG_NOTIFY) != 0u;
        vt_task_id = t.task_id;
        vt_task_opcode = t.opcode;
        bool ended = t.state == STATE_FAULTED || t.state == STATE_DONE;
        vt_change_words(job, number, slot, t);
        vt_store(slot, t);
        if (notify && !ended && (t.state == STATE_FAULTED || t.state == STATE_DONE)) {
            vt_notify(t);
        }
        if (vt_answer != 0u) {
            vt_write_answer(); // before the slot is handed on and another command may find it
        }
        uint request;
        again = vt_hand_on(slot, t, request);
        job = request != 0u ? JOB_COMMAND : JOB_UNPARK;
        number = request - 1u;
    }
    vt_write_event(vt_heartbeat);
    vt_task_id = 0u;
    vt_task_opcode = 0u;
}
