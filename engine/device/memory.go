package device

import (
	"fmt"
	"io"

	"vyretop/engine"
	"vyretop/gl"
)

// writeMemory prints what reaching each class of buffer costs: a row for one word after the other, and
// a row for many at once.
func writeMemory(w io.Writer, rows []gl.Memory) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "  memory\thost read\thost write\tdevice read\tdevice write\tround trip\n")
	for _, m := range rows {
		name := m.Class
		if m.Placement != m.Class {
			name += " (is " + m.Placement + ")"
		}
		accesses := [...]gl.Access{m.HostRead, m.HostWrite, m.DeviceRead, m.DeviceWrite}
		fmt.Fprintf(w, "  %s", name)
		for _, a := range accesses {
			fmt.Fprintf(w, "\t%s", figure(a.NsPerWord, "%.1f ns"))
		}
		fmt.Fprintf(w, "\t%s\n  ", figure(m.RoundTripNs, "%.0f ns"))
		for _, a := range accesses {
			fmt.Fprintf(w, "\t%s", figure(a.MBPerS, "%.0f MB/s"))
		}
		fmt.Fprintf(w, "\t\n")
	}
}

// figure formats a number that may not have been measured.
func figure(v engine.Optional[float64], format string) string {
	if known, ok := v.Get(); ok {
		return fmt.Sprintf(format, known)
	}
	return "-"
}
