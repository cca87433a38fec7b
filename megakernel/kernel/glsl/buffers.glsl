// The protocol's buffers. What each word means: package megakernel. What is written as a whole is made of
// vectors: a store of four words takes hardly longer than one of a word, and crosses a bus once.
#pragma once
#include "vyretop/abi.glsl"

layout(std430, binding = BIND_CONTROL) coherent volatile buffer Control { uint control[]; };
layout(std430, binding = BIND_RING) coherent buffer Ring { uvec4 ring[]; };
layout(std430, binding = BIND_LOG) coherent buffer Log { uvec4 log_quads[]; };
layout(std430, binding = BIND_IO) coherent volatile buffer IoQueue { uint io_words[]; };
layout(std430, binding = BIND_SCHED) coherent volatile buffer Sched { uint sched[]; };
layout(std430, binding = BIND_INBOX) coherent volatile readonly buffer Inbox { uvec4 inbox[]; };
layout(std430, binding = BIND_OUTBOX) coherent volatile buffer Outbox { uint outbox[VT_OUTBOX_WORDS]; uvec4 outbox_quads[]; };
layout(std430, binding = BIND_WORKERS) coherent volatile buffer Workers { uint workers[]; };

// Word i of the inbox. The bell is one 16-byte read, so the buffer is made of vectors.
#define INBOX_WORD(i) inbox[(i) >> 2u][(i) & 3u]

// Drivers unroll loops whose trip count they can see, and some compile the copies for minutes. ROLLED
// hides a constant trip count: vt_zero is 0, which only the host knows.
uint vt_zero = 0u;
#define ROLLED(n) ((n) + vt_zero)

// What every lane knows about itself.
uint vt_worker = 0u;       // number of the workgroup
uint vt_lane = 0u;         // number inside it
uint vt_heartbeat = 0u;    // passes since launch
uint vt_task_id = 0u;      // of the running task, or of the last one
uint vt_task_opcode = 0u;
