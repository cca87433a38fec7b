package capture_test

import (
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/engine/debugger"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// refusing faults in a function that its handler calls, in the fourth round of a loop; changed faults elsewhere once its data is a code.
const refusing = `void refuse(inout Task t, uint i) {
    if (i == t.param) {
        task_fault(t, 0x101u);
    }
}
void several(inout Task t) {
    for (uint i = 0u; i < 6u; ++i) {
        refuse(t, i);
    }
}
void changed(inout Task t) {
    if (t.continuation_data == 0u) {
        task_fault(t, 0x102u);
    } else if (t.param == 1u) {
        task_fault(t, 0x103u);
    }
}
void low(inout Task t) {
    task_fault(t, 42u);
}
`

// faulted is a target whose slot 0 holds a task that has faulted.
func faulted(t *testing.T, opcode, param, code uint32) *capture.Capture {
	c := kernel.Config{
		Name: "refusing", WorkgroupSize: 4, Slots: 64, InboxTasks: 64, Completions: 64, LogRecords: 1024,
		Handlers: []kernel.Handler{{Opcode: 0x100, Name: "several", Function: "several"}, {Opcode: 0x101, Name: "changed", Function: "changed"}, {Opcode: 0x102, Name: "low", Function: "low"}},
		Sources:  []*source.File{{Name: "refusing.glsl", Text: refusing}},
	}
	b := backendtest.Reference(t, reference.Options{})
	c.Suit(b.Profile())
	k, err := kernel.Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	text, err := k.Text()
	if err == nil {
		text, err = text.WithOwn()
	}
	if err != nil {
		t.Fatal(err)
	}
	ring := make([]uint32, 64*tasks.SlotWords)
	ring[tasks.WordState], ring[tasks.WordOpcode], ring[tasks.WordTaskID] = uint32(tasks.Faulted), opcode, 7
	ring[tasks.WordParam], ring[tasks.WordContinuationData] = param, code
	inbox := make([]uint32, megakernel.InboxWords(c.InboxTasks))
	inbox[megakernel.InboxSettings+megakernel.SettingActivation] = 1000
	return &capture.Capture{
		Header:  capture.Header{Schema: capture.Schema, Source: "refusing", Task: 7, Workgroup: 4, State: "faulted"},
		Text:    text,
		Buffers: map[uint32][]uint32{megakernel.BindRing: ring, megakernel.BindInbox: inbox},
	}
}

// TestAFaultedTaskOpensAtTheLineOfItsFault: it opened at the first line of its handler, and the line had to be looked for.
func TestAFaultedTaskOpensAtTheLineOfItsFault(t *testing.T) {
	for _, c := range []struct {
		name                string
		opcode, param, code uint32
		reason              debugger.Reason
		line                int
		note                string
	}{
		{"in a function, in a loop", 0x100, 3, 0x101, debugger.AtFault, 3, ""},
		{"another fault", 0x101, 1, 0x102, debugger.Stepped, 12, "with the words that the slot has after the fault, the activation faults with handler code 0x103, and not with handler code 0x102"},
		{"no fault", 0x101, 0, 0x102, debugger.Stepped, 12, "with the words that the slot has after the fault, the activation does not fault again: this is its first line"},
		{"a fault of the kernel", 0x100, 3, uint32(megakernel.FaultCounter), debugger.Stepped, 7, "no line of the handler asked for the fault: one of its counters is at its maximum"},
		{"a code of a handler below 0x100", 0x102, 0, 42, debugger.AtFault, 19, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := faulted(t, c.opcode, c.param, c.code)
			a, err := x.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if a.Entry.Pos.Line != c.line || (a.Entry.Reason == debugger.AtFault) != (c.reason == debugger.AtFault) {
				t.Errorf("it opens at line %d (%s), want %d", a.Entry.Pos.Line, a.Entry.Reason, c.line)
			}
			if here := a.Here(""); here.Pos != a.Entry.Pos {
				t.Errorf("the session stands at %v, and the entry is %v", here.Pos, a.Entry.Pos)
			}
			note := ""
			if len(x.Notes) > 0 {
				note = x.Notes[0]
			}
			if note != c.note || len(x.Notes) > 1 {
				t.Errorf("notes are %q, want %q", x.Notes, c.note)
			}
			if c.line == 3 {
				if v, err := a.Eval("i"); err != nil || v.Words[0] != 3 {
					t.Errorf("i is %v (%v), want 3", v, err)
				}
				if n := len(a.Breakpoints()); n != 0 {
					t.Errorf("%d breakpoints are left behind", n)
				}
			}
		})
	}
}
