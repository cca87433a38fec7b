package run

import (
	"context"
	"testing"

	"vyretop/engine"
)

// TestAFinishedRunHeedsStop: what watches for a lost device must not end with the work, because a run whose work has
// ended can still be told to stop.
func TestAFinishedRunHeedsStop(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		stop bool
		want bool
	}{
		"finished, then stopped": {nil, true, true},
		"device lost":            {engine.ErrDeviceLost, false, true},
		"finished":               {nil, false, false},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		j, asked, ended := &Job{ended: make(chan struct{}), err: c.err}, make(chan struct{}), false
		close(j.ended)
		returned := make(chan struct{})
		go func() {
			defer close(returned)
			j.endWith(ctx, func() { ended = true }, asked)
		}()
		switch {
		case c.stop:
			close(asked)
		case !c.want:
			cancel()
		}
		<-returned
		cancel()
		if ended != c.want {
			t.Errorf("%s: the run ended: %v", name, ended)
		}
	}
}
