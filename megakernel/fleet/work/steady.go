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
	return while(ctx, passing, ask)
}

// while asks the hub, and again while the error is one that again reports true for.
func while[T any](ctx context.Context, again func(error) bool, ask func(context.Context) (T, error)) (T, error) {
	for end := time.Now().Add(steadyTime); ; {
		limited, cancel := context.WithTimeout(ctx, askTime)
		v, err := ask(limited)
		cancel()
		if err == nil || ctx.Err() != nil || !again(err) || time.Now().After(end) {
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
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse) || unanswered(err)
}

// unanswered reports whether a hub may answer if it is asked again. One that says it keeps no streams is not asked again.
func unanswered(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || electing(err)
}

// electing reports whether the servers of a cluster have no leader yet.
func electing(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.Code == http.StatusServiceUnavailable && api.ErrorCode != jetstream.JSErrCodeJetStreamNotEnabled &&
		api.ErrorCode != jetstream.JSErrCodeJetStreamNotEnabledForAccount
}

// stream finds a stream of the queue.
func (q *Queue) stream(ctx context.Context, name string) (jetstream.Stream, error) {
	return steady(ctx, func(ctx context.Context) (jetstream.Stream, error) { return q.js.Stream(ctx, name) })
}
