package live

import (
	"fmt"

	"vyretop/megakernel"
	"vyretop/megakernel/layout"
	"vyretop/megakernel/words"
	"vyretop/tasks"
)

// describe says a command in words, with what it acts on: words by the names and in the types that they are declared with.
func describe(c megakernel.Command, buffers []megakernel.BufferInfo) string {
	switch c.Op {
	case megakernel.OpPauseTask, megakernel.OpResumeTask, megakernel.OpRequeueTask, megakernel.OpReprioritize, megakernel.OpReap:
		return fmt.Sprintf("%s %s", c.Op, megakernel.TaskName(c.Task))
	case megakernel.OpPauseWorker, megakernel.OpResumeWorker, megakernel.OpStepWorker:
		return fmt.Sprintf("%s %d", c.Op, c.Worker)
	case megakernel.OpEditTask, megakernel.OpEditControl, megakernel.OpEditBuffer:
		word, kind := edited(c, buffers)
		return fmt.Sprintf("edit %s from %s to %s", word, layout.AppendValue(nil, kind, c.Expected), layout.AppendValue(nil, kind, c.Desired))
	case megakernel.OpAdvanceEpoch:
		if c.Arg == 0 {
			return fmt.Sprintf("advance the epoch to %d", c.Desired)
		}
		return fmt.Sprintf("advance the epoch by %d", c.Arg)
	default:
		return c.Op.String()
	}
}

// edited is the word that an edit is for, and its kind.
func edited(c megakernel.Command, buffers []megakernel.BufferInfo) (string, layout.Kind) {
	switch c.Op {
	case megakernel.OpEditTask:
		word := fmt.Sprintf("word %d", c.Arg)
		if c.Arg < uint32(len(tasks.WordNames)) {
			word = tasks.WordNames[c.Arg]
		}
		return word + " of task " + megakernel.TaskName(c.Task), layout.None
	case megakernel.OpEditControl:
		return "control." + words.Name(words.Control, int(c.Arg)), layout.None
	}
	for i := range buffers {
		if b := &buffers[i]; b.Binding == c.Slot {
			word, kind := words.OwnName(b, int(c.Arg))
			return b.Name + "." + word, kind
		}
	}
	return fmt.Sprintf("word %d of the buffer with binding %d", c.Arg, c.Slot), layout.None
}
