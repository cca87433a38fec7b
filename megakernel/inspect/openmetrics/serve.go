package openmetrics

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/inspect"
)

// Bounds of the server: how long a request may take, how large its head may be, and how many are answered at once.
const (
	scrapeTime  = 10 * time.Second
	scrapeHead  = 16 << 10
	scrapesOnce = 4
)

// Serve answers requests for the metrics of a subject until it or ctx ends, and closes the listener. Its end is not an error.
func Serve(ctx context.Context, l net.Listener, s Subject) error {
	server := &http.Server{Handler: &handler{subject: s, busy: make(chan struct{}, scrapesOnce)}, ReadTimeout: scrapeTime, WriteTimeout: 2 * scrapeTime, IdleTimeout: time.Minute, MaxHeaderBytes: scrapeHead}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	var ended <-chan struct{}
	if live, ok := s.(interface{ Ended() <-chan struct{} }); ok {
		ended = live.Ended()
	}
	select {
	case err := <-failed:
		return err
	case <-ended:
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return errors.Join(ignoreDeadline(server.Shutdown(last)), server.Close())
}

// ignoreDeadline forgives requests that were not answered in time when the server ends.
func ignoreDeadline(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// Subject is what has metrics. One with a method Ended() <-chan struct{} ends when that channel is closed.
type Subject interface {
	inspect.Sampled
	// Now is the newest snapshot. It waits for one where there is none yet, until ctx ends.
	Now(ctx context.Context) (*megakernel.Snapshot, error)
}

// handler answers requests with the metrics of a subject.
type handler struct {
	subject Subject
	busy    chan struct{}
}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/metrics":
		http.Error(w, "not found. Fix: get /metrics", http.StatusNotFound)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed. Fix: use GET", http.StatusMethodNotAllowed)
		return
	}
	select {
	case h.busy <- struct{}{}:
		defer func() { <-h.busy }()
	default:
		http.Error(w, "too many requests at once. Fix: scrape less often", http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), scrapeTime)
	defer cancel()
	now, err := h.subject.Now(ctx)
	if err != nil {
		http.Error(w, strings.TrimSpace(err.Error()), http.StatusServiceUnavailable)
		return
	}
	t := h.subject.Header().Target
	metrics, err := New(&t, inspect.Sample(h.subject, now, nil)).Registry()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	Handler(metrics).ServeHTTP(w, r)
}
