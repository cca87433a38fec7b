// Breakpoints: their conditions are looked at before each activation (package megakernel, breaks.go). Only
// a kernel that is compiled for that has this.
#pragma once
#include "vyretop/outcome.glsl"

#ifdef VT_BREAKS

shared uint sh_break[BREAK_WORDS]; // the program
shared uint sh_hits[MAX_BREAKS];   // of this workgroup since the last serving
uint vt_break_words = 0u;          // of the program
uint vt_held_by = 0u;              // number of the breakpoint that holds this lane's task

// All lanes: copies the program, which is in host memory, to where it is looked at.
void vt_read_breaks(uint steps) {
    vt_break_words = min(steps * 2u, BREAK_WORDS);
    for (uint i = vt_lane; vt_step(1u) && i < vt_break_words; i += VT_LANES) {
        sh_break[i] = INBOX_WORD(uint(INBOX_BREAKS + i));
    }
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(MAX_BREAKS); i += VT_LANES) {
        sh_hits[i] = 0u;
    }
}

uint vt_break_value(uint slot, uint field) {
    if (field < SLOT_WORDS) {
        return ring[slot * 4u + (field >> 2u)][field & 3u];
    }
    return field == BREAK_WORKER ? vt_worker : slot;
}

// Counts a hit. Returns whether the task is to be held.
bool vt_break_hit(uint end, uint before, uint every, uint after, in Task t) {
    uint place = (end >> BREAK_FIELD_BIT) & (MAX_BREAKS - 1u);
    uint number = atomicAdd(sched[SCHED_BREAKS + place], 1u) - before + 1u;
    atomicAdd(sh_hits[place], 1u);
    outbox[OUT_HITS + MAX_BREAKS * MAX_WORKERS + place] = t.task_id;
    bool acts = number > after && (every == 0u || number % max(every, 1u) == 0u);
    if (acts && (end >> BREAK_ACCEPT_BIT & BREAK_LOG) != 0u) {
        vt_log(EVENT_BREAK, LOG_EVENT_BASE + EVENT_BREAK, vt_heartbeat, 3u, place + 1u, number, t.continuation_pc, 0u);
    }
    return acts && (end >> BREAK_ACCEPT_BIT & BREAK_STOP) != 0u;
}

// Looks at all breakpoints before a task is activated. Returns whether it is to be held. An activation is
// looked at once: one that a breakpoint has held back continues when the task is resumed.
bool vt_breaks(uint slot, in Task t) {
    uint stack = 0u;
    vt_held_by = 0u;
    uint words = (t.flags & FLAG_HALTED) != 0u ? 0u : vt_break_words;
    for (uint at = 0u; vt_step(1u) && at < words; at += 2u) {
        uint op = sh_break[at];
        uint value = sh_break[at + 1u];
        uint kind = op & 15u;
        uint top = stack & 1u;
        if (kind == BREAK_TEST) {
            uint have = vt_break_value(slot, (op >> BREAK_FIELD_BIT) & 31u);
            uint outcome = have < value ? 1u : have == value ? 2u : 4u;
            stack = stack << 1u | ((op >> BREAK_ACCEPT_BIT & outcome) != 0u ? 1u : 0u);
        } else if (kind == BREAK_AND) {
            stack = stack >> 1u & (0xFFFFFFFEu | top);
        } else if (kind == BREAK_OR) {
            stack = stack >> 1u | top;
        } else if (kind == BREAK_NOT) {
            stack ^= 1u;
        } else {
            at += 2u;
            if (top != 0u && vt_break_hit(op, value, sh_break[at], sh_break[at + 1u], t) && vt_held_by == 0u) {
                vt_held_by = ((op >> BREAK_FIELD_BIT) & (MAX_BREAKS - 1u)) + 1u;
            }
            stack = 0u;
        }
    }
    return vt_held_by != 0u;
}

// All lanes, when serving: tells the host of the hits.
void vt_flush_hits() {
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(MAX_BREAKS); i += VT_LANES) {
        uint n = atomicExchange(sh_hits[i], 0u);
        if (n != 0u) {
            outbox[OUT_HITS + i * MAX_WORKERS + vt_worker] += n;
        }
    }
}
#endif
