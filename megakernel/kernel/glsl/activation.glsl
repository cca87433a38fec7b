// One activation of one task: the same functions that a resident worker runs, without its loop. Settings, slots and
// buffers are those that a capture holds (package megakernel/capture).
#pragma once
#include "vyretop/worker.glsl"

#ifdef VT_TOGETHER
void vt_activation_run(uint slot) {
    vt_owe = vt_lane == VT_ACTIVATION_LANE ? JOB_RUN : JOB_NONE;
    vt_take_turns();
}
#else
void vt_activation_run(uint slot) {
    if (vt_lane == VT_ACTIVATION_LANE) {
        Task t = vt_load(slot);
        vt_task_id = t.task_id;
        vt_task_opcode = t.opcode;
        bool settled = vt_run(slot, t);
        vt_owe = settled ? JOB_NONE : JOB_SETTLE;
        t.state = settled ? t.state : STATE_RUNNING;
        vt_store_head(slot, t);
    }
}
#endif

// What a command that resumes the task makes of its words. A faulted task runs again with what its fault has left.
void vt_activation_prepare(uint slot) {
    Task t = vt_load(slot);
    if (!vt_schedulable(t.state)) {
        vt_make_ready(t);
        vt_store(slot, t);
    }
}

void vt_activation() {
    vt_start();
    vt_worker = VT_ACTIVATION_WORKER;
    vt_tells = false;
    vt_burst = 1u;
    vt_log_mask |= 1u << EVENT_NONE;
    vt_log_opcodes = 0u;
    vt_slot = VT_ACTIVATION_SLOT;
    if (vt_lane == VT_ACTIVATION_LANE) {
        vt_activation_prepare(vt_slot);
    }
    vt_sync_all();
    vt_activation_run(vt_slot);
    vt_sync_all();
    if (vt_lane == VT_ACTIVATION_LANE && vt_owe == JOB_SETTLE) {
        Task t = vt_load(vt_slot);
        if (!vt_settle_quickly(t)) {
            vt_settle(t);
        }
        vt_store(vt_slot, t);
    }
    if (vt_lane == VT_ACTIVATION_LANE && vt_event == EVENT_FAULT) {
        vt_log(EVENT_FAULT, LOG_EVENT_BASE + EVENT_FAULT, vt_heartbeat, 2u, vt_event_a, vt_event_b, 0u, 0u);
    }
}
