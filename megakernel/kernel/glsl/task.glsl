// What a handler sees: its task, and the ways an activation can end.
#pragma once
#include "vyretop/log.glsl"
#include "vyretop/set.glsl"

struct Task {
    uint state, opcode, tenant, priority;
    uint input_handle, output_handle, param, continuation_pc;
    uint continuation_data, resume_epoch, task_id, parent_task_id;
    uint age_ticks, requeue_count, yield_count, flags;
};

// How the activation ends; a handler that says nothing is done.
#define OUTCOME_DONE 0u
#define OUTCOME_YIELD 1u
#define OUTCOME_REQUEUE 2u
#define OUTCOME_PAUSE 3u
#define OUTCOME_FAULT 4u

uint vt_outcome = 0u;
uint vt_fault_code = 0u;
uint vt_fault_site = 0u; // number of the file << 16 | line
uint vt_left = 0u;         // loop iterations this activation may still use
bool vt_overrun = false;

// First operand of every loop condition in handler files: counts the iteration, and ends all loops
// of an activation that is over its budget. The activation is then faulted, whatever it decides.
bool vt_tick() {
    if (vt_left == 0u) {
        vt_overrun = true;
        return false;
    }
    vt_left--;
    return true;
}

// The same in loops with a barrier, which the lanes of a worker go through together: they come to the end of
// the budget in the same round, so none waits at a barrier that another does not reach.
uint vt_rounds = 0u;

bool vt_round() {
    if (vt_rounds == 0u) {
        vt_overrun = true;
        return false;
    }
    vt_rounds--;
    return true;
}

uint vt_epoch() { return sched[SCHED_EPOCH]; }

Task vt_load(uint slot) {
    uvec4 a = ring[slot * 4u];
    uvec4 b = ring[slot * 4u + 1u];
    uvec4 c = ring[slot * 4u + 2u];
    uvec4 d = ring[slot * 4u + 3u];
    return Task(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w);
}

void vt_store_body(uint slot, in Task t) {
    ring[slot * 4u + 1u] = uvec4(t.input_handle, t.output_handle, t.param, t.continuation_pc);
    ring[slot * 4u + 2u] = uvec4(t.continuation_data, t.resume_epoch, t.task_id, t.parent_task_id);
    ring[slot * 4u + 3u] = uvec4(t.age_ticks, t.requeue_count, t.yield_count, t.flags);
}

void vt_store_head(uint slot, in Task t) { ring[slot * 4u] = uvec4(t.state, t.opcode, t.tenant, t.priority); }

// Stores the words of a slot that is in no set: others come to it after a barrier.
void vt_store_words(uint slot, in Task t) {
    vt_store_body(slot, t);
    vt_store_head(slot, t);
}

// Stores the state last: for a task that is not queued, the state word is what hands it over.
void vt_store(uint slot, in Task t) {
    vt_store_body(slot, t);
    memoryBarrierBuffer();
    vt_store_head(slot, t);
}

void task_done(inout Task t) { vt_outcome = OUTCOME_DONE; }

void vt_fault(inout Task t, uint code, uint site) {
    vt_outcome = OUTCOME_FAULT;
    vt_fault_code = code;
    vt_fault_site = site;
}

// The log says where a fault was asked for; a constant costs nothing until then.
#define task_fault(t, code) vt_fault(t, code, uint(__FILE__) << 16 | uint(__LINE__))

void task_yield(inout Task t, uint pc, uint data) {
    vt_outcome = OUTCOME_YIELD;
    t.continuation_pc = pc;
    t.continuation_data = data;
}

void task_requeue(inout Task t, uint priority, uint pc, uint data) {
    vt_outcome = OUTCOME_REQUEUE;
    t.priority = priority;
    t.continuation_pc = pc;
    t.continuation_data = data;
}

// Pauses until an epoch; why is one of WAIT_: inspectors show it.
void task_pause_for(inout Task t, uint why, uint until_epoch, uint pc, uint data) {
    vt_outcome = OUTCOME_PAUSE;
    t.flags = (t.flags & ~REASON_MASK) | (why << REASON_SHIFT & REASON_MASK);
    t.resume_epoch = until_epoch;
    t.continuation_pc = pc;
    t.continuation_data = data;
}

void task_pause(inout Task t, uint until_epoch, uint pc, uint data) { task_pause_for(t, WAIT_ANY, until_epoch, pc, data); }

#ifdef VT_STOPS
// Stops: what the activation is looked at for while it runs (break.glsl). The kernel knows them by bits.
uint vt_armed = 0u;    // those that are armed
uint vt_hit = 0u;      // those that this lane's activation has reached
uint vt_stop_old = 0u; // of a watched value that has changed: before
uint vt_stop_new = 0u; // and after
uint vt_misses = 0u;   // indexes out of range
uint vt_touched = 0u;  // stops whose watched value it has written
Task vt_began;         // the task as the activation found it

// Each write of a handler that may be to a watched value: the first index that is written and that of the value.
uint vt_touch(uint index, uint watched, uint bit) {
    vt_touched |= index == watched ? bit : 0u;
    return index;
}

bool vt_stops(uint bit) { return (vt_armed & bit) != 0u; }

void vt_before_stops();         // generated
void vt_after_stops(uint slot, in Task t); // generated
void vt_spawns(uint opcode);    // generated

void vt_begin_stops(in Task t) {
    vt_hit = 0u;
    vt_misses = 0u;
    vt_touched = 0u;
    vt_began = t;
    vt_before_stops();
}

// A line only adds its bit, which is quicker than a look whether it is armed.
void vt_end_stops(uint slot, in Task t) {
    vt_after_stops(slot, t);
    vt_hit &= vt_armed;
}
#endif

#ifdef VT_NOTICES
// Every index that is not constant, in handler files, is the result of a call of this.
uint vt_notice_index(uint index, uint length, uint number) {
    vt_misses += index >= length ? 1u : 0u;
    return index;
}
#endif

#ifdef VT_CHECKS
// The first access out of range since the lane last told of one: 1 + its number, or 0. A worker tells of each only once in
// a slice, so that one cannot hide the others for long.
uint vt_missed = 0u;
uint vt_missed_index = 0u;
uint vt_missed_length = 0u;
uint vt_missed_task = 0u;
uint vt_missed_opcode = 0u;
uint vt_told_misses = 0u; // bits of those told of
uint vt_miss_mixer = 1u;  // odd, another one in each slice: accesses that share a bit share none in the next
shared uint sh_told_misses;

uint vt_miss_bit(uint number) { return 1u << ((number + 1u) * vt_miss_mixer >> 27u); }

// Lane 0 before a barrier, and all lanes.
void vt_start_checks(uint slice) {
    vt_miss_mixer = (2u * slice + 1u) * 0x9E3779B1u;
    if (vt_lane == 0u) {
        sh_told_misses = 0u;
    }
}

// Every index that is not constant, in handler files, is the result of a call of this.
uint vt_check_index(uint index, uint length, uint number) {
#ifdef VT_STOPS
    vt_misses += index >= length ? 1u : 0u;
#endif
    if (index >= length && vt_missed == 0u && (vt_told_misses & vt_miss_bit(number)) == 0u) {
        vt_missed = number + 1u;
        vt_missed_index = index;
        vt_missed_length = length;
        vt_missed_task = vt_task_id;
        vt_missed_opcode = vt_task_opcode;
    }
    return index;
}

// Tells the host: package megakernel, outbox.go.
void vt_tell_miss() {
    if (vt_missed != 0u) {
        uint at = VT_CHECKS + (vt_missed - 1u) * (CHECK_WORDS / 4u);
        if (atomicAdd(outbox_quads[at].x, 1u) == 0u) {
            outbox_quads[at].y = vt_missed_index;
            outbox_quads[at].z = vt_missed_length;
            outbox_quads[at].w = vt_missed_task;
            outbox_quads[at + 1u].x = vt_missed_opcode;
            outbox_quads[at + 1u].y = vt_worker | (vt_lane << 16u);
            memoryBarrierBuffer();
            outbox_quads[at + 1u].z = 1u;
        }
        atomicOr(sh_told_misses, vt_miss_bit(vt_missed - 1u));
        vt_missed = 0u;
    }
    vt_told_misses = atomicOr(sh_told_misses, 0u); // what the others tell now is seen the next time
}
#endif
