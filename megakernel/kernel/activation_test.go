package kernel_test

import (
	"fmt"
	"testing"

	"vyretop/engine/debugger"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// The program of one activation stops at a line of the handler, and its slot holds the outcome at the end.
func TestActivationRunsUnderTheDebugger(t *testing.T) {
	c := kernel.Config{
		Name: "countdown", WorkgroupSize: 4,
		Handlers: []kernel.Handler{{Opcode: 16, Name: "countdown", Function: "countdown"}},
		Sources: []*source.File{{Name: "countdown.glsl", Text: `
void countdown(inout Task t) {
    for (uint i = 0u; i < t.param; ++i) { t.output_handle += i; }
    task_yield(t, t.continuation_pc + 1u, 7u);
}
`}},
	}
	k, err := kernel.Assemble(c.ForActivation(kernel.Activation{Slot: 3}))
	if err != nil {
		t.Fatal(err)
	}
	buffers := map[uint32][]uint32{}
	for _, b := range k.Program.Buffers {
		buffers[b.Binding] = make([]uint32, 1<<16)
	}
	const state, opcode, param = 0, 1, 6
	task := buffers[megakernel.BindRing][3*tasks.SlotWords:]
	task[state], task[opcode], task[param] = 1, 16, 3
	buffers[megakernel.BindInbox][megakernel.InboxSettings+megakernel.SettingActivation] = 1000
	s, err := debugger.Open(debugger.Target{Program: k.Program, Buffers: buffers})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Break("countdown.glsl", 4, debugger.BreakOptions{}); err != nil {
		t.Fatal(err)
	}
	stop := s.Continue(debugger.Forward)
	if stop.Reason != debugger.AtBreak || stop.Pos.Line != 4 {
		t.Fatalf("the session stands at %+v, not at line 4 of the handler", stop)
	}
	for expr, want := range map[string]string{"t.output_handle": "3", "t.param": "3", "t.opcode": "16"} {
		v, err := s.Eval(expr)
		if got := fmt.Sprint(v); err != nil || got != want {
			t.Errorf("%s is %s (%v), want %s", expr, got, err, want)
		}
	}
	if stop = s.Continue(debugger.Forward); stop.Reason != debugger.Ended {
		t.Fatalf("the activation did not end: %+v", stop)
	}
	for expr, want := range map[string]string{"ring[13u].y": "3", "ring[13u].w": "1", "ring[14u].x": "7"} {
		v, err := s.Eval(expr)
		if got := fmt.Sprint(v); err != nil || got != want {
			t.Errorf("at the end %s is %s (%v), want %s", expr, got, err, want)
		}
	}
}

// TestSteppedActivationsHaveNoText: the program that only a debugger runs is made without the text for drivers, which takes as long as
// parsing it; the one that is dispatched has it.
func TestSteppedActivationsHaveNoText(t *testing.T) {
	c := kernel.Config{
		Name: "end", WorkgroupSize: 4,
		Handlers: []kernel.Handler{{Opcode: 16, Name: "end", Function: "end"}},
		Sources:  []*source.File{{Name: "end.glsl", Text: "void end(inout Task t) { task_done(t); }\n"}},
	}
	for _, stepped := range []bool{false, true} {
		k, err := kernel.Assemble(c.ForActivation(kernel.Activation{Stepped: stepped}))
		if err != nil {
			t.Fatal(err)
		}
		if k.Program.Tree == nil || stepped != (len(k.Program.Text) < 1000) {
			t.Errorf("stepped %v: a text of %d bytes", stepped, len(k.Program.Text))
		}
	}
}
