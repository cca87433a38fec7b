package fleet_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"vyretop/fixtures"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
)

// growing is a recording that is uploaded while a test writes it.
type growing struct {
	t       *testing.T
	hub     *fleet.Hub
	data    []byte
	file    *os.File
	written chan struct{}
	ended   chan error
	cancel  context.CancelFunc
}

// grow begins an upload.
func grow(t *testing.T, h *fleet.Hub) *growing {
	t.Helper()
	data, err := os.ReadFile("../../fixtures/recordings/demo.mcap")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "run.mcap"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	u, err := h.UploadRecording(t.Context(), "run.mcap", "node1")
	if err != nil {
		t.Fatal(err)
	}
	g := &growing{t: t, hub: h, data: data, file: f, written: make(chan struct{}), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	g.cancel = cancel
	t.Cleanup(cancel)
	go func() { g.ended <- u.Follow(ctx, f.Name(), g.written) }()
	return g
}

// write writes the recording from one byte to another.
func (g *growing) write(from, to int) {
	g.t.Helper()
	if _, err := g.file.Write(g.data[from:to]); err != nil {
		g.t.Fatal(err)
	}
}

// until waits until the hub has that many bytes.
func (g *growing) until(size int, open bool) {
	g.t.Helper()
	for end := time.Now().Add(patience); ; {
		list, err := g.hub.Recordings(g.t.Context())
		if err == nil && len(list) == 1 && list[0].Bytes == uint64(size) && list[0].Open == open {
			return
		}
		if time.Now().After(end) {
			g.t.Fatalf("the hub has %+v, %v; want %d bytes", list, err, size)
		}
	}
}

// has fails the test unless the hub has that many bytes.
func (g *growing) has(size int) {
	g.t.Helper()
	c, err := g.hub.FetchRecording(g.t.Context(), "run.mcap")
	if err != nil {
		g.t.Fatal(err)
	}
	defer c.Remove()
	if got, err := os.ReadFile(c.File); err != nil || !bytes.Equal(got, g.data[:size]) {
		g.t.Errorf("%d bytes came back, want the first %d; %v", len(got), size, err)
	}
}

// TestARecordingGrowsAtTheHub: what was written can be read at any time, and the one before is replaced once there is something.
func TestARecordingGrowsAtTheHub(t *testing.T) {
	h := hubWithStore(t, t.TempDir())
	for range 2 {
		g := grow(t, h)
		half := len(g.data) / 2
		g.write(0, half)
		g.until(half, true)
		g.has(half)
		g.write(half, len(g.data))
		close(g.written)
		if err := <-g.ended; err != nil {
			t.Fatal(err)
		}
		g.until(len(g.data), false)
		g.has(len(g.data))
	}
	js, err := jetstream.New(h.Conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "OBJ_vyretop-recordings")
	if err != nil {
		t.Fatal(err)
	}
	if parts, err := s.Info(t.Context(), jetstream.WithSubjectFilter("$O.vyretop-recordings.C.*")); err != nil || len(parts.State.Subjects) != 1 {
		t.Errorf("parts of %v are kept, %v", parts.State.Subjects, err)
	}
}

// TestReadersAreNotKept: lists and copies left a reader at the hub for five minutes each, until it took no more.
func TestReadersAreNotKept(t *testing.T) {
	h := hubWithStore(t, t.TempDir())
	if _, err := h.PutRecording(t.Context(), "../../fixtures/recordings/demo.mcap", "node1"); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if list, err := h.Recordings(t.Context()); err != nil || len(list) != 1 {
			t.Fatalf("%v, %v", list, err)
		}
		c, err := h.FetchRecording(t.Context(), "demo.mcap")
		if err != nil {
			t.Fatal(err)
		}
		c.Remove()
	}
	js, err := jetstream.New(h.Conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "OBJ_vyretop-recordings")
	if err != nil {
		t.Fatal(err)
	}
	if n := s.CachedInfo().State.Consumers; n != 0 {
		t.Errorf("the hub keeps %d readers", n)
	}
}

// TestARecordingWhoseWriterIsGone plays up to there.
func TestARecordingWhoseWriterIsGone(t *testing.T) {
	g := grow(t, hubWithStore(t, t.TempDir()))
	most := len(g.data) * 2 / 3
	g.write(0, most)
	g.until(most, true)
	g.cancel()
	if err := <-g.ended; !errors.Is(err, fleet.ErrRecordings) || !strings.Contains(err.Error(), "Fix:") {
		t.Errorf("%v", err)
	}
	c, err := g.hub.FetchRecording(t.Context(), "run.mcap")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Remove()
	r, err := fixtures.Open(c.File)
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Damage(); len(d) != 1 || !d[0].Growing {
		t.Errorf("what is said of its end: %v", d)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestAHubThatRestartsWhileARecordingIsUploaded gets the rest.
func TestAHubThatRestartsWhileARecordingIsUploaded(t *testing.T) {
	store := t.TempDir()
	b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Store: store})
	if err != nil {
		t.Fatal(err)
	}
	h, err := fleet.Connect(fleet.Address{URL: b.URL()}, false)
	if err != nil {
		b.Close()
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	g := grow(t, h)
	third := len(g.data) / 3
	g.write(0, third)
	g.until(third, true)
	b.Close()
	g.write(third, 2*third)
	b, err = broker.Start(broker.Options{Listen: strings.TrimPrefix(b.URL(), "nats://"), Store: store})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	g.write(2*third, len(g.data))
	close(g.written)
	if err := <-g.ended; err != nil {
		t.Fatal(err)
	}
	g.has(len(g.data))
}

// TestARunThatWritesNothing leaves the recording of its name as it is.
func TestARunThatWritesNothing(t *testing.T) {
	h := hubWithStore(t, t.TempDir())
	g := grow(t, h)
	close(g.written)
	if err := <-g.ended; err != nil {
		t.Error(err)
	}
	if list, err := h.Recordings(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("the hub has %+v, %v", list, err)
	}
}
