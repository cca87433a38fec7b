// Package command owns the commands in words that act on a running megakernel. The dashboard takes them
// behind ":", `vyretop do` from a shell, and both from a script, so there is one table of them (Verbs), one
// way to read them (Parse), and for all but the dashboard, which shows what waits, one way to carry them
// out (Order.Carry). This comment is their grammar:
//
//	pause        all | worker N | task ID
//	resume       all | worker N | task ID
//	step         worker N [ACTIVATIONS]
//	requeue      task ID PRIORITY
//	reprioritize task ID PRIORITY
//	reap         task ID
//	edit         control[N] VALUE | task ID WORD VALUE
//	set          SETTING …
//	retune       workers=N lanes=M
//	bp           WHEN [hit>N] [hit%N] [ACTION] | delete N | enable N | disable N
//	undo
//	drain
//	stop
//	reload
//	spawn        OPCODE [VALUE …] [priority=PRIORITY] [tenant=N]
//	rerun
//	wait         DURATION | CONDITION
//
// Words are separated by spaces. ID is the id of a task, "+7" for the seventh that handlers spawned; N and
// VALUE are decimal, or hexadecimal with 0x. PRIORITY is a name or number of package tasks, WORD one of
// tasks.WordNames, SETTING as megakernel.ParseSetting reads it, CONDITION a filter over metrics, WHEN one over the words of a task
// (ConditionFields) that compares numbers, ACTION one of package breakpoint. A script
// is a file of commands, one in a line; empty lines and what stands behind "#" at the start of a word count
// for nothing.
package command

import (
	"fmt"
	"strings"

	"vyretop/engine/fault"
)

// ErrCommand is matched by errors about a command that cannot be read.
const ErrCommand fault.Kind = "command cannot be read"

// ErrRefused is matched by the error about a command that the target did not carry out.
const ErrRefused fault.Kind = "the target refused"

// ErrLine is the kind of the errors of a line of a script.
const ErrLine fault.Kind = "line of a script"

// InLine says in which line of a script an error is.
func InLine(file string, line int, err error) error {
	return &fault.Error{Kind: ErrLine, Subject: fmt.Sprintf("%s:%d", file, line), Cause: err}
}

// Names lists the verbs.
func Names() []string {
	out := make([]string, len(Verbs))
	for i := range Verbs {
		out[i] = Verbs[i].Name
	}
	return out
}

// Usages lists how the verbs are written, one in a line, each behind a prefix.
func Usages(prefix string) string {
	var b strings.Builder
	for i := range Verbs {
		fmt.Fprintf(&b, "%s%-44s  %s\n", prefix, Verbs[i].Usage, Verbs[i].Help)
	}
	return b.String()
}
