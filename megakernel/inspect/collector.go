package inspect

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"vyretop/engine/fault"
)

// Collector sends lines of an export of OpenTelemetry to a collector, by OTLP over HTTP with JSON bodies
// (https://opentelemetry.io/docs/specs/otlp/#otlphttp).
type Collector struct {
	URL    string // of the traces, such as http://127.0.0.1:4318/v1/traces
	Client *http.Client
	Pause  time.Duration // before a request is sent once more; it doubles
}

// ErrCollector is matched by errors about a collector that does not take spans.
const ErrCollector fault.Kind = "the collector does not take the spans"

// tracesPath is where collectors take spans.
const tracesPath = "/v1/traces"

// What sending may take: a request, and how often one is sent.
const (
	sendTime  = 10 * time.Second
	sendTries = 4
	mostPause = 10 * time.Second
)

// NewCollector makes the client of a collector. An address without a path has the one of traces.
func NewCollector(address string) (*Collector, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, &fault.Error{Kind: ErrCollector, Subject: address, Detail: "invalid address", Fix: "give one such as http://127.0.0.1:4318"}
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = tracesPath
	}
	return &Collector{URL: u.String(), Client: &http.Client{Timeout: sendTime}, Pause: time.Second}, nil
}

// Send sends a line. A collector that is busy is asked again a few times.
func (c *Collector) Send(ctx context.Context, line []byte) error {
	var body bytes.Buffer
	zip := gzip.NewWriter(&body)
	if _, err := zip.Write(line); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	pause := c.Pause
	for try := 1; ; try++ {
		after, again, err := c.post(ctx, body.Bytes())
		if err == nil || !again || try == sendTries || ctx.Err() != nil {
			return err
		}
		wait := time.NewTimer(min(max(pause, after), mostPause))
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return err
		}
		pause *= 2
	}
}

// post sends a request; again says that it may be sent once more, after a time.
func (c *Collector) post(ctx context.Context, body []byte) (after time.Duration, again bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return 0, false, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Content-Encoding", "gzip")
	answer, err := c.Client.Do(request)
	if err != nil {
		if inner := (*url.Error)(nil); errors.As(err, &inner) {
			err = inner.Err // it would name the address again
		}
		return 0, true, &fault.Error{Kind: ErrCollector, Op: "send spans to", Subject: c.URL, Cause: err, Fix: "start the collector, or correct the address"}
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<10)) // a part is enough
	if answer.StatusCode/100 == 2 {
		return 0, false, nil
	}
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	again = answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= http.StatusBadGateway && answer.StatusCode <= http.StatusGatewayTimeout
	detail := strings.TrimSpace(fmt.Sprintf("it answers %s: %s", answer.Status, bytes.ToValidUTF8(said, nil)))
	return time.Duration(min(max(seconds, 0), 60)) * time.Second, again, &fault.Error{Kind: ErrCollector, Op: "send spans to", Subject: c.URL, Detail: detail, Fix: "give the address at which it takes OTLP over HTTP, such as http://127.0.0.1:4318"}
}
