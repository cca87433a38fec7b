package openmetrics

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

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
	go func() { ended <- Serve(ctx, l, s) }()
	client := &http.Client{Timeout: time.Minute}
	for _, tc := range []struct {
		method, path string
		status       int
		text         string
	}{
		{http.MethodGet, "/metrics", http.StatusOK, "\nvyretop_done_total{backend="},
		{http.MethodGet, "/metrics", http.StatusOK, ",workload=\"demo\"}"},
		{http.MethodGet, "/metrics", http.StatusOK, "\n# EOF\n"},
		{http.MethodGet, "/metrics?name[]=vyretop_ready", http.StatusOK, "# HELP vyretop_ready "},
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

// TestScrapesAreBounded: one more than are answered at once is refused, and the next is answered.
func TestScrapesAreBounded(t *testing.T) {
	t.Parallel()
	s, err := inspect.Open(t.Context(), inspect.Embedded, inspect.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := &handler{subject: s, busy: make(chan struct{}, 1)}
	scrape := func() *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
		return answer
	}
	h.busy <- struct{}{}
	if a := scrape(); a.Code != http.StatusServiceUnavailable || !strings.Contains(a.Body.String(), "Fix: scrape less often") {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	<-h.busy
	if a := scrape(); a.Code != http.StatusOK || len(h.busy) != 0 {
		t.Errorf("%d, %d are busy: %s", a.Code, len(h.busy), a.Body)
	}
}
