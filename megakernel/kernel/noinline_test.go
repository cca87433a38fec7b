package kernel

import (
	"strings"
	"testing"
)

// TestNoInlineIsForLargeHandlers looks at the text for the driver.
func TestNoInlineIsForLargeHandlers(t *testing.T) {
	large := "void large(inout Task t) { uint n = t.param;" + strings.Repeat(" n = n * 5u + (n >> 3u);", 200) + " t.output_handle = n; }\n"
	c := handlers(large+"void small(inout Task t) { t.output_handle = t.param; }\n",
		Handler{Opcode: 16, Function: "large"}, Handler{Opcode: 17, Function: "small"})
	for _, on := range []bool{false, true} {
		c.NoInline = on
		k, err := Assemble(c)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(k.Program.Text, ") void large(inout Task t) {"); got != on {
			t.Errorf("NoInline %v: large is a subroutine: %v", on, got)
		}
		if strings.Contains(k.Program.Text, ") void small(inout Task t) {") {
			t.Errorf("NoInline %v: small is a subroutine", on)
		}
	}
}
