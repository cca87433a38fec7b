package megakernel

import (
	"testing"

	"vyretop/tasks"
)

func TestSnapshotCountsStatesAndPriorities(t *testing.T) {
	s := Snapshot{Slots: make([]uint32, 6*tasks.SlotWords+3)}
	for i, w := range [][2]uint32{{0, 9}, {1, 0}, {2, 4}, {3, 1}, {99, 2}, {7, 3}} {
		s.Slot(i)[tasks.WordState], s.Slot(i)[tasks.WordPriority] = w[0], w[1]
	}
	byState, byPriority := s.StateCounts()
	if want := [tasks.NumStates + 1]int{1, 1, 1, 1, 0, 0, 0, 1, 1}; byState != want {
		t.Errorf("states %v, want %v", byState, want)
	}
	// Ended tasks have no priority any longer; a slot in an unknown state keeps its own.
	if want := [tasks.NumPriorities + 1]int{1, 0, 1, 0, 1, 0}; byPriority != want {
		t.Errorf("priorities %v, want %v", byPriority, want)
	}
	if s.NumSlots() != 6 {
		t.Errorf("%d slots, want 6", s.NumSlots())
	}
}

func TestSnapshotWithoutControlWordsHasEpochZero(t *testing.T) {
	s := Snapshot{Control: make([]uint32, CtrlEpoch)}
	if s.Epoch() != 0 {
		t.Error("an epoch was read from nowhere")
	}
	s.Control = append(s.Control, 7)
	if s.Epoch() != 7 {
		t.Errorf("epoch %d, want 7", s.Epoch())
	}
}

// TestEveryNumberHasAName walks the enumerations that a screen or a log shows: every number has a
// name of its own, and one beyond the last says that it is unknown.
func TestEveryNumberHasAName(t *testing.T) {
	tests := []struct {
		kind string
		n    int
		name func(int) string
	}{
		{"phase", int(numPhases), func(i int) string { return Phase(i).String() }},
		{"command", int(NumCommandOps), func(i int) string { return CommandOp(i).String() }},
		{"ack", int(AckBadArgument) + 1, func(i int) string { return AckResultCode(i).String() }},
		{"fault", int(FaultOutcome) + 1, func(i int) string { return FaultCode(i).String() }},
		{"counter", NumCounters, func(i int) string {
			if i < NumCounters {
				return CounterNames[i]
			}
			return "unknown"
		}},
	}
	for _, tt := range tests {
		seen := map[string]int{}
		for i := range tt.n + 1 {
			name := tt.name(i)
			if other, dup := seen[name]; dup || name == "" {
				t.Errorf("%s %d is called %q, as %d", tt.kind, i, name, other)
			}
			seen[name] = i
		}
	}
	if got := FaultCode(0x105).String(); got != "handler code 0x105" {
		t.Errorf("a handler's fault code is called %q", got)
	}
}

func TestReservedOpcodes(t *testing.T) {
	for op, want := range map[uint32]bool{
		0: true, 7: true, 8: false, 0xFFEF: false, 0xFFF0: true, 0xFFFD: true, 0xFFFF: true, 0x10000: false,
		0x7FFFFFFF: false, 0x80000000: true, OpcodePackedSlot: true, OpcodeShutdown: true,
	} {
		if OpcodeReserved(op) != want {
			t.Errorf("opcode %#x: reserved is %v, want %v", op, !want, want)
		}
	}
	for op := range opcodeNames {
		if !OpcodeReserved(op) {
			t.Errorf("protocol opcode %#x is not reserved", op)
		}
	}
	if name, ok := OpcodeName(8); ok {
		t.Errorf("a workload's opcode 8 is called %q", name)
	}
	if name, _ := OpcodeName(OpcodeMemcpy); name != "MEMCPY" {
		t.Errorf("opcode 5 is called %q", name)
	}
}
