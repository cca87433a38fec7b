package pane

import (
	"context"
	"strings"

	"vyretop/engine/fault"
	"vyretop/tui/keymap"
)

// supposeVerb executes a recorded run on from the activation that is open, with other values of words or other handlers.
func (p *sourcePane) supposeVerb() Verb {
	return Verb{
		Name: "suppose", Usage: "suppose task.param=5, total[3]=7 or handlers=FILE.glsl: several are separated by blanks",
		Words: []string{"task.param=", "task.continuation_data=", "handlers="}, Run: p.whatIf,
	}
}

// whatIf has the run executed with changes, and shows how it compares with what happened.
func (p *sourcePane) whatIf(changes []string) error {
	switch {
	case p.Again == nil:
		return failed(&fault.Error{Kind: ErrSource, Detail: "only the run of a recording can be executed with other values", Fix: "open a recording of a whole run with vyretop replay FILE"})
	case p.shot == nil:
		return failed(&fault.Error{Kind: ErrSource, Detail: "no task is open in the source view", Fix: "select a task and press " + p.KeyOf(keymap.ShowView+string(keymap.Code))})
	case len(changes) == 0:
		return usage("missing what is changed, such as task.param=5")
	}
	p.Show(keymap.Code)
	if len(p.moves) >= maxMoves {
		return nil
	}
	again, from, task, run := p.Again, p.opened, p.task, p.run
	p.moves = append(p.moves, func(ctx context.Context) sourceMoved {
		var out strings.Builder
		err := again.Suppose(ctx, from, task, changes, &out)
		if err != nil {
			out.Reset()
		}
		return sourceMoved{task: task, run: run, told: out.String(), err: err}
	})
	return nil
}
