package dap

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestScripts runs scripted clients: each directive is a request, its input are the arguments, its output all that the server
// answers, with the place of a stop. The directive raw sends its input as it is.
func TestScripts(t *testing.T) {
	texts := map[string]string{}
	for _, name := range []string{"kernel.comp", "race.comp"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		c := connect(t, kernels(t, texts))
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			c.t = t
			var list []message
			if d.Cmd == "raw" {
				c.write(d.Input)
				list = append(list, c.receive())
			} else {
				list = c.do(d.Cmd, d.Input)
			}
			var lines []string
			for _, m := range list {
				lines = append(lines, c.text(m))
				if m.Event == "stopped" {
					lines = append(lines, c.place(m))
				}
			}
			return strings.Join(lines, "\n") + "\n"
		})
	})
}

// place asks where the thread of a stop stands.
func (c *client) place(stop message) string {
	c.t.Helper()
	var at struct{ ThreadID int }
	if err := json.Unmarshal(stop.Body, &at); err != nil {
		c.t.Fatal(err)
	}
	var stack struct {
		StackFrames []struct {
			Id, Line int
			Name     string
		}
	}
	list := c.do("stackTrace", fmt.Sprintf(`{"threadId":%d,"levels":1}`, at.ThreadID))
	if err := json.Unmarshal(list[len(list)-1].Body, &stack); err != nil || len(stack.StackFrames) != 1 {
		c.t.Fatalf("the stack of thread %d: %+v, %v", at.ThreadID, list, err)
	}
	f := stack.StackFrames[0]
	return fmt.Sprintf("frame %d: line %d of %s", f.Id, f.Line, f.Name)
}
