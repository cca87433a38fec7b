package command

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// slowTarget has paused tasks, and answers only some commands, which may come at the same time.
type slowTarget struct {
	Target
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
	o, err := Parse("resume tasks op=7")
	if err != nil {
		t.Fatal(err)
	}
	target := &slowTarget{}
	target.answers.Store(2)
	p := &Performer{Target: target, Timeout: 2 * time.Second} // the two answers come within it
	if _, err = p.one(t.Context(), &o); !errors.Is(err, ErrUnanswered) || !strings.HasPrefix(err.Error(), "resume tasks op=7: applied to 2 of 5 tasks, the next one not answered within 2s: ") {
		t.Errorf("%v", err)
	}
}

// TestEachKindOfOrderHasItsTime: an order that waits ends with what it waits for, one that compiles has more time than one that
// is answered at the end of an activation, and a time that is given is for all.
func TestEachKindOfOrderHasItsTime(t *testing.T) {
	for line, want := range map[string]time.Duration{
		"pause worker 1": AnswerTime, "bp op=7": armTime, "set aging=8": armTime, "drain": 0, "wait done>3": 0, "apply workers=2": 0,
	} {
		o, err := Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&Performer{}).limit(&o); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
		if got := (&Performer{Timeout: time.Second}).limit(&o); got != time.Second {
			t.Errorf("%s: %v with a time that is given", line, got)
		}
	}
}
