// Where a worker's time goes: in handlers, in looking for something to do, and in all. The clock is the
// device's where kernels have one, else the loop iterations that the worker has used.
#pragma once
#include "vyretop/set.glsl"

shared uint sh_iterations; // loop iterations of handlers in this slice

// Upper bound of the loop iterations that the lanes of this workgroup have used.
uint vt_used() { return vt_own_iterations + sh_iterations; }

// The kernel language has no word for a clock, nor for the unit of the device that a worker is on. Where the
// device has them, macros in front of the text that the driver gets (assemble.go) take the place of these
// constructors.
struct VtNow { uint x; };
struct VtUnit { uint x; };
#ifdef VT_TIMES
uint vt_now() { return VtNow(vt_used()).x; }
#endif
uint vt_unit() { return VtUnit(0u).x; } // number of the unit plus one, or 0

#ifdef VT_TIMES
#define TIMES 3u // WK_TICKS, WK_HANDLER_TICKS and WK_IDLE_TICKS, which follow each other
uint vt_time = 0u;                       // at the last flush (lane 0, like the others)
uint vt_spent[TIMES] = uint[](0u, 0u, 0u); // in all, in handlers and idle, since the last flush
uint vt_told[TIMES] = uint[](0u, 0u, 0u);  // what the worker table says

void vt_start_times() {
    uint at = vt_worker * WORKER_WORDS + WK_TICKS;
    for (uint i = 0u; vt_step(1u) && i < ROLLED(TIMES); ++i) {
        vt_told[i] = workers[at + i];
    }
    vt_time = vt_now();
}

// Tells the host. The words count VT_TICK ticks each, so that they do not wrap between two looks of it;
// what is left over is kept.
void vt_flush_times() {
    uint at = vt_worker * WORKER_WORDS + WK_TICKS;
    uint now = vt_now();
    vt_spent[0] += now - vt_time;
    vt_time = now;
    for (uint i = 0u; vt_step(1u) && i < ROLLED(TIMES); ++i) {
        vt_told[i] += vt_spent[i] / VT_TICK;
        vt_spent[i] %= VT_TICK;
        workers[at + i] = vt_told[i];
    }
}
#endif
