package work

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// steadyTime is how long a queue that was there may be out of reach: a cluster elects a leader, or a hub restarts.
const steadyTime = time.Minute

// steady asks the hub about a queue that was found before, and again while it does not answer.
func steady[T any](ctx context.Context, ask func(context.Context) (T, error)) (T, error) {
	for end := time.Now().Add(steadyTime); ; {
		limited, cancel := context.WithTimeout(ctx, askTime)
		v, err := ask(limited)
		cancel()
		if err == nil || ctx.Err() != nil || !passing(err) || time.Now().After(end) {
			return v, err
		}
		select {
		case <-time.After(retryTime):
		case <-ctx.Done():
			return v, err
		}
	}
}

// passing reports whether an error of a hub is one that ends by itself.
func passing(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.Code == http.StatusServiceUnavailable
	}
	for _, known := range []error{context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, jetstream.ErrNoStreamResponse} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// stream finds a stream of the queue.
func (q *Queue) stream(ctx context.Context, name string) (jetstream.Stream, error) {
	return steady(ctx, func(ctx context.Context) (jetstream.Stream, error) { return q.js.Stream(ctx, name) })
}
