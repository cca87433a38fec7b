// Handlers that laps do not run: those of opcodes that are rare (in a kernel that is specialised for the
// others), each on its lane, and those that want the whole workgroup for one task. A lap leaves such a task
// to serving, its slot still in the lane's hands. So laps do not pay for their code.
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
shared uint sh_outcome;        // how the activation ended,
shared uint sh_code;
shared uint sh_site;
shared uint sh_overrun;
shared uint sh_spent;          // and the most iterations of a lane

// How the activation ended that this lane has to settle: all lanes run tasks of others in between.
uint vt_owed_outcome = 0u;
uint vt_owed_code = 0u;
uint vt_owed_site = 0u;
bool vt_owed_overrun = false;

// All lanes run the task in a slot. What lane 0 has made of it counts.
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
    }
    vt_rounds = vt_budget;
    t.state = STATE_RUNNING;
    vt_task_id = t.task_id;
    vt_task_opcode = t.opcode;
    vt_sync_all();
    vt_dispatch_together(t);
    if (vt_overrun) {
        atomicOr(sh_overrun, 1u);
    }
    atomicMax(sh_spent, vt_spent(before, 2u * vt_budget - vt_left - vt_rounds));
    if (vt_lane == 0u) {
        vt_store(slot, t);
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
        vt_owe = JOB_SETTLE;
    }
}

// Runs the tasks that want all lanes one after the other. What their handlers cost is part of a pass.
void vt_take_turns() {
    vt_owed_outcome = vt_outcome;
    vt_owed_code = vt_fault_code;
    vt_owed_site = vt_fault_site;
    vt_owed_overrun = vt_overrun;
    if (vt_lane == 0u) {
        sh_turns = 0u;
    }
    vt_sync();
    if (vt_owe == JOB_RUN && vt_cooperates(ring[vt_slot * 4u].y)) {
        sh_turn[atomicAdd(sh_turns, 1u)] = vt_slot;
    }
    vt_sync();
    for (uint i = 0u; vt_step(vt_pass_cost) && i < sh_turns; ++i) {
        vt_run_together(sh_turn[i]);
    }
    vt_outcome = vt_owed_outcome;
    vt_fault_code = vt_owed_code;
    vt_fault_site = vt_owed_site;
    vt_overrun = vt_owed_overrun;
}
#endif

// All lanes: what the laps have left.
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
        vt_dispatch_rare(t);
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
