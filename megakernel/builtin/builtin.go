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
//	DFA_STEP       nothing here: its automaton lives in the buffers of a workload
//	BATCH_FENCE    epoch += 1, observable[0] = a1
//	LOAD_MISS      asks for resource a0, ahead of need where a1 is not 0
//	PRINTF         log record of format a0 with arguments a1 to a3
//	PACKED_SLOT    its operations in turn, see package peer
//	SHUTDOWN       control[shutdown] = 1
//
// Before an operation of an opcode below 32 its metric grows by 1; a packed slot counts as its
// operations. Behind the last one, the slot is done and the number of tasks done grows by 1.
package builtin

import (
	"math"

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

// machine runs the operations of one slot.
type machine struct {
	control []uint32
	handler Handler
	effects Effects
}

// Run runs the operation of a slot that a worker has claimed. The slot ends as done, or as faulted with
// a code of package megakernel: FaultTenantRange for a tenant that has no mask, FaultUnknownOpcode for
// an opcode that nothing handles or a packed slot that holds no operations. Operations before the
// fault have had their effect. A nil handler handles nothing.
func Run(control []uint32, slot *[tasks.SlotWords]uint32, handler Handler) Effects {
	m := machine{control: control, handler: handler}
	code, ok := megakernel.FaultTenantRange, false
	if slot[tasks.WordTenant] < megakernel.Tenants {
		code, ok = megakernel.FaultUnknownOpcode, m.run(slot[tasks.WordOpcode], slot[tasks.WordArg0:])
	}
	if !ok {
		slot[tasks.WordState], slot[tasks.WordContinuationData] = uint32(tasks.Faulted), uint32(code)
		return m.effects
	}
	m.add(megakernel.CtrlDoneCount, 1)
	slot[tasks.WordState] = uint32(tasks.Done)
	return m.effects
}

// Account counts a claim in the control buffer: for the tenant of the slot, and for the priority that it
// was served at.
func Account(control []uint32, slot *[tasks.SlotWords]uint32, served tasks.Priority) {
	m := machine{control: control}
	if tenant := slot[tasks.WordTenant]; tenant < megakernel.Tenants {
		m.add(megakernel.CtrlTenantFair0+tenant, 1)
	}
	if served < tasks.NumPriorities {
		m.add(megakernel.CtrlPriorityFair0+uint32(served), 1)
	}
	slot[tasks.WordState] = uint32(tasks.Running)
}

func (m *machine) load(at uint32) uint32 {
	if uint64(at) < uint64(len(m.control)) {
		return m.control[at]
	}
	return 0
}

func (m *machine) store(at, value uint32) {
	if uint64(at) < uint64(len(m.control)) {
		m.control[at] = value
	}
}

func (m *machine) add(at, n uint32) { m.store(at, m.load(at)+n) }

// observe writes an observable; an index so large that its word has no number is dropped.
func (m *machine) observe(index, value uint32) {
	if at, err := peer.ObservableWord(index); err == nil {
		m.store(at, value)
	}
}

// operation is one operation with its arguments; missing ones are 0.
type operation func(m *machine, a [4]uint32)

var operations = map[uint32]operation{
	megakernel.OpcodeNop:         func(*machine, [4]uint32) {},
	megakernel.OpcodeStore:       func(m *machine, a [4]uint32) { m.store(a[1], a[0]) },
	megakernel.OpcodeAtomicAdd:   func(m *machine, a [4]uint32) { m.add(a[1], a[0]) },
	megakernel.OpcodeLoad:        func(m *machine, a [4]uint32) { m.observe(a[1], m.load(a[0])) },
	megakernel.OpcodeCompareSwap: (*machine).compareSwap,
	megakernel.OpcodeMemcpy:      (*machine).memcpy,
	megakernel.OpcodeDFAStep:     func(*machine, [4]uint32) {},
	megakernel.OpcodeBatchFence:  (*machine).batchFence,
	megakernel.OpcodeLoadMiss: func(m *machine, a [4]uint32) {
		m.effects.Misses = append(m.effects.Misses, peer.LoadMiss{Resource: a[0], Prefetch: a[1] != 0})
	},
	megakernel.OpcodePrintf: func(m *machine, a [4]uint32) {
		m.effects.Log = append(m.effects.Log, peer.LogRecord{Format: a[0], Arg0: a[1], Arg1: a[2], Arg2: a[3]})
	},
	megakernel.OpcodeShutdown: func(m *machine, _ [4]uint32) { m.store(megakernel.CtrlShutdown, 1) },
}

// run runs an operation; it reports whether something handled it.
func (m *machine) run(opcode uint32, args []uint32) bool {
	if opcode == megakernel.OpcodePackedSlot {
		return m.packed(args)
	}
	if opcode < megakernel.MetricOpcodes {
		m.add(megakernel.CtrlMetrics0+opcode, 1)
	}
	if f, ok := operations[opcode]; ok {
		var a [4]uint32
		copy(a[:], args)
		f(m, a)
		return true
	}
	return m.handler != nil && m.handler(opcode, args)
}

func (m *machine) packed(args []uint32) bool {
	var words [tasks.ArgWords]uint32
	copy(words[:], args)
	ops, err := peer.Unpack(&words)
	if err != nil {
		return false
	}
	for _, op := range ops {
		if !m.run(uint32(op.Opcode), op.Args) {
			return false
		}
	}
	return true
}

func (m *machine) compareSwap(a [4]uint32) {
	before := m.load(a[0])
	m.observe(a[0], before)
	if before == a[1] {
		m.store(a[0], a[2])
	}
}

// memcpy stops where nothing more can be written.
func (m *machine) memcpy(a [4]uint32) {
	for i := uint32(0); i < a[2] && uint64(a[1])+uint64(i) < uint64(len(m.control)); i++ {
		if uint64(a[0])+uint64(i) > math.MaxUint32 {
			m.store(a[1]+i, 0)
			continue
		}
		m.store(a[1]+i, m.load(a[0]+i))
	}
}

func (m *machine) batchFence(a [4]uint32) {
	m.add(megakernel.CtrlEpoch, 1)
	m.observe(0, a[1])
}
