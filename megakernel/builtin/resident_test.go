package builtin_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/builtin"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/peer"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// word draws the index of a control word that does not end the kernel and that does not lag behind.
func word(t *rapid.T) uint32 {
	return rapid.OneOf(
		rapid.Uint32Range(megakernel.CtrlPriorityOffset, megakernel.CtrlStarvation-1),
		rapid.Uint32Range(megakernel.CtrlReserved0, controls-1),
		rapid.Uint32Range(controls, controls+3),
		rapid.SampledFrom([]uint32{megakernel.CtrlTenantBase, math.MaxUint32, math.MaxUint32 - 2, 1 << 30}),
	).Draw(t, "word")
}

// written draws the index of a word to write: words that the kernel keeps are among them.
func written(t *rapid.T) uint32 {
	if rapid.IntRange(0, 3).Draw(t, "kept") == 0 {
		return rapid.Uint32Range(megakernel.CtrlTenantFair0, controls-1).Draw(t, "target")
	}
	return word(t)
}

// operands draws the arguments of an operation.
func operands(t *rapid.T, opcode uint32) []uint32 {
	value := func() uint32 { return rapid.OneOf(rapid.Uint32Range(0, 3), rapid.Uint32()).Draw(t, "value") }
	switch opcode {
	case megakernel.OpcodeStore, megakernel.OpcodeAtomicAdd:
		return []uint32{value(), written(t)}
	case megakernel.OpcodeLoad:
		return []uint32{word(t), rapid.OneOf(rapid.Uint32Range(0, observables), rapid.Uint32()).Draw(t, "observable")}
	case megakernel.OpcodeCompareSwap:
		return []uint32{word(t), value(), value()}
	case megakernel.OpcodeMemcpy:
		from := rapid.OneOf(rapid.Uint32Range(megakernel.CtrlReserved0, controls), rapid.Uint32Range(math.MaxUint32-8, math.MaxUint32)).Draw(t, "from")
		return []uint32{from, written(t), rapid.OneOf(rapid.Uint32Range(0, 30), rapid.Uint32()).Draw(t, "words")}
	case megakernel.OpcodeDFAStep:
		return []uint32{value(), value(), rapid.Uint32Range(0, observables).Draw(t, "observable")}
	case megakernel.OpcodeBatchFence:
		return []uint32{value(), value()}
	case megakernel.OpcodePrintf:
		return []uint32{value(), value(), value(), value()}
	case opBack:
		return []uint32{rapid.Uint32Range(0, 3).Draw(t, "times")}
	}
	return nil
}

var drawn = []uint32{
	megakernel.OpcodeNop, megakernel.OpcodeStore, megakernel.OpcodeAtomicAdd, megakernel.OpcodeLoad, megakernel.OpcodeCompareSwap,
	megakernel.OpcodeMemcpy, megakernel.OpcodeDFAStep, megakernel.OpcodeBatchFence, megakernel.OpcodePrintf, opUser, 99, 1 << 20,
}

// malformed reports whether arguments are no packed slot. Random ones that are might shut the kernel down.
func malformed(args []uint32) bool {
	w := [tasks.SlotWords]uint32{tasks.WordOpcode: megakernel.OpcodePackedSlot}
	copy(w[tasks.WordArg0:], args)
	machine(nil).Run(&w)
	return w[tasks.WordContinuationData] == uint32(megakernel.FaultPacked)
}

// packedArguments draws a packed slot whose operations have arguments that they can end with: many do not
// fit a slot, and some are anything at all.
func packedArguments(t *rapid.T) []uint32 {
	if rapid.IntRange(0, 4).Draw(t, "malformed") == 0 {
		return rapid.SliceOfN(rapid.OneOf(rapid.Uint32Range(0, 0x0703), rapid.Uint32()), 5, 5).Filter(malformed).Draw(t, "words")
	}
	var ops []peer.PackedOperation
	for range rapid.IntRange(0, 3).Draw(t, "operations") {
		op := rapid.SampledFrom([]uint32{0, 1, 2, 3, 4, 5, 6, 7, opUser, opBack, 99}).Draw(t, "opcode")
		ops = append(ops, peer.PackedOperation{Opcode: uint8(op), Args: operands(t, op)})
	}
	task, err := packOperations(ops)
	if errors.Is(err, peer.ErrPublish) {
		task, err = packOperations(ops[:1])
	}
	if err != nil {
		t.Fatal(err)
	}
	w := task.Words()
	return w[tasks.WordArg0:][:megakernel.TaskArgWords]
}

func slot(t *rapid.T) tasks.Task {
	w := [tasks.SlotWords]uint32{
		tasks.WordOpcode:   rapid.SampledFrom(append(drawn, megakernel.OpcodePackedSlot, megakernel.OpcodePackedSlot)).Draw(t, "opcode"),
		tasks.WordTenant:   rapid.SampledFrom([]uint32{0, 0, 1, 2, 3, 29, 1 << 31}).Draw(t, "tenant"),
		tasks.WordPriority: rapid.Uint32Range(0, 4).Draw(t, "priority"),
	}
	if w[tasks.WordOpcode] == megakernel.OpcodePackedSlot {
		copy(w[tasks.WordArg0:], packedArguments(t))
	} else {
		copy(w[tasks.WordArg0:], operands(t, w[tasks.WordOpcode]))
	}
	return tasks.FromWords(&w)
}

// TestProgramsRunAsTheModelSays runs random slots one after the other, and compares how each ended, and
// every word of the control buffer and every PRINTF at the end.
func TestProgramsRunAsTheModelSays(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, 2)
		log, err := s.Log()
		if err != nil {
			t.Fatal(err)
		}
		model := machine(control(t, s))
		rig.OneIn(t, 10, func(t *rapid.T) {
			var printed []peer.LogRecord
			for range rapid.IntRange(1, 30).Draw(t, "slots") {
				printed = append(printed, step(t, s, model, slot(t))...)
			}
			if got := control(t, s); !slices.Equal(got, model.Control) {
				t.Fatalf("%s", difference(got, model.Control))
			}
			if got := printfs(log); !slices.Equal(got, printed) {
				t.Fatalf("printed %v, want %v", got, printed)
			}
		})
	})
}

// step runs a slot on both sides and returns what the model printed.
func step(t *rapid.T, s *resident.Session, model *builtin.Machine, task tasks.Task) []peer.LogRecord {
	w := task.Words()
	if task.Tenant < megakernel.Tenants {
		builtin.Account(model.Control, &w, task.Priority)
	}
	effects := model.Run(&w)
	got := one(t, s, task)
	if want := tasks.State(w[tasks.WordState]); got.State != want || want == tasks.Faulted && got.Code != w[tasks.WordContinuationData] {
		t.Fatalf("%+v ended as %s with %s, want %s with %s", task, got.State, megakernel.FaultCode(got.Code), want, megakernel.FaultCode(w[tasks.WordContinuationData]))
	}
	return effects.Log
}

func difference(got, want []uint32) string {
	var b strings.Builder
	for i := range want {
		if got[i] != want[i] {
			fmt.Fprintf(&b, "%s is %d, want %d\n", megakernel.ControlWordName(i), got[i], want[i])
		}
	}
	return b.String()
}

// printfs reads what PRINTF has written to the log.
func printfs(log *megakernel.LogReader) (out []peer.LogRecord) {
	records, _ := log.Read(nil, math.MaxInt)
	for _, r := range records {
		if r.Format == megakernel.LogEventBase+uint32(megakernel.EventPrintf) {
			out = append(out, peer.LogRecord{Format: r.Args[0], Arg0: r.Args[1], Arg1: r.Args[2], Arg2: r.Args[3]})
		}
	}
	return out
}
