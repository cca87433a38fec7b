package main

import (
	"fmt"
	"io"
	"strings"

	"vyretop/megakernel/remote"
)

// welcome says what to do next, for a command line without a command. Runs that can be reached come first.
func (a *app) welcome(w io.Writer) error {
	var b strings.Builder
	b.WriteString("vyretop runs persistent GPU megakernels, and shows, steers and debugs them\nwhile they run.\n\n")
	step := func(command, what string) { fmt.Fprintf(&b, "  %-38s %s\n", command, what) }
	live, _ := remote.Targets(remote.Dir(a.env)) // attach says what is wrong with the directory
	for _, name := range live {
		step("vyretop attach "+name, "open a dashboard on this live run")
	}
	step("vyretop demo", "watch a recorded run; needs no GPU")
	step("vyretop doctor", "check OpenGL, devices and the driver")
	step("vyretop run scan --path /usr/share/doc", "run a workload; ? lists keys, q leaves")
	step("vyretop help", "list the commands and topics")
	_, err := io.WriteString(w, b.String())
	return err
}
