// What a worker knows: the shared memory of passes, the settings of the slice, and what lane 0 keeps from one pass to
// the next.
#pragma once
#include "vyretop/poll.glsl"

#define PUT_SETS (NUM_PRIORITIES + 1u)  // the ready sets, and the free one
#define PUT_FREE NUM_PRIORITIES

// Rows: each claimer of a scheduling pass has one, and each of an import.
#if VT_CLAIMERS > 1
#define VT_ROWS 32u
#else
#define VT_ROWS 1u
#endif
#if VT_CLAIMERS > 1
#define PLANNED(name) shared uint name
#else
#define PLANNED(name) uint name = 0u // only lane 0 claims and plans; others need not see it
#endif
shared uint sh_leaf[VT_ROWS];           // leaf of the row
shared uint sh_bits[VT_ROWS];           // slots taken from it
shared uint sh_put[PUT_SETS * VT_ROWS]; // slots of it to be added to a set
#if VT_CLAIMERS > 1
shared uint sh_filled;                  // slots of all rows that the next pass runs
#endif
shared uint sh_from;                    // set that they were taken from; VT_NONE: they are in none
PLANNED(sh_plan_set);                // the plan: the set,
PLANNED(sh_region);                  // the region,
PLANNED(sh_own);                     // the leaves of a region that this worker takes from first,
PLANNED(sh_at);                      // slot of the region where the search continues,
shared uint sh_reach;                   // (set during a claim)
PLANNED(sh_around);                  // non-zero: the region is the only one; go round in it
PLANNED(sh_width);                   // tasks a scheduling pass may claim; 0: what a scheduling pass starts with was claimed before
#if VT_CLAIMERS == 1 && !defined(VT_NARROW)
#define VT_GOES_OVER
shared uint sh_there[NUM_PRIORITIES];   // of each ready set, a slot of the leaf that the pass had plus one, or 0
#endif
shared uint sh_next;                    // what comes after the pass, a GO_ value
shared uint sh_owed;                    // non-zero: a lane has something for serving to settle

// What comes next; each includes leaving the loops of those above it.
#define GO_SERVE 0u
#define GO_PLAN 1u
#define GO_WAIT 2u
#define GO_PASS 3u

// Settings of this slice, the same for all lanes.
uint vt_slice;
uint vt_workers_now;
uint vt_iteration_limit;
uint vt_budget;
uint vt_pass_cost = 1u;
uint vt_schedule_cost = 1u;
uint vt_tick_cost = 1u;

// A task that yields keeps its lane for some activations more, as long as they are short: what a scheduling pass costs
// beside its activations is then paid once for all of them. What the host wants of a task waits for them, so
// together they may have that many iterations of loops that the last one begins.
uint vt_burst = 1u;     // activations that a task may have in a scheduling pass
uint vt_burst_end = 0u; // iterations that end them

// A serving is due after that many passes. Scheduling passes that run what they have imported follow no plan and keep no other
// task waiting; if they counted as much, one task in as many as a serving allows passes would wait for it.
#define PASS_OF_A_PLAN 16u

// Stepping: a scheduling pass claims one task, serving keeps its words, another pass runs it, serving keeps them again.
#define STEP_NONE 0u
#define STEP_CLAIM 1u
#define STEP_RUN 2u

// Of lane 0.
uint vt_step_phase = STEP_NONE;
uint vt_step_request = 0u;  // whose step it is: WC_REQUEST
uint vt_step_bits = 0u;     // what the pass has claimed, in leaf sh_leaf[0]
bool vt_planned = false;    // there is a plan
bool vt_exhausted = false;  // and it has nothing more
uint vt_hungry = VT_NONE;   // priority whose turn it is, because others have overtaken it
uint vt_stale = VT_NONE;    // set * VT_SLOTS + leaf that was found empty although the summary named it
uint vt_last_leaf = VT_NONE; // word of the only leaf that the plan seems to have, where the region is the only one
uint vt_passes_left = 0u;     // before serving
uint vt_plan_began = 0u;    // vt_used() when the plan was made
bool vt_polls = false;      // this worker looks at the bell between passes
bool vt_dirty = false;      // passes were run since the last serving
uint vt_stride = 1u;        // passes between looks for a higher priority: if all looked at once, all would fall upon the same few tasks
bool vt_near = false;       // host memory is as near as the device's own
bool vt_tells = false;      // this pass is told in the worker table
uvec4 vt_bell = uvec4(0u);  // what this worker saw of the bell last
bool vt_heard = false;      // since the last serving
uint vt_attention = 0u;     // what the last serving saw of the call for attention, and of the bell
uint vt_seen_commands = 0u;
uint vt_seen_epochs = 0u;
uint vt_seen_tasks = 0u;    // tasks of the bell that need no look any longer
uint vt_idle = 0u;          // looks that found nothing, since the last pass
uint vt_claims = 0u;
uint vt_empty = 0u;
uint vt_lanes_last = 0u;
uint vt_lane_sum = 0u;
