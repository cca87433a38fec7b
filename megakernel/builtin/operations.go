package builtin

import (
	"math"

	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/tasks"
)

// run is one activation.
type run struct {
	*Machine
	effects Effects
}

func (r *run) load(at uint32) uint32 {
	if uint64(at) < uint64(len(r.Control)) {
		return r.Control[at]
	}
	return 0
}

// put writes a word for the kernel itself, store for an operation.
func (r *run) put(at, value uint32) {
	if uint64(at) < uint64(len(r.Control)) {
		r.Control[at] = value
	}
}

func (r *run) store(at, value uint32) {
	if !r.Resident || !megakernel.CtrlKept(at) {
		r.put(at, value)
	}
}

func (r *run) add(at, n uint32) { r.put(at, r.load(at)+n) }

// observe writes an observable; an index so large that its word has no number is dropped.
func (r *run) observe(index, value uint32) {
	if at, err := peer.ObservableWord(index); err == nil {
		r.put(at, value)
	}
}

// operation is one operation with its arguments; missing ones are 0.
type operation func(r *run, a [4]uint32)

var operations = map[uint32]operation{
	megakernel.OpcodeNop:         func(*run, [4]uint32) {},
	megakernel.OpcodeStore:       func(r *run, a [4]uint32) { r.store(a[1], a[0]) },
	megakernel.OpcodeAtomicAdd:   func(r *run, a [4]uint32) { r.store(a[1], r.load(a[1])+a[0]) },
	megakernel.OpcodeLoad:        func(r *run, a [4]uint32) { r.observe(a[1], r.load(a[0])) },
	megakernel.OpcodeCompareSwap: (*run).compareSwap,
	megakernel.OpcodeMemcpy:      (*run).memcpy,
	megakernel.OpcodeDFAStep:     (*run).dfaStep,
	megakernel.OpcodeBatchFence:  (*run).batchFence,
	megakernel.OpcodeLoadMiss: func(r *run, a [4]uint32) {
		r.effects.Misses = append(r.effects.Misses, peer.LoadMiss{Resource: a[0], Prefetch: a[1] != 0})
	},
	megakernel.OpcodePrintf: func(r *run, a [4]uint32) {
		r.effects.Log = append(r.effects.Log, peer.LogRecord{Format: a[0], Arg0: a[1], Arg1: a[2], Arg2: a[3]})
	},
	megakernel.OpcodeShutdown: func(r *run, _ [4]uint32) { r.store(megakernel.CtrlShutdown, 1) },
}

// slot runs what a slot holds; it returns 0 or a fault code.
func (r *run) slot(opcode uint32, args *[tasks.ArgWords]uint32) megakernel.FaultCode {
	if opcode != megakernel.OpcodePackedSlot {
		return r.one(opcode, args[:r.argWords()])
	}
	ops, err := peer.Unpack(args)
	if err != nil || packedWords(args) > r.argWords() {
		return megakernel.FaultPacked
	}
	for _, op := range ops {
		if code := r.one(uint32(op.Opcode), op.Args); code != 0 {
			return code
		}
	}
	return 0
}

func (r *run) argWords() int {
	if r.Resident {
		return megakernel.TaskArgWords
	}
	return tasks.ArgWords
}

// packedWords is how many words the operations and arguments of a packed slot take.
func packedWords(args *[tasks.ArgWords]uint32) int {
	return (2+2*int(args[0]&0xFF)+3)/4 + int(args[0]>>8&0xFF)
}

// one runs an operation; it returns 0 or a fault code.
func (r *run) one(opcode uint32, args []uint32) megakernel.FaultCode {
	if opcode < megakernel.MetricOpcodes {
		r.add(megakernel.CtrlMetrics0+opcode, 1)
	}
	if f, ok := operations[opcode]; ok {
		var a [4]uint32
		copy(a[:], args)
		f(r, a)
		return 0
	}
	if r.Handler == nil || !r.Handler(opcode, args) {
		return megakernel.FaultUnknownOpcode
	}
	return 0
}

func (r *run) compareSwap(a [4]uint32) {
	before := r.load(a[0])
	r.observe(a[0], before)
	if before == a[1] {
		r.store(a[0], a[2])
	}
}

// memcpy stops where nothing more can be written.
func (r *run) memcpy(a [4]uint32) {
	for i := uint32(0); i < a[2] && uint64(a[1])+uint64(i) < uint64(len(r.Control)); i++ {
		word := uint32(0)
		if uint64(a[0])+uint64(i) <= math.MaxUint32 {
			word = r.load(a[0] + i)
		}
		r.store(a[1]+i, word)
	}
}

func (r *run) dfaStep(a [4]uint32) {
	if r.Automaton != nil {
		r.observe(a[2], r.Automaton(a[0], a[1]))
	}
}

func (r *run) batchFence(a [4]uint32) {
	r.add(megakernel.CtrlEpoch, 1)
	r.observe(0, a[1])
}
