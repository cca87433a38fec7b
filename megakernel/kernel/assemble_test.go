package kernel

import (
	"os"
	"strings"
	"testing"

	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
)

func countdown() Config {
	return Config{
		Name: "countdown", WorkgroupSize: 8, LoopLimit: 65535,
		Handlers: []Handler{{Opcode: 16, Name: "countdown", Function: "countdown"}},
		Sources: []*source.File{{Name: "countdown.glsl", Text: `
void countdown(inout Task t) {
    for (uint i = 0u; i < t.param; ++i) { t.output_handle += i; }
    if (t.continuation_pc < 3u) { debugf("left %u", t.param); task_yield(t, t.continuation_pc + 1u, 7u); return; }
    task_done(t);
}
`}},
	}
}

// What a macro in front of the driver's text takes the place of must not be folded away as a constant.
func TestExpressionsOfTheDeviceReachTheDriver(t *testing.T) {
	c := countdown()
	c.Clock, c.Unit = "GL_ARB_shader_clock", "GL_NV_shader_thread_group"
	k, err := Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, expression := range []string{"return VtNow(", "return VtUnit("} {
		if !strings.Contains(k.Program.Text, expression) {
			t.Errorf("nothing in the text is %q", expression)
		}
	}
}

func TestAssemble(t *testing.T) {
	k, err := Assemble(countdown())
	if err != nil {
		t.Fatal(err)
	}
	if k.Program.Tree == nil {
		t.Fatalf("the megakernel is outside the kernel language:\n%v", k.Program.Outside)
	}
	for _, w := range k.Warnings {
		t.Error(w)
	}
	if dump := os.Getenv("VYRETOP_DUMP"); dump != "" {
		os.WriteFile(dump, []byte(k.Program.Text), 0o644)
	}
}

// The operations stay in the kernel language too, and cost only those kernels that ask for them.
func TestAssembleOperations(t *testing.T) {
	plain, err := Assemble(countdown())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(plain.Program.Text, "vt_op_") {
		t.Error("a kernel has operations that it did not ask for")
	}
	c := countdown()
	c.Operations = true
	c.Automaton = "countdown_next"
	c.Sources[0].Text += "uint countdown_next(uint state, uint symbol) { return state + symbol; }\n"
	k, err := Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	if k.Program.Tree == nil || len(k.Warnings) > 0 {
		t.Fatalf("outside %v, warnings %v", k.Program.Outside, k.Warnings)
	}
	if k.Costs.Tick <= plain.Costs.Tick {
		t.Errorf("an iteration of the operations' loops costs %d, of countdown's %d", k.Costs.Tick, plain.Costs.Tick)
	}
}

// A private variable without initializer holds anything on a real GPU: idle counts and pending
// answers started with garbage there, and slices ended at once.
func TestPrivateVariablesAreInitialised(t *testing.T) {
	k, err := Assemble(countdown())
	if err != nil {
		t.Fatal(err)
	}
	start := string(mustRead(t, "glsl/worker.glsl"))
	for _, g := range k.Program.Tree.Globals {
		setAtStart := strings.Contains(start, "    "+g.Var.Name+" = ")
		if g.Init == nil && !setAtStart {
			t.Errorf("%s: %s has no initializer", g.Var.Pos, g.Var.Name)
		}
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	b, err := embedded.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What looks at breakpoints is in the kernel that was asked for it, and costs others nothing.
func TestAssembleBreaks(t *testing.T) {
	plain, err := Assemble(countdown())
	if err != nil {
		t.Fatal(err)
	}
	c := countdown()
	c.Holds.Breaks = true
	armed, err := Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sh_break", "sh_hits", "vt_breaks", "vt_flush_hits"} {
		if strings.Contains(plain.Program.Text, name) || !strings.Contains(armed.Program.Text, name) {
			t.Errorf("%s: in the plain kernel %v, in the other one %v", name, strings.Contains(plain.Program.Text, name), strings.Contains(armed.Program.Text, name))
		}
	}
	if armed.Program.Tree == nil || len(armed.Warnings) > 0 {
		t.Errorf("outside %v, warnings %v", armed.Program.Outside, armed.Warnings)
	}
	if plain.Costs.Burst == 0 || armed.Costs.Burst != 0 || plain.OutboxWords() != armed.OutboxWords() {
		t.Errorf("a further activation costs %d and %d, outboxes have %d and %d words", plain.Costs.Burst, armed.Costs.Burst, plain.OutboxWords(), armed.OutboxWords())
	}
}

// What looks for stops is in the kernel that was asked for it alone, which keeps the loop of a task's activations: a line that
// is not reached costs next to nothing.
func TestAssembleStops(t *testing.T) {
	plain, err := Assemble(countdown())
	if err != nil {
		t.Fatal(err)
	}
	c := countdown()
	c.Holds.Stops = []Stop{{Watch: "control[3]", Condition: "value > 2u"}, {Event: megakernel.StopFault}}
	armed, err := Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vt_hit", "vt_began", "vt_settle_stopped", "sh_hits", "vt_when_0"} {
		if strings.Contains(plain.Program.Text, name) || !strings.Contains(armed.Program.Text, name) {
			t.Errorf("%s: in the plain kernel %v, in the other one %v", name, strings.Contains(plain.Program.Text, name), strings.Contains(armed.Program.Text, name))
		}
	}
	if armed.Program.Tree == nil || len(armed.Warnings) > 0 {
		t.Errorf("outside %v, warnings %v", armed.Program.Outside, armed.Warnings)
	}
	if armed.Costs.Burst != plain.Costs.Burst || plain.OutboxWords() != armed.OutboxWords() || plain.ChecksAt() != armed.ChecksAt() {
		t.Errorf("a further activation costs %d and %d, outboxes have %d and %d words", plain.Costs.Burst, armed.Costs.Burst, plain.OutboxWords(), armed.OutboxWords())
	}
}
