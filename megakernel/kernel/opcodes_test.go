package kernel

import (
	"slices"
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// TestHandlersNameOpcodes: a handler spawns tasks of another one by its name, and by numbers of the protocol where a name is both.
func TestHandlersNameOpcodes(t *testing.T) {
	c := countdown()
	c.Handlers = append(c.Handlers, Handler{Opcode: 17, Name: "count-up", Function: "count_up"}, Handler{Opcode: 18, Name: "load", Function: "count_up"})
	c.Sources[0].Text += `
void count_up(inout Task t) {
    if (!task_spawn(t, OPCODE_COUNTDOWN, t.priority, OPCODE_COUNT_UP, OPCODE_LOAD, 0u)) { task_yield(t, 0u, 0u); }
}
`
	k, err := Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range []string{"16u", "17u", "3u"} {
		if !strings.Contains(k.Program.Text, number) {
			t.Errorf("the text for the driver has no %s", number)
		}
	}
}

func TestOpcodesOfFilesAndTwins(t *testing.T) {
	c := Config{
		Handlers: []Handler{{Opcode: 16, Name: "a-b"}, {Opcode: 17, Name: "a_b"}, {Opcode: 18, Name: "mine"}, {Opcode: 19, Name: "own"}, {Opcode: 20, Name: "x--y"}, {Opcode: 21, Name: "turn"}},
		Sources:  []*source.File{{Text: "#define OPCODE_MINE 0x12u\nconst uint OPCODE_OWN = 19u;\n"}},
	}
	if got, want := c.opcodes(), []preprocess.Define{{Name: "OPCODE_TURN", Body: "21u"}}; !slices.Equal(got, want) {
		t.Errorf("%v are defined, want %v", got, want)
	}
}
