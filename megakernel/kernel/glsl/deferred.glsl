// Handlers that passes do not run: those of opcodes that are rare (in a kernel that is specialised for the
// others), each on its lane, and those that want the whole workgroup for one task. A scheduling pass leaves such a task
// to serving, its slot still in the lane's hands. So passes do not pay for their code.
#pragma once
#include "vyretop/plan.glsl"

#ifdef VT_DEFERS

#ifdef VT_RARE
void vt_dispatch_rare(inout Task t); // generated
#endif

#ifdef VT_TOGETHER
bool vt_cooperates(uint opcode);         // generated: the handler wants all lanes
void vt_dispatch_together(inout Task t); // generated

shared uint sh_turns;          // tasks that want all lanes,
shared uint sh_turn[VT_LANES]; // their slots,
shared uint sh_decider;        // the first lane that asked for a fault, or VT_NONE
shared uint sh_outcome;        // how the activation ended,
shared uint sh_code;
shared uint sh_site;
shared uint sh_overrun;
shared uint sh_spent;          // and the most iterations of a lane
#ifdef VT_STOPS
shared uint sh_stopped;        // the stops that lanes have reached,
shared uvec2 sh_stop_values;   // and the watched value that has changed, in one of them
uint vt_owed_hit = 0u;
uvec2 vt_owed_values = uvec2(0u);
#endif

// How the activation ended that this lane has to settle: all lanes run tasks of others in between.
uint vt_owed_outcome = 0u;
uint vt_owed_code = 0u;
uint vt_owed_site = 0u;
bool vt_owed_overrun = false;

// All lanes run the task in a slot. What lane 0 has made of it counts, and a fault that any lane asks for.
void vt_run_together(uint slot) {
    Task t = vt_load(slot);
    vt_sync(); // everybody has read the slot and the last activation's outcome
    uint before = vt_own_iterations;
    vt_overrun = false;
    vt_renew();
    if (vt_lane == 0u) {
        before = vt_begin(slot, t);
        sh_overrun = 0u;
        sh_spent = 0u;
        sh_decider = VT_NONE;
#ifdef VT_STOPS
        sh_stopped = 0u;
#endif
    }
    vt_rounds = vt_budget;
    t.state = STATE_RUNNING;
    vt_task_id = t.task_id;
    vt_task_opcode = t.opcode;
    vt_sync_all();
#ifdef VT_STOPS
    Task began = vt_began; // of this lane's own task, which it owes
    vt_begin_stops(t);
    vt_dispatch_together(t);
    vt_end_stops(slot, t);
    if (vt_hit != 0u) {
        atomicOr(sh_stopped, vt_hit);
        sh_stop_values = uvec2(vt_stop_old, vt_stop_new);
    }
    bool own = vt_owe == JOB_RUN && vt_slot == slot;
    if (!own) {
        vt_began = began;
    }
#else
    vt_dispatch_together(t);
#endif
    if (vt_overrun) {
        atomicOr(sh_overrun, 1u);
    }
    if (vt_outcome == OUTCOME_FAULT) {
        atomicMin(sh_decider, vt_lane);
    }
    atomicMax(sh_spent, vt_spent(before, 2u * vt_budget - vt_left - vt_rounds));
    vt_sync(); // the first lane of those that fault is known
    if (vt_lane == 0u) {
        vt_store(slot, t);
    }
    if (vt_lane == (sh_decider == VT_NONE ? 0u : sh_decider)) {
        sh_outcome = vt_outcome;
        sh_code = vt_fault_code;
        sh_site = vt_fault_site;
    }
    vt_sync_all();
    if (vt_lane == 0u) {
        atomicAdd(sh_iterations, sh_spent);
    }
    if (vt_owe == JOB_RUN && vt_slot == slot) {
        vt_owed_outcome = sh_outcome;
        vt_owed_code = sh_code;
        vt_owed_site = sh_site;
        vt_owed_overrun = sh_overrun != 0u;
#ifdef VT_STOPS
        vt_owed_hit = sh_stopped;
        vt_owed_values = sh_stop_values;
#endif
        vt_owe = JOB_SETTLE;
    }
}

// This lane's task goes back, unchanged, to the set where it waited: another worker may run it. If a command comes for it
// in the meantime, this serving finds that afterwards (JOB_CHECK).
void vt_leave_to_others() {
    Task t = vt_load(vt_slot);
    vt_owe = JOB_UNPARK; // its tenant must wait
    if (vt_tenant_allowed(t.tenant)) {
        vt_owe = JOB_NONE;
        vt_set_add(SET_READY0 + vt_ready_set_of(t), vt_slot >> 5u, 1u << (vt_slot & 31u));
    }
}

// A scheduling pass claims a task for each lane. If the worker ran all that want the whole worker, others would be idle
// while these wait for each other, so it keeps its share. Breakpoints have seen the tasks and count them once.
uint vt_share_of_turns(uint turns) {
#ifdef VT_BREAKS
    return turns;
#else
    return (turns + vt_workers_now - 1u) / vt_workers_now;
#endif
}

// Runs the tasks that want all lanes one after the other. What their handlers cost is part of a pass.
void vt_take_turns() {
    vt_owed_outcome = vt_outcome;
    vt_owed_code = vt_fault_code;
    vt_owed_site = vt_fault_site;
    vt_owed_overrun = vt_overrun;
#ifdef VT_STOPS
    vt_owed_hit = vt_hit;
    vt_owed_values = uvec2(vt_stop_old, vt_stop_new);
#endif
    if (vt_lane == 0u) {
        sh_turns = 0u;
    }
    vt_sync();
    uint turn = VT_NONE;
    if (vt_owe == JOB_RUN && vt_cooperates(ring[vt_slot * 4u].y)) {
        turn = atomicAdd(sh_turns, 1u);
        sh_turn[turn] = vt_slot;
    }
    vt_sync();
    uint turns = vt_share_of_turns(sh_turns);
    if (turn != VT_NONE && turn >= turns) {
        vt_leave_to_others();
    }
    vt_sync_all();
    for (uint i = 0u; vt_step(vt_pass_cost) && i < turns; ++i) {
        vt_run_together(sh_turn[i]);
    }
    vt_outcome = vt_owed_outcome;
    vt_fault_code = vt_owed_code;
    vt_fault_site = vt_owed_site;
    vt_overrun = vt_owed_overrun;
#ifdef VT_STOPS
    vt_hit = vt_owed_hit;
    vt_stop_old = vt_owed_values.x;
    vt_stop_new = vt_owed_values.y;
#endif
}
#endif

// All lanes: what the passes have left.
void vt_run_deferred() {
#ifdef VT_TOGETHER
    vt_take_turns();
#endif
#ifdef VT_RARE
    if (vt_owe == JOB_RUN) {
        Task t = vt_load(vt_slot);
        vt_task_id = t.task_id;
        vt_task_opcode = t.opcode;
        uint before = vt_begin(vt_slot, t);
        vt_renew();
#ifdef VT_STOPS
        vt_begin_stops(t);
        vt_dispatch_rare(t);
        vt_end_stops(vt_slot, t);
#else
        vt_dispatch_rare(t);
#endif
        atomicAdd(sh_iterations, vt_spent(before, vt_budget - vt_left));
        t.state = STATE_RUNNING;
        vt_store(vt_slot, t);
        vt_owe = JOB_SETTLE;
    }
#endif
    vt_task_id = 0u;
    vt_task_opcode = 0u;
}
#endif
