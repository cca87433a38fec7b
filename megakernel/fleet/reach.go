package fleet

import (
	"context"
	"net"
	"strings"
	"time"

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
		h, err := Connect(a, false)
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
