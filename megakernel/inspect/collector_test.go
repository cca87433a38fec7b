package inspect

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSpansAreSentToACollector: as JSON that it reads, once more where it is busy, and with an error where it refuses.
func TestSpansAreSentToACollector(t *testing.T) {
	var mu sync.Mutex
	spans, refusals, busy := 0, 0, 2
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path != tracesPath || r.Header.Get("Content-Type") != "application/json" {
			refusals++
			http.Error(w, "not here\x1b[31m", http.StatusNotFound)
			return
		}
		if busy > 0 {
			busy--
			http.Error(w, "later", http.StatusServiceUnavailable)
			return
		}
		zip, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		var d struct {
			Resource []struct {
				Scope []struct {
					Spans []otlpSpan `json:"spans"`
				} `json:"scopeSpans"`
			} `json:"resourceSpans"`
		}
		if err := json.NewDecoder(zip).Decode(&d); err != nil || len(d.Resource) != 1 {
			t.Errorf("%v, %v", d, err)
			return
		}
		spans += len(d.Resource[0].Scope[0].Spans)
	}))
	defer server.Close()
	c, err := NewCollector(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c.Pause = time.Millisecond
	h, messages := familyRun()
	send := func(c *Collector) error {
		w := SendOTLP(t.Context(), c, h)
		for i := range messages {
			if err := w.Take(&messages[i]); err != nil {
				return err
			}
		}
		return w.Close()
	}
	if err := send(c); err != nil || spans != 5 || busy != 0 {
		t.Errorf("%d spans, busy %d, %v", spans, busy, err)
	}
	wrong, err := NewCollector(server.URL + "/elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if err := send(wrong); !errors.Is(err, ErrCollector) || !strings.Contains(err.Error(), "404") || !strings.Contains(err.Error(), "Fix: ") || refusals != 1 {
		t.Errorf("%d refusals, %v", refusals, err)
	}
	for _, address := range []string{"", "127.0.0.1:4318", "ftp://x", "http://", "http://user@host"} {
		if _, err := NewCollector(address); !errors.Is(err, ErrCollector) {
			t.Errorf("%q: %v", address, err)
		}
	}
}
