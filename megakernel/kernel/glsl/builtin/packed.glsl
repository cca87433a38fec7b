// Packed slots: several operations in the arguments of one task (package peer says how).
#pragma once
#include "vyretop/builtin/operations.glsl"

struct VtPacked {
    uint words[TASK_ARG_WORDS];
    uint count;    // operations
    uint first;    // first argument word
    uint arguments;
};

uint vt_packed_byte(in VtPacked p, uint i) { return p.words[i >> 2u] >> (i & 3u) * 8u & 0xFFu; }

// Opcode and first argument of operation i.
uint vt_packed_opcode(in VtPacked p, uint i) { return vt_packed_byte(p, 2u + 2u * i); }
uint vt_packed_from(in VtPacked p, uint i) { return vt_packed_byte(p, 3u + 2u * i); }

uint vt_packed_argument(in VtPacked p, uint i) { return i < p.arguments ? p.words[p.first + i] : 0u; }

VtPacked vt_packed(in Task t) {
    VtPacked p;
    p.words = uint[](t.input_handle, t.output_handle, t.param, t.continuation_pc, t.continuation_data);
    p.count = p.words[0] & 0xFFu;
    p.arguments = p.words[0] >> 8u & 0xFFu;
    p.first = (2u + 2u * p.count + 3u) / 4u;
    return p;
}

// All of it is checked before anything of it is run.
bool vt_packed_fits(in VtPacked p) {
    bool fits = p.first + p.arguments <= TASK_ARG_WORDS;
    for (uint i = 0u; fits && i < p.count; ++i) {
        fits = vt_packed_from(p, i) <= p.arguments;
    }
    return fits;
}

// Operation i as a task of its own.
Task vt_packed_task(in VtPacked p, uint i, in Task t) {
    uint from = vt_packed_from(p, i);
    Task op = t;
    op.opcode = vt_packed_opcode(p, i);
    op.input_handle = vt_packed_argument(p, from);
    op.output_handle = vt_packed_argument(p, from + 1u);
    op.param = vt_packed_argument(p, from + 2u);
    op.continuation_pc = vt_packed_argument(p, from + 3u);
    op.continuation_data = vt_packed_argument(p, from + 4u);
    return op;
}

// Runs the operations of a packed slot in turn, or the one of a task with an 8-bit opcode: in one place,
// because drivers inline it. In a packed slot what yields continues at once, since the slot cannot say where it was.
void vt_op_each(inout Task t, in VtPacked p, bool several) {
    Task op = t;
    bool again = false;
    for (uint i = 0u; i < p.count && vt_outcome == OUTCOME_DONE;) {
        if (several && !again) {
            op = vt_packed_task(p, i, t);
            if (op.opcode < METRIC_OPCODES) {
                atomicAdd(sh_count[COUNT_METRICS + op.opcode], 1u);
            }
        }
        vt_op_small(op);
        again = several && (vt_outcome == OUTCOME_YIELD || vt_outcome == OUTCOME_REQUEUE);
        vt_outcome = again ? OUTCOME_DONE : vt_outcome;
        i += again ? 0u : 1u;
    }
    if (!several) {
        t = op;
    } else if (vt_outcome == OUTCOME_PAUSE) {
        task_fault(t, FAULT_OUTCOME);
    }
}

// What a task is to do: operations, or one of the workload's handlers.
void vt_operate(inout Task t) {
    VtPacked p = vt_packed(t);
    bool several = t.opcode == OPCODE_PACKED_SLOT;
    if (t.opcode == OPCODE_PRINTF) {
        vt_op_printf(t);
    } else if (t.opcode == OPCODE_SHUTDOWN) {
        vt_op_shutdown();
    } else if (t.opcode == OPCODE_LOAD_MISS) {
        vt_op_load_miss(t);
    } else if (several && !vt_packed_fits(p)) {
        task_fault(t, FAULT_PACKED);
    } else if (t.opcode > 0xFFu && !several) {
        vt_handle(t);
    } else {
        p.count = several ? p.count : 1u;
        vt_op_each(t, p, several);
    }
}
