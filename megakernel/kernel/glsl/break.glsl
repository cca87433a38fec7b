// Breakpoints: conditions that are looked at before each activation, and stops inside of handlers (package megakernel,
// breaks.go). Only a kernel that is compiled for them has this.
#pragma once
#include "vyretop/outcome.glsl"

#ifdef VT_HOLDS

shared uint sh_hits[MAX_BREAKS]; // of this workgroup since the last serving
uint vt_held_by = 0u;            // number of the breakpoint that holds this lane's task,
uint vt_hit_number = 0u;         // and of the last hit that was counted

// Counts a hit of a breakpoint by a task with these words. Returns whether the task is to be held.
bool vt_break_hit(uint end, uint before, uint every, uint after, in Task t) {
    uint place = (end >> BREAK_FIELD_BIT) & (MAX_BREAKS - 1u);
    uint number = atomicAdd(sched[SCHED_BREAKS + place], 1u) - before + 1u;
    vt_hit_number = number;
    atomicAdd(sh_hits[place], 1u);
    outbox[OUT_HITS + MAX_BREAKS * MAX_WORKERS + place] = t.task_id;
    bool acts = number > after && (every == 0u || number % max(every, 1u) == 0u);
    if (acts && (end >> BREAK_ACCEPT_BIT & BREAK_LOG) != 0u) {
        vt_log(EVENT_BREAK, LOG_EVENT_BASE + EVENT_BREAK, vt_heartbeat, 3u, place + 1u, number, t.continuation_pc, 0u);
    }
    return acts && (end >> BREAK_ACCEPT_BIT & BREAK_STOP) != 0u;
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

// Holds a task for the breakpoint vt_held_by. Flags say what else there is to know.
void vt_hold_for_break(inout Task t, uint flags) {
    vt_hold(t);
    t.flags = (t.flags & ~(REASON_MASK | STOP_MASK | FLAG_STOP | FLAG_ENDED)) | FLAG_HALTED | flags | (vt_held_by << REASON_SHIFT);
}
#endif

#ifdef VT_BREAKS

shared uint sh_break[BREAK_WORDS]; // the program
uint vt_break_words = 0u;          // of the program

uint vt_break_value(uint slot, uint field) {
    if (field < SLOT_WORDS) {
        return ring[slot * 4u + (field >> 2u)][field & 3u];
    }
    return field == BREAK_WORKER ? vt_worker : field == BREAK_SLOT ? slot : vt_epoch();
}

// Looks at all breakpoints before a task is activated. Returns whether it is to be held. An activation is
// looked at once: one that a breakpoint has held back continues when the task is resumed.
bool vt_breaks(uint slot, in Task t) {
    uint stack = 0u;
    vt_held_by = 0u;
    uint words = (t.flags & (FLAG_HALTED | FLAG_ENDED)) == FLAG_HALTED ? 0u : vt_break_words;
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
#endif

#ifdef VT_HOLDS
// All lanes: copies the program, which is in host memory, to where it is looked at.
void vt_read_breaks(uint setting) {
#ifdef VT_BREAKS
    vt_break_words = min((setting & 0xFFFFu) * 2u, BREAK_WORDS);
    for (uint i = vt_lane; vt_step(1u) && i < vt_break_words; i += VT_LANES) {
        sh_break[i] = INBOX_WORD(uint(INBOX_BREAKS + i));
    }
#endif
#ifdef VT_STOPS
    vt_armed = setting >> 16u;
#endif
    for (uint i = vt_lane; vt_step(1u) && i < ROLLED(MAX_BREAKS); i += VT_LANES) {
        sh_hits[i] = 0u;
    }
}
#endif

#ifdef VT_STOPS
// Keeps how the activation began that has ended, for the host. hit is the number of the hit that holds the task.
void vt_keep_beginning(uint slot, uint hit) {
    uint at = VT_STOPS + (slot % VT_KEPT) * (KEPT_WORDS / 4u);
    Task t = vt_began;
    outbox_quads[at] = uvec4(vt_held_by, vt_worker | (vt_lane << 16u), hit, 0u);
    outbox_quads[at + 1u] = uvec4(vt_stop_old, vt_stop_new, vt_epoch(), 0u);
    outbox_quads[at + 2u] = uvec4(t.state, t.opcode, t.tenant, t.priority);
    outbox_quads[at + 3u] = uvec4(t.input_handle, t.output_handle, t.param, t.continuation_pc);
    outbox_quads[at + 4u] = uvec4(t.continuation_data, t.resume_epoch, t.task_id, t.parent_task_id);
    outbox_quads[at + 5u] = uvec4(t.age_ticks, t.requeue_count, t.yield_count, t.flags);
}

// Counts the stops that the activation has reached. Returns the number of the hit that holds the task, 0 for none.
uint vt_count_stops() {
    uint hit = 0u;
    vt_held_by = 0u;
    for (uint i = 0u; vt_step(1u) && i < ROLLED(MAX_BREAKS); ++i) {
        uint at = INBOX_BREAKS + BREAK_WORDS - STOP_WORDS * (i + 1u);
        uint end = (vt_hit >> i & 1u) != 0u ? INBOX_WORD(at) : 0u;
        if (end != 0u && vt_break_hit(end, INBOX_WORD(at + 1u), INBOX_WORD(at + 2u), INBOX_WORD(at + 3u), vt_began) && vt_held_by == 0u) {
            vt_held_by = ((end >> BREAK_FIELD_BIT) & (MAX_BREAKS - 1u)) + 1u;
            hit = vt_hit_number;
        }
    }
    return hit;
}

// Settles an activation that has reached a stop. One that is to be held has ended all the same: a task that is done waits
// as a NOP, which ends it when it is resumed, also in a kernel without stops; one that pauses for an epoch is held when that
// has come.
void vt_settle_stopped(uint slot, inout Task t) {
    uint hit = vt_count_stops();
    bool holds = vt_held_by != 0u;
    if (holds) {
        vt_keep_beginning(slot, hit);
    }
    bool ends = vt_outcome == OUTCOME_DONE && !vt_overrun && t.priority < NUM_PRIORITIES;
    if (holds && ends) {
        t.opcode = 0u;
        vt_hold_for_break(t, FLAG_ENDED);
        return;
    }
    bool quick = vt_settle_quickly(t);
    if (!quick) {
        vt_settle(t);
    }
    if (holds && quick) {
        vt_hold_for_break(t, FLAG_ENDED);
    } else if (holds && t.state == STATE_PAUSED) {
        t.flags = (t.flags & ~STOP_MASK) | FLAG_STOP | (vt_held_by << STOP_SHIFT);
    }
}

// Whether a stop in the activation before holds the task now, because it had to wait for an epoch.
bool vt_stopped_before(in Task t) {
    bool stopped = (t.flags & FLAG_STOP) != 0u;
    vt_held_by = stopped ? (t.flags & STOP_MASK) >> STOP_SHIFT : vt_held_by;
    return stopped;
}
#endif
