// The operations of the protocol; package builtin says what each of them does. Like a workload's handlers,
// and unlike the rest of the kernel, they count their loops against the activation's budget.
#pragma once
#include "vyretop/builtin/pages.glsl"

// Generated: the workload's handlers, those with 8-bit opcodes apart. Only these can be in packed slots.
void vt_handle_small(inout Task t);
void vt_handle(inout Task t);

// Words that the kernel keeps itself are not written (megakernel.CtrlKept).
bool vt_op_writable(uint i) {
    bool kept = i == CTRL_DONE_COUNT || i == CTRL_TENANT_BASE || i >= CTRL_TENANT_FAIR0 && i <= CTRL_EPOCH ||
                i >= CTRL_STARVATION && i < CTRL_RESERVED0;
    return i < uint(control.length()) && !kept;
}

uint vt_op_load(uint i) { return i < uint(control.length()) ? control[i] : 0u; }

void vt_op_store(uint i, uint value) {
    if (vt_op_writable(i)) {
        control[i] = value;
    }
}

void vt_op_observe(uint index, uint value) {
    if (index < uint(control.length()) - CTRL_OBSERVABLE0) {
        control[CTRL_OBSERVABLE0 + index] = value;
    }
}

void vt_op_add(uint i, uint n) {
    if (vt_op_writable(i)) {
        atomicAdd(control[i], n);
    }
}

void vt_op_swap(uint i, uint expected, uint desired) {
    uint before = vt_op_load(i);
    if (vt_op_writable(i)) {
        before = atomicCompSwap(control[i], expected, desired);
    }
    vt_op_observe(i, before);
}

// Copies as many words as half of the budget allows; when some are left, the arguments say which, and the
// task continues with them later. A source that lies beyond all words reads as 0, however far beyond.
void vt_op_copy(inout Task t) {
    uint from = t.input_handle;
    uint to = t.output_handle;
    uint words = uint(control.length());
    uint n = min(t.param, to < words ? words - to : 0u);
    uint now = min(n, vt_left / 2u);
    for (uint i = 0u; i < now; ++i) {
        vt_op_store(to + i, from + i >= from ? vt_op_load(from + i) : 0u);
    }
    if (now < n) {
        t.input_handle = from + now >= from ? from + now : 0xFFFFFFFFu;
        t.output_handle = to + now;
        t.param = n - now;
        task_yield(t, t.continuation_pc, t.continuation_data);
    }
}

void vt_op_fence(uint tag) {
    vt_next_epoch();
    vt_op_observe(0u, tag);
}

void vt_op_step(uint state, uint symbol, uint index) {
#ifdef VT_AUTOMATON
    vt_op_observe(index, VT_AUTOMATON(state, symbol));
#endif
}

// One operation with an 8-bit opcode.
void vt_op_small(inout Task t) {
    if (t.opcode == OPCODE_STORE) {
        vt_op_store(t.output_handle, t.input_handle);
    } else if (t.opcode == OPCODE_ATOMIC_ADD) {
        vt_op_add(t.output_handle, t.input_handle);
    } else if (t.opcode == OPCODE_LOAD) {
        vt_op_observe(t.output_handle, vt_op_load(t.input_handle));
    } else if (t.opcode == OPCODE_COMPARE_SWAP) {
        vt_op_swap(t.input_handle, t.output_handle, t.param);
    } else if (t.opcode == OPCODE_MEMCPY) {
        vt_op_copy(t);
    } else if (t.opcode == OPCODE_DFA_STEP) {
        vt_op_step(t.input_handle, t.output_handle, t.param);
    } else if (t.opcode == OPCODE_BATCH_FENCE) {
        vt_op_fence(t.output_handle);
    } else if (t.opcode != OPCODE_NOP) {
        vt_handle_small(t);
    }
}

void vt_op_printf(in Task t) {
    if (vt_logs(EVENT_PRINTF)) {
        vt_log(EVENT_PRINTF, LOG_EVENT_BASE + EVENT_PRINTF, vt_heartbeat, 4u, t.input_handle, t.output_handle, t.param, t.continuation_pc);
    }
}

void vt_op_shutdown() {
    control[CTRL_SHUTDOWN] = 1u;
    vt_call_attention();
}

void vt_op_load_miss(inout Task t) {
    bool ahead = t.output_handle != 0u;
    uint at = vt_page_ask(t.input_handle, !ahead);
    if (at != PAGE_NONE) {
        page_drop(t.input_handle);
    } else if (!ahead || vt_page_fault == FAULT_PAGE) {
        page_wait(t, t.continuation_pc, t.continuation_data);
    }
}
