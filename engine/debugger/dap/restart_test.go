package dap

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRestartTakesTheTextAsItIsNow: a breakpoint moves with its text or loses its place, and the client is told with the number that it
// knows; a watched place of the text before is removed.
func TestRestartTakesTheTextAsItIsNow(t *testing.T) {
	const head = "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer Data { uint v[]; };\nvoid main() {\n"
	dir := kernels(t, map[string]string{"k.comp": head + "  v[0] = 1u;\n  uint x = v[0];\n  v[1] = x;\n}\n"})
	c := connect(t, dir)
	c.do("initialize", `{"adapterID": "vyretop"}`)
	c.do("launch", `{"program": "$DIR/k.comp"}`)
	c.do("setBreakpoints", `{"source": {"path": "$DIR/k.comp"}, "breakpoints": [{"line": 7}, {"line": 6, "condition": "v[0] == 1u"}, {"line": 7, "condition": "x == 1u"}]}`)
	c.do("configurationDone", "")
	c.do("dataBreakpointInfo", `{"name": "v[1]"}`)
	c.do("setDataBreakpoints", `{"breakpoints": [{"dataId": "1: v[1]"}]}`)
	if err := os.WriteFile(filepath.Join(dir, "k.comp"), []byte(head+"\n  v[0] = 1u;\n\n  v[1] = v[0];\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range c.do("restart", "") {
		got = append(got, c.text(m))
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{
		`event breakpoint {"reason":"changed","breakpoint":{"id":3,"verified":false,"message":"the text has no code for it any longer"}}`,
		`event breakpoint {"reason":"changed","breakpoint":{"id":1,"verified":true,"message":"line 7 has no code, the breakpoint is at line 8"`,
		`event breakpoint {"reason":"removed","breakpoint":{"id":1048576,"verified":false`,
		`event stopped {"reason":"breakpoint","threadId":1,"allThreadsStopped":true,"hitBreakpointIds":[1]}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("want %s in\n%s", want, text)
		}
	}
}
