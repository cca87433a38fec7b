// Command vyretop runs persistent GPU megakernels and shows, steers and debugs them from a terminal
// while they run.
//
// This package owns the command line: it parses flags, wires the packages that do the work, and
// turns what they return into output and an exit status. The statuses are 0 for success, 1 for a
// failed run or verification, 2 for wrong usage or bad input, 3 for no device or a lost one.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"vyretop/engine/plainfile"
	"vyretop/megakernel/safe"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ())) }

// doMain runs the program with everything it touches of the process given, and returns the exit status.
func doMain(args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	out, errs := safe.NewWriter(stdout), safe.NewWriter(stderr)
	a := &app{stdin: stdin, stdout: out, stderr: errs, env: env, began: time.Now()}
	status := a.run(args)
	if err := errors.Join(out.Flush(), errs.Flush()); err != nil && status == exitOK {
		status = exitFailed
		fmt.Fprintf(errs, "vyretop: %v. Fix: %s\n", err, plainfile.Fix(err))
	}
	if a.detached != nil {
		_ = a.detached.Close(status) // the run is over, and has no place to say it
	}
	return status
}
