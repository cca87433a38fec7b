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
uint vt_unit() { return VtUnit(vt_lane).x; } // of lane 0: number of the unit plus one, or 0. Not a constant, which would be folded

// Words WK_TICKS, WK_HANDLER_TICKS and WK_IDLE_TICKS, which follow each other.
#define TIME_ALL 0u
#define TIME_HANDLERS 1u
#define TIME_IDLE 2u
#define TIMES 3u

#ifdef VT_TIMES
uint vt_time = 0u;                         // at the last flush (lane 0, like the others)
uint vt_times[TIMES] = uint[](0u, 0u, 0u); // since the last flush
uint vt_told[TIMES] = uint[](0u, 0u, 0u);  // what the worker table says

uint vt_now() { return VtNow(vt_used()).x; }

void vt_add_time(uint kind, uint began) { vt_times[kind] += vt_now() - began; }

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
    vt_times[TIME_ALL] += now - vt_time;
    vt_time = now;
    for (uint i = 0u; vt_step(1u) && i < ROLLED(TIMES); ++i) {
        vt_told[i] += vt_times[i] / VT_TICK;
        vt_times[i] %= VT_TICK;
        workers[at + i] = vt_told[i];
    }
}
#else // reading a clock takes a few hundredths of a scheduling pass
uint vt_now() { return 0u; }
void vt_add_time(uint kind, uint began) {}
void vt_start_times() {}
void vt_flush_times() {}
#endif
