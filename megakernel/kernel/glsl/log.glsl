// The debug log: a ring whose records carry a sequence number (package megakernel, log.go).
#pragma once
#include "vyretop/buffers.glsl"

uint vt_bits(uint v) { return v; }
uint vt_bits(int v) { return uint(v); }
uint vt_bits(float v) { return floatBitsToUint(v); }
uint vt_bits(bool v) { return v ? 1u : 0u; }

void vt_log(uint format, uint count, uint a0, uint a1, uint a2, uint a3) {
    uint number = atomicAdd(sched[SCHED_LOG_CURSOR], 1u);
    uint at = LOG_HEADER_WORDS + (number & (VT_LOG_RECORDS - 1u)) * LOG_RECORD_WORDS;
    log_words[at + LOG_SEQ] = number; // no record of this place ends up with this sequence word
    memoryBarrierBuffer();
    log_words[at + LOG_FORMAT] = format;
    log_words[at + LOG_WORKER] = vt_worker | (vt_lane << 16u);
    log_words[at + LOG_TASK] = vt_task_id;
    log_words[at + LOG_OPCODE] = vt_task_opcode;
    log_words[at + LOG_TIME] = vt_heartbeat;
    log_words[at + LOG_TIME + 1u] = 0u;
    log_words[at + LOG_ARGS] = count;
    log_words[at + LOG_ARG0] = a0;
    log_words[at + LOG_ARG0 + 1u] = a1;
    log_words[at + LOG_ARG0 + 2u] = a2;
    log_words[at + LOG_ARG0 + 3u] = a3;
    memoryBarrierBuffer();
    log_words[at + LOG_SEQ] = number + 1u;
}

// debugf("text %u", x) in a handler becomes a call of this.
void vt_debugf(uint format, uint count, uint a0, uint a1, uint a2, uint a3) {
    if ((vt_log_mask & LOG_DEBUGF) != 0u) {
        vt_log(format, count, a0, a1, a2, a3);
    }
}
