// Package builtin says what the operations of the protocol do: to the words of a control buffer, to the
// slot that carries them, and to the debug log. It is the model that kernels are compared with, one
// activation at a time.
//
// An operation that reads a word the control buffer does not have reads 0; one that writes such a word
// writes nothing. Word indices count from the start of the control buffer, observables from word 160.
//
//	NOP            nothing
//	STORE_U32      control[a1] = a0
//	ATOMIC_ADD     control[a1] += a0
//	LOAD_U32       observable[a1] = control[a0]
//	COMPARE_SWAP   observable[a0] = control[a0]; if that was a1, control[a0] = a2
//	MEMCPY         control[a1+i] = control[a0+i] for i below a2, in this order, so that ranges which
//	               overlap repeat
//	DFA_STEP       observable[a2] = the state behind state a0 and symbol a1; nothing without an automaton
//	BATCH_FENCE    epoch += 1, observable[0] = a1
//	LOAD_MISS      asks for page a0, ahead of need where a1 is not 0
//	PRINTF         log record of format a0 with arguments a1 to a3
//	PACKED_SLOT    its operations in turn, see package peer
//	SHUTDOWN       control[shutdown] = 1
//
// Before an operation of an opcode below 32 its metric grows by 1; a packed slot counts as its
// operations. Behind the last one, the slot is done and the number of tasks done grows by 1.
//
// # In a resident kernel
//
// A slot there is a task, and its last words say which one and how often it came back. An operation has
// its first megakernel.TaskArgWords arguments, and a packed slot that needs more is faulted. The words of
// megakernel.CtrlKept can be read, as they were published last, but not written. Slots run on many
// lanes at once; STORE_U32, ATOMIC_ADD, LOAD_U32 and COMPARE_SWAP are atomic on their control word, and
// nothing else is. A handler of a packed slot that yields continues at once, and one that pauses faults
// the slot.
package builtin

import (
	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/tasks"
)

// Effects are what an activation did outside the control buffer and its slot.
type Effects struct {
	Log    []peer.LogRecord
	Misses []peer.LoadMiss
}

// Handler runs an opcode of a workload; it reports whether there is such a handler.
type Handler func(opcode uint32, args []uint32) bool

// Automaton gives the state that follows a state on a symbol.
type Automaton func(state, symbol uint32) uint32

// Machine runs slots on a control buffer.
type Machine struct {
	Control   []uint32
	Handler   Handler   // nil handles nothing
	Automaton Automaton // of DFA_STEP; nil for none
	Resident  bool      // as a resident kernel runs them
}

// Run runs the operation of a slot that a worker has claimed. The slot ends as done, or as faulted with
// a code of package megakernel: FaultTenantRange for a tenant that has no mask, FaultUnknownOpcode for
// an opcode that nothing handles, FaultPacked for a packed slot that holds no operations. Operations
// before the fault have had their effect.
func (m *Machine) Run(slot *[tasks.SlotWords]uint32) Effects {
	r := run{Machine: m}
	code := megakernel.FaultTenantRange
	if slot[tasks.WordTenant] < megakernel.Tenants {
		code = r.slot(slot[tasks.WordOpcode], (*[tasks.ArgWords]uint32)(slot[tasks.WordArg0:]))
	}
	if code != 0 {
		slot[tasks.WordState], slot[tasks.WordContinuationData] = uint32(tasks.Faulted), uint32(code)
		return r.effects
	}
	r.add(megakernel.CtrlDoneCount, 1)
	slot[tasks.WordState] = uint32(tasks.Done)
	return r.effects
}

// Account counts a claim in the control buffer: for the tenant of the slot, and for the priority that it
// was served at.
func Account(control []uint32, slot *[tasks.SlotWords]uint32, served tasks.Priority) {
	r := run{Machine: &Machine{Control: control}}
	if tenant := slot[tasks.WordTenant]; tenant < megakernel.Tenants {
		r.add(megakernel.CtrlTenantFair0+tenant, 1)
	}
	if served < tasks.NumPriorities {
		r.add(megakernel.CtrlPriorityFair0+uint32(served), 1)
	}
	slot[tasks.WordState] = uint32(tasks.Running)
}
