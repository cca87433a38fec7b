// Between passes: wait for something to do, and import new tasks.
#pragma once
#include "vyretop/import.glsl"

// Of lane 0.
uint vt_idle_limit;

// Calls that may wait for a scheduling pass: what seemed ready may be gone by the time it is planned for.
#define PATIENT_CALLS 4u
uint vt_calls_left = 0u;

// Looks that find nothing before serving: it publishes the counters and decides whether to leave.
#define PATIENCE 2048u

// What calls from the words that everybody may write, or GO_PASS. Between two servings there is a scheduling pass, if there
// is something to run: a host that always has another command would keep all tasks waiting.
uint vt_called(uvec4 bell) {
    bool called = sched[SCHED_ATTENTION] != vt_attention || bell.y != vt_seen_commands || bell.z != vt_seen_epochs;
    bool pass_first = !vt_dirty && vt_want != 0u && (vt_planned || vt_work) && vt_calls_left != 0u;
    if (called && pass_first) {
        vt_calls_left--;
        called = false;
    }
    bool must = int(bell.w - vt_slice) >= 0 || vt_dirty && sched[SCHED_PENDING] != 0u;
    return called || must ? GO_SERVE : GO_PASS;
}

// Lane 0: looks for something to do, at most that many times. Returns the bell's count of tasks.
uint vt_wait(uint patience) {
    uint tasks = vt_seen_tasks;
    uint room = vt_iteration_limit - min(vt_used(), vt_iteration_limit);
    patience = min(patience, room);
    vt_next = GO_SERVE;
    for (uint n = 0u; vt_step(1u) && n < patience; ++n) {
        uvec4 bell = uvec4(tasks, vt_seen_commands, vt_seen_epochs, vt_slice - 1u);
        if (vt_polls) {
            bell = inbox[0];
            vt_bell = bell;
            vt_heard = true;
        }
        tasks = bell.x;
        uint apex = sched[SCHED_APEX] & 0x1Fu;
        vt_work = apex != 0u;
        uint next = vt_called(bell);
        if (next == GO_PASS && !vt_planned && tasks == vt_seen_tasks) {
            next = vt_work && vt_want != 0u ? GO_PLAN : GO_WAIT;
        }
        if (next != GO_WAIT) {
            vt_next = next;
            break;
        }
        vt_idle++;
    }
    return tasks;
}

// Lane 0: waits, and says what is next if that is not an import.
uint vt_await() {
    sh_width = vt_want;
    bool ready = vt_step_phase == STEP_RUN; // its task is claimed
    uint began = vt_now();
    uint tasks = vt_wait(ready || vt_planned || vt_sweeping ? 1u : PATIENCE);
    vt_add_time(TIME_IDLE, began);
    if (ready) {
        vt_next = GO_SERVE; // no import
        sh_width = 0u;
    }
    bool locked = vt_begin_import(tasks);
    vt_next = ready ? GO_PASS : vt_next;
    if (!locked) {
        sh_next = vt_next == GO_PASS && !vt_planned && !ready ? GO_WAIT : vt_next;
    }
    return tasks;
}

// All lanes: waits, imports, and leaves in sh_next whether passes follow.
void vt_between_passes() {
    vt_sync(); // everybody has read sh_next
    uint tasks = 0u;
    if (vt_lane == 0u) {
        tasks = vt_await();
    }
    vt_sync(); // and lane 0 has seen the bell before others read entries: getting the lock has a fence
    uint reads = sh_reads;
    if (reads != 0u) {
        vt_import(reads - 1u, tasks);
    }
}
