package main

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/command"
	"vyretop/tasks"
)

// slowTarget has paused tasks, and answers only some commands, which may come at the same time.
type slowTarget struct {
	command.Target
	answers atomic.Int32
}

func (s *slowTarget) Snapshot() *megakernel.Snapshot {
	out := &megakernel.Snapshot{}
	for i := range uint32(5) {
		words := (&tasks.Task{State: tasks.Paused, TaskID: i + 1, Opcode: 7}).Words()
		out.Slots = append(out.Slots, words[:]...)
	}
	return out
}

func (s *slowTarget) Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	if s.answers.Add(-1) < 0 {
		<-ctx.Done()
		return megakernel.Ack{}, ctx.Err()
	}
	return megakernel.Ack{Command: c, Result: megakernel.AckApplied}, nil
}

// TestACommandForManyTasksTellsHowFarItCame: one that was not answered in time said only that.
func TestACommandForManyTasksTellsHowFarItCame(t *testing.T) {
	o, err := command.Parse("resume tasks op=7")
	if err != nil {
		t.Fatal(err)
	}
	target := &slowTarget{}
	target.answers.Store(2)
	p := &performer{target: target, limit: func(*command.Order) time.Duration { return 200 * time.Millisecond }} // the two answers come within it
	if _, err = p.one(t.Context(), &o); !errors.Is(err, errUnanswered) || !strings.HasPrefix(err.Error(), "resume tasks op=7: applied to 2 of 5 tasks, the next one not answered within 200ms: ") {
		t.Errorf("%v", err)
	}
}

// TestWordsOfACommandMayBeginWithADash: the count of "step worker 0 -5" and the kinds of "log -yield" were read as flags.
func TestWordsOfACommandMayBeginWithADash(t *testing.T) {
	root := (&app{}).newRoot(nil)
	for line, want := range map[string]string{
		"do step worker 0 -5":                     "do -- step worker 0 -5",
		"do log -yield --target scan --json":      "do --target scan --json -- log -yield",
		"do --timeout -5s edit rays.x -1.5":       "do --timeout -5s -- edit rays.x -1.5",
		"do --control --wait=1s edit rays.x -1.5": "do --control --wait=1s -- edit rays.x -1.5",
		"do -h log -yield":                        "do -h -- log -yield",
		"do --json -- log -yield --json":          "do --json -- log -yield --json",
		"do pause all --json":                     "do pause all --json",
		"tasks -5":                                "tasks -5",
	} {
		if got := strings.Join(wordsBehindFlags(root, strings.Fields(line)), " "); got != want {
			t.Errorf("%q became %q, want %q", line, got, want)
		}
	}
}
