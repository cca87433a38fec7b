package dap

import (
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestScripts runs scripted clients: each directive is a request, its input are the arguments, its output all that the server
// answers. The directive raw sends its input as it is.
func TestScripts(t *testing.T) {
	kernel, err := os.ReadFile("testdata/kernel.comp")
	if err != nil {
		t.Fatal(err)
	}
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		c := connect(t, kernels(t, map[string]string{"kernel.comp": string(kernel)}))
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
			}
			return strings.Join(lines, "\n") + "\n"
		})
	})
}
