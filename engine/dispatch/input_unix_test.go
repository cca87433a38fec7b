//go:build unix

package dispatch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
)

// TestWaitingForAnInputCanBeEnded: a pipe that nothing writes to kept a dispatch from ending, also after Ctrl-C.
func TestWaitingForAnInputCanBeEnded(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	check(t, syscall.Mkfifo(pipe, 0o600))
	b, p := backendtest.Reference(t, reference.Options{}), compiled(t, "layout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer R { uint r[]; };\nvoid main() { r[0]++; }\n")
	request := &Request{Inputs: map[uint32]string{0: pipe}, Sizes: map[uint32]uint64{0: 64}, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}}
	for _, name := range []string{"no writer", "a writer that says nothing"} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := Run(ctx, b, p, request)
			ended <- err
		}()
		if name != "no writer" {
			writer, err := os.OpenFile(pipe, os.O_WRONLY, 0) // until it is read
			check(t, err)
			defer writer.Close()
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) && !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
