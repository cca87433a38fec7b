// The debug log: a ring whose records carry a sequence number. The words of a record: package megakernel,
// log.go; a test compares.
#pragma once
#include "vyretop/buffers.glsl"

uint vt_bits(uint v) { return v; }
uint vt_bits(int v) { return uint(v); }
uint vt_bits(float v) { return floatBitsToUint(v); }
uint vt_bits(bool v) { return v ? 1u : 0u; }

void vt_log(uint format, uint count, uint a0, uint a1, uint a2, uint a3) {
    uint number = atomicAdd(sched[SCHED_LOG_CURSOR], 1u);
    uint at = (LOG_HEADER_WORDS + (number & (VT_LOG_RECORDS - 1u)) * LOG_RECORD_WORDS) / 4u;
    log_quads[at].x = number; // no record of this place ends up with this sequence word
    memoryBarrierBuffer();
    log_quads[at] = uvec4(number, format, vt_worker | (vt_lane << 16u), vt_task_id);
    log_quads[at + 1u] = uvec4(vt_task_opcode, vt_heartbeat, 0u, count);
    log_quads[at + 2u] = uvec4(a0, a1, a2, a3);
    memoryBarrierBuffer();
    log_quads[at].x = number + 1u;
}

// debugf("text %u", x) in a handler becomes a call of this.
void vt_debugf(uint format, uint count, uint a0, uint a1, uint a2, uint a3) {
    if ((vt_log_mask & LOG_DEBUGF) != 0u) {
        vt_log(format, count, a0, a1, a2, a3);
    }
}
