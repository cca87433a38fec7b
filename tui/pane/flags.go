package pane

import (
	"fmt"
	"strings"

	"vyretop/tasks"
)

// flags are the names of the flags of a slot, in the order of their bits.
var flags = []struct {
	bit  uint32
	name string
}{
	{tasks.FlagPaused, "paused"},
	{tasks.FlagYielded, "yielded"},
	{tasks.FlagRequeueRequested, "requeue"},
	{tasks.FlagResumeReady, "resume-ready"},
	{tasks.FlagNotify, "notify"},
	{tasks.FlagHalted, "halted"},
}

// flagNames says in words which flags are set; bits without a name follow as one number.
func flagNames(v uint32) string {
	var names []string
	for _, f := range flags {
		if v&f.bit != 0 {
			names = append(names, f.name)
			v &^= f.bit
		}
	}
	if v != 0 {
		names = append(names, fmt.Sprintf("0x%x", v))
	}
	return strings.Join(names, " ")
}
