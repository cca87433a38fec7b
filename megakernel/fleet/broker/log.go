package broker

import (
	"fmt"
	"os"
)

// logger passes on what the server logs, from notices on.
type logger struct{ tell func(string) }

// Noticef implements server.Logger, as do the others.
func (l logger) Noticef(format string, v ...any) { l.tell(fmt.Sprintf(format, v...)) }
func (l logger) Warnf(format string, v ...any)   { l.tell("warning: " + fmt.Sprintf(format, v...)) }
func (l logger) Errorf(format string, v ...any)  { l.tell("error: " + fmt.Sprintf(format, v...)) }
func (l logger) Fatalf(format string, v ...any)  { l.tell("fatal: " + fmt.Sprintf(format, v...)) }
func (logger) Debugf(string, ...any)             {}
func (logger) Tracef(string, ...any)             {}

// hostname is the name of this machine.
func hostname() string {
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "localhost"
}
