package fleet

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"vyretop/engine/fault"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
)

// answerTime is how long targets may take to say that they are there.
const answerTime = 2 * time.Second

// SplitTarget takes HUB/NAME apart, as in nats://node1:4222/scan@node2, also behind several addresses with commas; ok is false for a name
// that is none of a hub.
func SplitTarget(text string) (hub, name string, ok bool) {
	scheme, _, ok := strings.Cut(text, "://")
	if !ok || scheme != "nats" && scheme != "tls" && scheme != "ws" && scheme != "wss" {
		return "", "", false
	}
	last := strings.LastIndexByte(text, ',') + 1 // names have none
	if at := strings.Index(text[last:], "://"); at >= 0 {
		last += at + len("://")
	}
	host, name, _ := strings.Cut(text[last:], "/")
	return text[:last] + host, name, true
}

// Find looks for the target that a name means, and waits for it to appear, for wait or as long as targets take to answer. Errors are
// those of Connect and targets.ErrName.
func Find(ctx context.Context, a Address, name string, wait time.Duration) (*targets.Target, error) {
	w, err := WatchAll(a, time.Second)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return w.Find(ctx, name, max(wait, answerTime))
}

// Find is the function Find.
func (w *Watcher) Find(ctx context.Context, name string, wait time.Duration) (*targets.Target, error) {
	limit := time.NewTimer(wait)
	defer limit.Stop()
	settled := time.After(answerTime / 4) // a second one of the name may answer later
	for early := true; ; {
		t, err := targets.Find(w.Targets(), name)
		if err == nil && !(early && name != t.Title() && name != t.ID) {
			return t, nil
		}
		select {
		case <-w.Updates():
		case <-settled:
			early = false
		case <-limit.C:
			return t, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Connector is remote.DialOptions.Connect for a target: each connection has one to the hub of its own.
func Connector(a Address, t *targets.Target, most remote.Rights) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) {
		h, err := connectWithin(ctx, a)
		if err != nil {
			return nil, err
		}
		c, err := h.Dial(ctx, t, most)
		if err != nil {
			h.Close()
			return nil, err
		}
		go func() {
			<-c.done
			_ = h.FlushTimeout(closeTime) // the last frame says that the connection is closed
			h.Close()
		}()
		return c, nil
	}
}

// connectWithin connects to a hub until ctx ends. The error of one that does not answer is remote.ErrAway, too.
func connectWithin(ctx context.Context, a Address) (*Hub, error) {
	type result struct {
		hub *Hub
		err error
	}
	done := make(chan result, 1)
	go func() {
		h, err := Connect(a, false)
		done <- result{h, err}
	}()
	select {
	case r := <-done:
		if unanswered(r.err) {
			r.err = &fault.Error{Kind: remote.ErrAway, Cause: r.err}
		}
		return r.hub, r.err
	case <-ctx.Done():
		go func() {
			if r := <-done; r.err == nil {
				r.hub.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// unanswered reports whether the error of Connect is that of a hub which is not there, or does not answer.
func unanswered(err error) bool {
	var network net.Error
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) || errors.As(err, &network)
}
