package gl

import (
	"fmt"
	"regexp"
	"strings"

	"vyretop/engine/glsl/source"
)

// logLine matches the three ways in which drivers point at a line of string 0, which is the kernel's own
// (string 1 is what package emit puts before it):
//
//	0:12(5): error: …            Mesa
//	0(12) : error C1008: …       NVIDIA
//	ERROR: 0:12: …               Intel, AMD and other users of the reference compiler
var logLine = regexp.MustCompile(`^(?:(ERROR|WARNING): )?0[:(](\d+)\)?(?:\(\d+\))?\s*:\s*(.*)$`)

// remapLog rewrites a driver's log so that it names the user's files and lines. Lines that name
// none, or one that pos does not know, stay as they are. pos may be nil. The driver's column counts
// in the rewritten text and is dropped.
func remapLog(log string, pos func(line int) source.Pos) string {
	lines := strings.Split(strings.TrimRight(log, "\n\x00 "), "\n")
	if pos == nil {
		return strings.Join(lines, "\n")
	}
	for i, l := range lines {
		lines[i] = remapLine(l, pos)
	}
	return strings.Join(lines, "\n")
}

func remapLine(l string, pos func(line int) source.Pos) string {
	m := logLine.FindStringSubmatch(l)
	if m == nil {
		return l
	}
	var n int
	if _, err := fmt.Sscan(m[2], &n); err != nil {
		return l
	}
	p := pos(n)
	if !p.IsValid() {
		return l
	}
	if m[1] != "" {
		m[3] = strings.ToLower(m[1]) + ": " + m[3]
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, m[3])
}
