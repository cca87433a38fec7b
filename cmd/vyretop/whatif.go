package main

import (
	"github.com/spf13/cobra"

	"vyretop/megakernel"
	"vyretop/megakernel/bisect"
)

const whatIfLong = `what-if executes a recorded run twice: as it was recorded, and with other values of words, or other handlers, from the beginning
of an activation of a task on. It compares the two activation by activation, and prints where the first difference is, which lines wrote it,
and what differs at the end. Words are those of the task that handlers decide, such as task.param or task.continuation_data, and
those of buffers by the names that vyretop words prints.
Activations before it run the recorded handlers; vyretop bisect compares two versions of them from the beginning on.

Both runs are executed on the reference interpreter on one lane, so that nothing but the change makes them differ. The exit status is
1 if they end differently.`

// newWhatIf makes the command that runs a recording on with other words.
func newWhatIf(a *app, _ []string) *cobra.Command {
	w, task, asJSON := bisect.WhatIf{}, "", false
	c := &cobra.Command{
		Use: "what-if FILE --task ID [--set PLACE=VALUE] [--handlers FILE]", Short: "Execute a recorded run with other values or handlers, and compare how it continues",
		Long:    whatIfLong,
		Example: "vyretop what-if run.mcap --task 17 --set task.param=5\nvyretop what-if run.mcap --task 17 --activation 3 --set 'total[30]=0' --json\nvyretop what-if run.mcap --task 17 --activation 3 --handlers fixed/add.glsl",
		Args:    arguments(1, 1, "FILE"),
	}
	s := c.Flags()
	s.StringVar(&task, "task", "", "ID of the task")
	s.IntVar(&w.Activation, "activation", 1, "number of the activation of the task, from 1, before which the words are set, and from which on the other handlers run")
	s.StringArrayVar(&w.Set, "set", nil, "word and its value, such as task.param=5 or total[3]=7 (repeatable)")
	s.StringVar(&w.Handlers, "handlers", "", "handlers of the second run from there on: a FILE.glsl that replaces the recorded one of its name, or a workload")
	s.BoolVar(&asJSON, "json", false, "print one JSON document")
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		switch {
		case !s.Changed("task") || len(w.Set) == 0 && w.Handlers == "":
			return usage("--task and what is changed are missing", "name a task, and a word or a handler file, such as --task 17 --set task.param=5 or --task 17 --handlers fixed.glsl")
		case w.Activation < 1:
			return usage("--activation counts from 1", "leave it out, or give the number of an activation")
		}
		if w.Task, err = megakernel.ParseTaskName(task); err != nil {
			return err
		}
		w.Recording = args[0]
		done := a.note("executing " + args[0] + " twice")
		out, err := w.Run(c.Context())
		done()
		if err != nil {
			return err
		}
		return a.printFinding(out, out.Equal, asJSON)
	}
	return c
}
