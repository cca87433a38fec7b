package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// cutOutput is for commands that have something to remove when the reader of their output goes away, as in vyretop log | head. A process
// otherwise ends in the middle of such a write.
type cutOutput struct{ awaited bool }

// await has writes to a pipe without a reader return an error from now on, so that the command ends in order.
func (c *cutOutput) await() {
	if !c.awaited {
		c.awaited = true
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // not Ignore, which child processes would inherit
	}
}

// by reports whether a command has ended because its output has no reader.
func (c *cutOutput) by(err error) bool { return c.awaited && errors.Is(err, syscall.EPIPE) }

// end ends the process as the system does without await: by the signal, and without a word.
func (c *cutOutput) end(output io.Writer) {
	signal.Reset(syscall.SIGPIPE)
	_, _ = output.Write([]byte{'\n'}) // has no reader either
}
