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
