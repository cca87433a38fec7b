package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vyretop/megakernel/fleet"
)

// TestErrorsOfStreamsAreExplained: a hub whose disk was full was told as "nats: API error: code=500 err_code=10049 description=error creating
// store for stream".
func TestErrorsOfStreamsAreExplained(t *testing.T) {
	api := func(code jetstream.ErrorCode, text string) error {
		return fmt.Errorf("wrapped: %w", &jetstream.APIError{Code: 500, ErrorCode: code, Description: text})
	}
	for name, tt := range map[string]struct {
		err  error
		want string // of the detail; "" where it is not explained
		fix  string
	}{
		"a stream":   {api(10049, "error creating store for stream"), "no room", "--store"},
		"a reader":   {api(10012, "error creating store for consumer"), "no room", "--store"},
		"the limit":  {api(10047, "insufficient storage resources available"), "no room", "--store"},
		"a message":  {api(10077, "no space left on device"), "no room", "--store"},
		"else":       {api(10052, "invalid name"), "refuses it: invalid name", "try again"},
		"late":       {context.DeadlineExceeded, "did not answer", "try again"},
		"later":      {nats.ErrTimeout, "did not answer", "try again"},
		"given up":   {context.Canceled, "", ""},
		"of no hub":  {errors.New("x"), "", ""},
		"no elected": {jetstream.ErrNoStreamResponse, "did not answer", "try again"},
	} {
		t.Run(name, func(t *testing.T) {
			detail, fix, ok := fleet.Explain(tt.err)
			if ok != (tt.want != "") || !strings.Contains(detail, tt.want) || !strings.Contains(fix, tt.fix) || strings.Contains(detail, "nats:") {
				t.Errorf("%q, Fix: %q, %v", detail, fix, ok)
			}
		})
	}
}
