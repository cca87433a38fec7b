package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"vyretop/megakernel/inspect"
)

// TestMetricsAreServedUntilTheEnd: what a reader gets, what is refused, and that the server ends with its context.
func TestMetricsAreServedUntilTheEnd(t *testing.T) {
	t.Parallel()
	s, err := inspect.Open(t.Context(), inspect.Embedded, inspect.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- serveMetrics(ctx, l, s) }()
	client := &http.Client{Timeout: patience}
	for _, tc := range []struct {
		method, path string
		status       int
		text         string
	}{
		{http.MethodGet, "/metrics", http.StatusOK, "vyretop_done_total{workload=\"demo\""},
		{http.MethodPost, "/metrics", http.StatusMethodNotAllowed, "Fix: "},
		{http.MethodGet, "/", http.StatusNotFound, "Fix: get /metrics"},
	} {
		q, err := http.NewRequestWithContext(t.Context(), tc.method, "http://"+l.Addr().String()+tc.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := client.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r.Body)
		if err := r.Body.Close(); err != nil {
			t.Error(err)
		}
		if err != nil || r.StatusCode != tc.status || !strings.Contains(string(text), tc.text) {
			t.Errorf("%s %s: %d, %v\n%s", tc.method, tc.path, r.StatusCode, err, text)
		}
	}
	client.CloseIdleConnections()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
