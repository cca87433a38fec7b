package gl

import (
	"testing"

	"vyretop/engine/glsl/source"
)

// TestDriverLogsAreRemapped covers the log formats of the drivers we know, and lines that name no place.
func TestDriverLogsAreRemapped(t *testing.T) {
	pos := func(line int) source.Pos {
		if line > 100 {
			return source.Pos{}
		}
		return source.Pos{File: "a.glsl", Line: line + 1, Col: 1}
	}
	for _, c := range []struct{ name, log, want string }{
		{"Mesa", "0:4(11): error: `nowhere' undeclared\n", "a.glsl:5: error: `nowhere' undeclared"},
		{"NVIDIA", "0(4) : error C1503: undefined variable \"nowhere\"\n\x00", "a.glsl:5: error C1503: undefined variable \"nowhere\""},
		{"reference compiler", "ERROR: 0:4: 'nowhere' : undeclared identifier", "a.glsl:5: error: 'nowhere' : undeclared identifier"},
		{"warning", "WARNING: 0:9: unused", "a.glsl:10: warning: unused"},
		{"several lines", "0(1) : error A\n2 errors\n0(2) : error B", "a.glsl:2: error A\n2 errors\na.glsl:3: error B"},
		{"unknown line", "0:101(1): error: x", "0:101(1): error: x"},
		{"what stands before the kernel", "1:4(11): error: x\n1(4) : error C1503: x", "1:4(11): error: x\n1(4) : error C1503: x"},
		{"no number", "error: out of registers", "error: out of registers"},
		{"number too large", "0:99999999999999999999(1): error: x", "0:99999999999999999999(1): error: x"},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := remapLog(c.log, pos); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
	if got := remapLog("0:4(11): error: x\n", nil); got != "0:4(11): error: x" {
		t.Errorf("without positions: %q", got)
	}
}

// FuzzRemapLog expects any log to be rewritten without a panic.
func FuzzRemapLog(f *testing.F) {
	f.Add("0:4(11): error: x\n")
	f.Add("ERROR: 0:4: y")
	f.Fuzz(func(t *testing.T, log string) {
		remapLog(log, func(line int) source.Pos { return source.Pos{File: "f", Line: line} })
	})
}
