package megakernel

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// TestCommandsOnManyTasksDoNotWaitForOneAnother: each command waited for the answer to the one before, a service pass each,
// so that resuming what a breakpoint held took seconds per thousand tasks. The target here answers none before it has 32.
func TestCommandsOnManyTasksDoNotWaitForOneAnother(t *testing.T) {
	list := make([]Command, 4*commandsInFlight)
	for i := range list {
		list[i].Slot = uint32(i)
	}
	var mu sync.Mutex
	var waiting []chan struct{}
	seen := map[uint32]int{}
	do := func(_ context.Context, c Command) (Ack, error) {
		answered := make(chan struct{})
		mu.Lock()
		seen[c.Slot]++
		waiting = append(waiting, answered)
		if len(waiting) == commandsInFlight {
			for _, w := range waiting {
				close(w)
			}
			waiting = nil
		}
		mu.Unlock()
		<-answered
		if c.Slot%2 == 0 {
			return Ack{Command: c, Result: AckApplied}, nil
		}
		return Ack{Command: c, Result: AckIllegal}, nil
	}
	applied, err := DoAll(t.Context(), do, list)
	if err != nil || applied != len(list)/2 || len(seen) != len(list) {
		t.Errorf("applied %d of %d commands, error %v", applied, len(seen), err)
	}
	for slot, n := range seen {
		if n != 1 {
			t.Errorf("slot %d was sent %d commands", slot, n)
		}
	}
}

func TestDoAllEndsWithTheFirstErrorOrTheContext(t *testing.T) {
	list := make([]Command, 10*commandsInFlight)
	failure := errors.New("lost")
	applied, err := DoAll(t.Context(), func(context.Context, Command) (Ack, error) { return Ack{}, failure }, list)
	if applied != 0 || !errors.Is(err, failure) {
		t.Errorf("applied %d, error %v", applied, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	sent := 0
	_, err = DoAll(ctx, func(context.Context, Command) (Ack, error) { sent++; return Ack{}, nil }, list)
	if !errors.Is(err, context.Canceled) || sent != 0 {
		t.Errorf("sent %d after the end, error %v", sent, err)
	}
	if applied, err := DoAll(t.Context(), nil, nil); applied != 0 || err != nil {
		t.Errorf("nothing to do: %d, error %v", applied, err)
	}
}
