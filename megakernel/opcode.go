package megakernel

import (
	"maps"
	"slices"
)

// Opcodes of the protocol. Everything not reserved is a workload's.
const (
	OpcodeNop         uint32 = 0
	OpcodeStore       uint32 = 1 // control[a1] = a0
	OpcodeAtomicAdd   uint32 = 2 // control[a1] += a0
	OpcodeLoad        uint32 = 3 // observable[a1] = control[a0]
	OpcodeCompareSwap uint32 = 4 // on control[a0], expected a1, desired a2, previous value to observable[a0]
	OpcodeMemcpy      uint32 = 5 // a2 words inside control from a0 to a1
	OpcodeDFAStep     uint32 = 6
	OpcodeBatchFence  uint32 = 7 // epoch+1, observable[0] = a1
	OpcodeLoadMiss    uint32 = 0xFFFD
	OpcodePrintf      uint32 = 0xFFFE
	OpcodePackedSlot  uint32 = 0x80000001
	OpcodeShutdown    uint32 = 0xFFFFFFFF
)

// TaskArgWords is how many argument words of a slot an operation has in a resident kernel, from the first
// one on. The others say which task it is, how often it came back, and when it continues.
const TaskArgWords = 5

// OpcodeReserved reports whether op belongs to the protocol: the high bit, 0xFFF0..0xFFFF and 0..7.
func OpcodeReserved(op uint32) bool {
	return op>>31 != 0 || (op >= 0xFFF0 && op <= 0xFFFF) || op <= OpcodeBatchFence
}

var opcodeNames = map[uint32]string{
	OpcodeNop: "NOP", OpcodeStore: "STORE_U32", OpcodeAtomicAdd: "ATOMIC_ADD", OpcodeLoad: "LOAD_U32",
	OpcodeCompareSwap: "COMPARE_SWAP", OpcodeMemcpy: "MEMCPY", OpcodeDFAStep: "DFA_STEP",
	OpcodeBatchFence: "BATCH_FENCE", OpcodeLoadMiss: "LOAD_MISS", OpcodePrintf: "PRINTF",
	OpcodePackedSlot: "PACKED_SLOT", OpcodeShutdown: "SHUTDOWN",
}

// OpcodeName names a protocol opcode; ok is false for a workload's own.
func OpcodeName(op uint32) (name string, ok bool) {
	name, ok = opcodeNames[op]
	return name, ok
}

// OpcodeNames lists the names of the protocol's opcodes, sorted.
func OpcodeNames() []string { return slices.Sorted(maps.Values(opcodeNames)) }

// OpcodeBuiltin reports whether op is an operation that a host may publish and that the kernel runs itself,
// if it has been assembled with the operations: 0..7, PRINTF, PACKED_SLOT and SHUTDOWN.
func OpcodeBuiltin(op uint32) bool {
	return op <= OpcodeBatchFence || op == OpcodePrintf || op == OpcodePackedSlot || op == OpcodeShutdown
}

// OpcodePublishable reports whether a host may publish op: an operation of the kernel itself, or a
// workload's own.
func OpcodePublishable(op uint32) bool { return OpcodeBuiltin(op) || !OpcodeReserved(op) }
