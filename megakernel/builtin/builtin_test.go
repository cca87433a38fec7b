package builtin_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"vyretop/megakernel"
	"vyretop/megakernel/builtin"
	"vyretop/megakernel/peer"
	"vyretop/tasks"
)

var opcodes = map[string]uint32{
	"nop": megakernel.OpcodeNop, "store": megakernel.OpcodeStore, "add": megakernel.OpcodeAtomicAdd, "load": megakernel.OpcodeLoad,
	"cas": megakernel.OpcodeCompareSwap, "memcpy": megakernel.OpcodeMemcpy, "dfa": megakernel.OpcodeDFAStep, "fence": megakernel.OpcodeBatchFence,
	"load_miss": megakernel.OpcodeLoadMiss, "printf": megakernel.OpcodePrintf, "packed": megakernel.OpcodePackedSlot,
	"shutdown": megakernel.OpcodeShutdown, "user": 300, "low_user": 20, "unknown": 301,
}

// TestOperations runs the scripts of testdata/operations. "control WORD=VALUE…" makes a control buffer with
// two observables; "run OPCODE ARGS…" runs a slot, and shows the words and the state that changed, and
// what else it did; "tenant=N" is the slot's tenant, "resident" the way of a resident kernel. The automaton
// goes from a state to 1000 times that and the symbol. "packed" takes "OPCODE ARGS…" lines as input.
func TestOperations(t *testing.T) {
	var control []uint32
	datadriven.RunTest(t, "testdata/operations", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "control":
			words, err := megakernel.EncodeControl(4, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range d.CmdArgs {
				words[number(t, a.Key)] = number(t, a.Vals[0])
			}
			control = words
			return ""
		case "run":
			return run(t, control, d)
		}
		d.Fatalf(t, "unknown command %q", d.Cmd)
		return ""
	})
}

func number(t *testing.T, s string) uint32 {
	n, err := strconv.ParseUint(s, 0, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(n)
}

func run(t *testing.T, control []uint32, d *datadriven.TestData) string {
	slot := [tasks.SlotWords]uint32{tasks.WordState: uint32(tasks.Running), tasks.WordOpcode: opcodes[d.CmdArgs[0].Key]}
	args := slot[tasks.WordArg0:tasks.WordArg0]
	for _, a := range d.CmdArgs[1:] {
		switch a.Key {
		case "tenant":
			slot[tasks.WordTenant] = number(t, a.Vals[0])
			continue
		case "resident":
			continue
		}
		args = append(args, number(t, a.Key))
	}
	if d.Input != "" {
		pack(t, &slot, d.Input)
	}
	before := slices.Clone(control)
	m := builtin.Machine{
		Control: control, Resident: d.HasArg("resident"), Automaton: func(state, symbol uint32) uint32 { return 1000*state + symbol },
		Handler: func(opcode uint32, _ []uint32) bool { return opcode == 300 || opcode == 20 },
	}
	effects := m.Run(&slot)
	var b strings.Builder
	for i, w := range control {
		if w != before[i] {
			fmt.Fprintf(&b, "%s = %d\n", megakernel.ControlWordName(i), w)
		}
	}
	for _, r := range effects.Log {
		fmt.Fprintf(&b, "log %d: %d %d %d\n", r.Format, r.Arg0, r.Arg1, r.Arg2)
	}
	for _, m := range effects.Misses {
		fmt.Fprintf(&b, "miss of %d, prefetch %v\n", m.Resource, m.Prefetch)
	}
	fmt.Fprintf(&b, "%s", tasks.State(slot[tasks.WordState]))
	if tasks.State(slot[tasks.WordState]) == tasks.Faulted {
		fmt.Fprintf(&b, ": %s", megakernel.FaultCode(slot[tasks.WordContinuationData]))
	}
	return b.String() + "\n"
}

func pack(t *testing.T, slot *[tasks.SlotWords]uint32, lines string) {
	var ops []peer.PackedOperation
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		op := peer.PackedOperation{Opcode: uint8(opcodes[words[0]])}
		for _, w := range words[1:] {
			op.Args = append(op.Args, number(t, w))
		}
		ops = append(ops, op)
	}
	packed, err := peer.Pack(ops)
	if err != nil {
		t.Fatal(err)
	}
	copy(slot[tasks.WordArg0:], packed)
}

func TestAccount(t *testing.T) {
	control, err := megakernel.EncodeControl(4, 0)
	if err != nil {
		t.Fatal(err)
	}
	slot := [tasks.SlotWords]uint32{tasks.WordTenant: 3}
	builtin.Account(control, &slot, tasks.Low)
	if control[megakernel.CtrlTenantFair0+3] != 1 || control[megakernel.CtrlPriorityFair0+3] != 1 || tasks.State(slot[0]) != tasks.Running {
		t.Errorf("tenants %v, priorities %v, slot %v", control[64:68], control[136:141], slot)
	}
	slot[tasks.WordTenant] = megakernel.Tenants
	before := slices.Clone(control)
	if builtin.Account(control, &slot, tasks.NumPriorities); !slices.Equal(control, before) {
		t.Error("a tenant or priority out of range was counted")
	}
}

// FuzzRun: any slot on any control buffer ends as done or faulted.
func FuzzRun(f *testing.F) {
	f.Add([]byte{}, uint32(5), uint32(0), uint32(0), uint32(1), uint32(1<<32-1))
	f.Add(make([]byte, 640), megakernel.OpcodePackedSlot, uint32(28), uint32(0x020201), uint32(1), uint32(5))
	f.Add(make([]byte, 640), uint32(5), uint32(29), uint32(1<<32-1), uint32(3), uint32(1<<32-1))
	f.Fuzz(func(t *testing.T, b []byte, opcode, tenant, a0, a1, a2 uint32) {
		control, err := peer.Words("control", b[:len(b)/4*4])
		if err != nil {
			t.Fatal(err)
		}
		slot := [tasks.SlotWords]uint32{tasks.WordOpcode: opcode, tasks.WordTenant: tenant, tasks.WordArg0: a0, tasks.WordArg0 + 1: a1, tasks.WordArg0 + 2: a2}
		m := builtin.Machine{Control: control, Resident: opcode&1 != 0}
		m.Run(&slot)
		if !tasks.State(slot[tasks.WordState]).Terminal() {
			t.Errorf("state %v", tasks.State(slot[tasks.WordState]))
		}
	})
}
