package conformance

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"vyretop/engine/reference"
)

// roleVariable makes the test binary a worker; its value says of what kind.
const roleVariable = "VYRETOP_TEST_WORKER"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "":
		os.Exit(m.Run())
	case "broken":
		os.Stderr.WriteString("no device here\n")
		os.Exit(3)
	case "mute":
		ignoreAll()
	}
	if err := serveReference(); err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
}

// serveReference answers like a worker, except that the case "crash" is more than its driver can take.
func serveReference() error {
	b, err := reference.Open(reference.Options{Seed: 5})
	if err != nil {
		return err
	}
	r, err := NewRunner(b)
	if err != nil {
		return err
	}
	return Serve(context.Background(), r, &fragile{in: os.Stdin}, os.Stdout)
}

// fragile ends the process when a request names the case "crash".
type fragile struct{ in *os.File }

func (f *fragile) Read(b []byte) (int, error) {
	n, err := f.in.Read(b)
	if strings.Contains(string(b[:n]), `"Name":"crash"`) {
		os.Stderr.WriteString("LLVM ERROR: out of ideas\nmore lines\n")
		os.Exit(134)
	}
	if strings.Contains(string(b[:n]), `"Name":"hang"`) {
		ignoreAll()
	}
	return n, err
}

// ignoreAll stays until the process is killed.
func ignoreAll() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	for {
		_ = syscall.Pause() // until the next signal
	}
}

func newPool(t *testing.T, role string) *Pool {
	p := NewPool(2, func(ctx context.Context) *exec.Cmd {
		c := exec.CommandContext(ctx, os.Args[0])
		c.Env = append(os.Environ(), roleVariable+"="+role)
		return c
	})
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func kernel(name, statement string) *Case {
	return &Case{Name: name, Grid: [3]uint32{1, 1, 1},
		Text:    "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { int v[]; };\nvoid main() { " + statement + " }\n",
		Buffers: []Buffer{{Binding: 0, Words: make([]uint32, 4)}}}
}

func TestPoolRunsCases(t *testing.T) {
	p := newPool(t, "reference")
	for range 5 {
		if d, err := p.Run(t.Context(), kernel("fine", "v[0] = 1;")); d != nil || err != nil {
			t.Fatal(d, err)
		}
	}
	if _, err := p.Run(t.Context(), kernel("wrong", "v[v[0] + 9] = 1;")); !errors.Is(err, ErrCase) {
		t.Errorf("got %v", err)
	}
}

// A driver that ends the process is a difference, and the next case gets a new process.
func TestPoolOutlivesItsWorkers(t *testing.T) {
	p := newPool(t, "reference")
	for range 3 {
		d, err := p.Run(t.Context(), kernel("crash", ""))
		if err != nil || d == nil || !strings.HasSuffix(d.What, "LLVM ERROR: out of ideas") {
			t.Fatal(d, err)
		}
		if d, err := p.Run(t.Context(), kernel("fine", "v[0] = 1;")); d != nil || err != nil {
			t.Fatal(d, err)
		}
	}
}

// A worker that never was ready is not a difference.
func TestPoolTellsWhyAWorkerDoesNotStart(t *testing.T) {
	_, err := newPool(t, "broken").Run(t.Context(), kernel("fine", ""))
	if !errors.Is(err, ErrWorker) || !strings.Contains(err.Error(), "no device here") {
		t.Errorf("got %v", err)
	}
	p := NewPool(1, func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, "/no/such/program") })
	if _, err := p.Run(t.Context(), kernel("fine", "")); !errors.Is(err, ErrWorker) {
		t.Errorf("got %v", err)
	}
}

// TestPoolObeysItsContext: no worker is started once the context has ended.
func TestPoolObeysItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := NewPool(1, func(ctx context.Context) *exec.Cmd {
		t.Error("a worker was started")
		return exec.CommandContext(ctx, os.Args[0])
	})
	for range 20 { // select takes either of two that are ready
		if _, err := p.Run(ctx, kernel("fine", "")); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
	}
}

// TestPoolLeavesWorkersThatHang: neither a worker that never gets ready nor one that never answers is waited for when
// the context ends.
func TestPoolLeavesWorkersThatHang(t *testing.T) {
	for role, name := range map[string]string{"mute": "fine", "reference": "hang"} {
		ctx, cancel := context.WithCancel(t.Context())
		p := newPool(t, role)
		if role == "reference" {
			if d, err := p.Run(ctx, kernel("fine", "v[0] = 1;")); d != nil || err != nil {
				t.Fatal(d, err)
			}
		}
		ended := make(chan error)
		go func() {
			_, err := p.Run(ctx, kernel(name, ""))
			ended <- err
		}()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", role, err)
		}
	}
}
