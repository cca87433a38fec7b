package work

import (
	"context"
	"errors"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// TestErrorsThatEndByThemselves are those of servers that elect a leader; a hub without streams is not waited for. A run that looked for its
// queue while the leader was lost ended instead, as the hub does not answer then.
func TestErrorsThatEndByThemselves(t *testing.T) {
	unavailable := &jetstream.APIError{Code: 503, ErrorCode: 10008}
	for _, tt := range []struct {
		err            error
		passes, opened bool // of a queue that was found before, and of one that is looked for
	}{
		{unavailable, true, true}, {nats.ErrNoResponders, true, false}, {context.DeadlineExceeded, true, true}, {nats.ErrTimeout, true, true},
		{jetstream.ErrJetStreamNotEnabled, false, false}, {jetstream.ErrStreamNotFound, false, false}, {errors.New("another"), false, false},
	} {
		if p, o := passing(tt.err), unanswered(tt.err); p != tt.passes || o != tt.opened {
			t.Errorf("%v: %v, %v", tt.err, p, o)
		}
	}
	asked := 0
	v, err := steady(t.Context(), func(context.Context) (int, error) {
		if asked++; asked == 1 {
			return 0, unavailable
		}
		return asked, nil
	})
	if v != 2 || err != nil {
		t.Errorf("%d, %v", v, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := steady(ctx, func(context.Context) (int, error) { return 0, unavailable }); !errors.Is(err, unavailable) {
		t.Errorf("%v", err)
	}
}
