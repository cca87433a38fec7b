// The debug log: two rings whose records carry a sequence number. The words of a record: package megakernel,
// log.go; a test compares.
#pragma once
#include "vyretop/buffers.glsl"

uint vt_bits(uint v) { return v; }
uint vt_bits(int v) { return uint(v); }
uint vt_bits(float v) { return floatBitsToUint(v); }
uint vt_bits(bool v) { return v ? 1u : 0u; }

// Settings of this slice: bit k says whether records of kind k are written, bits of the heartbeat that are 0 in the
// passes whose outcomes are, and opcodes that the log is restricted to, of which there are vt_log_opcodes.
uint vt_log_mask = 0u;
uint vt_log_every = 0u;
uint vt_log_opcodes = 0u;
uvec4 vt_log_opcode = uvec4(0u);

// Whether records of a kind are written of the running task.
bool vt_logs(uint kind) {
    uint op = vt_task_opcode;
    bool named = op == vt_log_opcode.x || op == vt_log_opcode.y || op == vt_log_opcode.z || op == vt_log_opcode.w;
    return (vt_log_mask >> kind & 1u) != 0u && (vt_log_opcodes == 0u || named || kind == EVENT_FAULT);
}

// Whether what activations of a pass have come to is written.
bool vt_logs_pass(uint heartbeat) { return ((heartbeat + vt_worker) & vt_log_every) == 0u; }

void vt_log(uint kind, uint format, uint heartbeat, uint count, uint a0, uint a1, uint a2, uint a3) {
    uint own = LOG_OWN_KINDS >> kind & 1u;
    uint mark = own != 0u ? sched[SCHED_LOG_CURSOR] : 0u;
    uint number = atomicAdd(sched[SCHED_LOG_CURSOR + own], 1u);
    if (kind != EVENT_NONE) {
        atomicAdd(sched[SCHED_LOG_KINDS + kind], 1u);
    }
    uint at = (LOG_HEADER_WORDS + (own * VT_LOG_RECORDS + (number & (VT_LOG_RECORDS - 1u))) * LOG_RECORD_WORDS) / 4u;
    log_quads[at].x = number; // no record of this place ends up with this sequence word
    memoryBarrierBuffer();
    log_quads[at] = uvec4(number, format, vt_worker | (vt_lane << 16u), vt_task_id);
    log_quads[at + 1u] = uvec4(vt_task_opcode, heartbeat, mark, count);
    log_quads[at + 2u] = uvec4(a0, a1, a2, a3);
    memoryBarrierBuffer();
    log_quads[at].x = number + 1u;
}

// debugf("text %u", x) in a handler becomes a call of this.
void vt_debugf(uint format, uint count, uint a0, uint a1, uint a2, uint a3) {
    if (vt_logs(EVENT_NONE)) {
        vt_log(EVENT_NONE, format, vt_heartbeat, count, a0, a1, a2, a3);
    }
}
