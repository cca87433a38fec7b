package ioservice

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/megakernel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// queue is an IO buffer with a service that is called by hand.
type queue struct {
	words    engine.Words
	service  *Service
	notified int
	mu       sync.Mutex
	errs     []error
}

const frameBytes = 64

func newQueue(t testing.TB, source Source) *queue {
	p := &Pages{Frames: 64, Bytes: frameBytes, Source: source}
	q := &queue{words: make(engine.Words, p.Layout().IOWords())}
	q.service = New(q.words, p, func() { q.notified++ }, func(err error) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.errs = append(q.errs, err)
	})
	return q
}

// publish does what the device does.
func (q *queue) publish(slot int, r megakernel.IORequest) {
	q.words.CopyFrom(slot*megakernel.IOWords, []uint32{r.Op, r.Src, r.Dst, uint32(r.Offset), uint32(r.Offset >> 32), r.Bytes, megakernel.IOPublished, r.Tag})
}

func (q *queue) status(slot int) (status, bytes uint32) {
	w := q.words[slot*megakernel.IOWords:]
	return w.Load(megakernel.IOStatus), w.Load(megakernel.IOBytes)
}

func (q *queue) frame(i, n int) []byte {
	var b []byte
	for _, w := range q.words[q.service.layout.FrameAt(i):][:(n+3)/4] {
		b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return b
}

// folder has a file "text" of 150 bytes, a folder "sub", a link "out" to a file outside, a pipe, and a file that
// the process may not read.
func folder(t testing.TB) (dir string, text []byte) {
	parent := t.TempDir()
	dir = filepath.Join(parent, "run")
	text = []byte(strings.Repeat("0123456789", 15))
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, "sub"), 0o755),
		os.WriteFile(filepath.Join(parent, "secret"), []byte("secret"), 0o600),
		os.WriteFile(filepath.Join(dir, "text"), text, 0o644),
		os.Symlink("../secret", filepath.Join(dir, "out")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir, text
}

var names = []string{"text", "sub", "out", "pipe", "vanished", "../secret", "/etc/passwd"}

func open(t testing.TB, dir string) Files {
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return Files{Root: root, Names: names}
}

func read(src uint32, offset uint64, bytes, dst uint32) megakernel.IORequest {
	return megakernel.IORequest{Op: megakernel.IORead, Src: src, Offset: offset, Bytes: bytes, Dst: dst}
}

func TestAnswers(t *testing.T) {
	dir, text := folder(t)
	tests := []struct {
		name    string
		request megakernel.IORequest
		code    megakernel.FaultCode // 0: OK
		cause   error
	}{
		{"first bytes", read(0, 0, 64, 1), 0, nil},
		{"last bytes", read(0, 137, 13, 3), 0, nil},
		{"one byte", read(0, 9, 1, 0), 0, nil},
		{"behind the end", read(0, 150, 1, 0), megakernel.FaultShortRead, nil},
		{"across the end", read(0, 100, 64, 0), megakernel.FaultShortRead, nil},
		{"a folder", read(1, 0, 4, 0), megakernel.FaultRead, errNotRegular},
		{"a link that leads outside", read(2, 0, 4, 0), megakernel.FaultRead, nil},
		{"a pipe", read(3, 0, 4, 0), megakernel.FaultRead, errNotRegular},
		{"a file that is gone", read(4, 0, 4, 0), megakernel.FaultRead, fs.ErrNotExist},
		{"a path that leads outside", read(5, 0, 4, 0), megakernel.FaultRead, nil},
		{"an absolute path", read(6, 0, 4, 0), megakernel.FaultRead, nil},
		{"a file that was not named", read(7, 0, 4, 0), megakernel.FaultRead, errNotNamed},
		{"a file of the highest number", read(math.MaxUint32, 0, 4, 0), megakernel.FaultRead, errNotNamed},
		{"a frame that is not there", read(0, 0, 4, 64), megakernel.FaultRequest, nil},
		{"the highest frame", read(0, 0, 4, math.MaxUint32), megakernel.FaultRequest, nil},
		{"no bytes", read(0, 0, 0, 0), megakernel.FaultRequest, nil},
		{"more than a frame", read(0, 0, 65, 0), megakernel.FaultRequest, nil},
		{"an offset that no file has", read(0, math.MaxInt64, 4, 0), megakernel.FaultRequest, nil},
		{"the highest offset", read(0, math.MaxUint64, 4, 0), megakernel.FaultRequest, nil},
		{"a write", megakernel.IORequest{Op: megakernel.IOWrite, Bytes: 4}, megakernel.FaultRequest, nil},
		{"no operation", megakernel.IORequest{Op: 99, Bytes: 4}, megakernel.FaultRequest, nil},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := newQueue(t, open(t, dir))
			q.publish(i, tt.request)
			if !q.service.pass(t.Context()) || q.notified != 1 || q.service.Busy() {
				t.Errorf("notified %d times, busy %v", q.notified, q.service.Busy())
			}
			status, n := q.status(i)
			if tt.code == 0 {
				want := text[tt.request.Offset:][:tt.request.Bytes]
				if got := q.frame(int(tt.request.Dst), len(want)); status != megakernel.IOOK || n != tt.request.Bytes || !bytes.Equal(got[:n], want) || len(bytes.Trim(got[n:], "\x00")) > 0 {
					t.Errorf("status %#x, %d bytes: %q, want %q", status, n, got, want)
				}
				return
			}
			checkError(t, q, status, n, tt.code, tt.cause)
		})
	}
}

func checkError(t *testing.T, q *queue, status, n uint32, code megakernel.FaultCode, cause error) {
	if status != megakernel.IOError || n != uint32(code) || len(q.errs) != 1 {
		t.Fatalf("status %#x with %s, errors %v", status, megakernel.FaultCode(n), q.errs)
	}
	err := q.errs[0]
	if !errors.Is(err, ErrRequest) || cause != nil && !errors.Is(err, cause) || !strings.Contains(err.Error(), ". Fix: ") {
		t.Errorf("%v", err)
	}
	if s := q.service.Stats(); s.Failed != 1 || s.Reads != 0 {
		t.Errorf("%+v", s)
	}
	if len(bytes.Trim(q.frame(0, frameBytes), "\x00")) > 0 {
		t.Error("a frame was written")
	}
}

// TestRequestsTogether: any number of requests in any slots are answered, others are left alone.
func TestRequestsTogether(t *testing.T) {
	dir, _ := folder(t)
	source := open(t, dir)
	rapid.Check(t, func(rt *rapid.T) {
		q := newQueue(t, source)
		before := make([]uint32, megakernel.IOSlots)
		served := false
		for slot := range before {
			before[slot] = rapid.SampledFrom([]uint32{megakernel.IOEmpty, megakernel.IOPublished, megakernel.IOClaimed, megakernel.IOOK, megakernel.IOError}).Draw(rt, "status")
			q.publish(slot, megakernel.IORequest{Op: rapid.Uint32Range(0, 4).Draw(rt, "op"), Src: rapid.Uint32Range(0, 8).Draw(rt, "file"), Dst: uint32(slot), Bytes: rapid.Uint32Range(0, 70).Draw(rt, "bytes")})
			q.words.Store(slot*megakernel.IOWords+megakernel.IOStatus, before[slot])
			served = served || before[slot] == megakernel.IOPublished
		}
		if q.service.pass(t.Context()) != served {
			rt.Fatal("a request was overlooked")
		}
		for slot, was := range before {
			got, _ := q.status(slot)
			if answered := got == megakernel.IOOK || got == megakernel.IOError; was == megakernel.IOPublished && !answered || was != megakernel.IOPublished && got != was {
				rt.Errorf("slot %d went from %#x to %#x", slot, was, got)
			}
		}
	})
}

// slow is a Source whose reads wait until they are released.
type slow struct {
	began   chan uint32
	release chan struct{}
}

func (s slow) Name(uint32) string { return "slow" }
func (s slow) ReadPage(file uint32, p []byte, _ int64) (int, error) {
	s.began <- file
	<-s.release
	return len(p), nil
}

// TestCancelledServiceLosesNothing: what was begun is answered, the rest is published as before; a fence is
// not answered before what it is for.
func TestCancelledServiceLosesNothing(t *testing.T) {
	source := slow{make(chan uint32), make(chan struct{})}
	q := newQueue(t, source)
	for slot := range 2 * parallel {
		q.publish(slot, read(uint32(slot), 0, 4, uint32(slot)))
	}
	q.publish(60, megakernel.IORequest{Op: megakernel.IOFence})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { q.service.Run(ctx) })
	began := map[int]bool{}
	for range parallel {
		began[int(<-source.began)] = true
	}
	if !q.service.Busy() {
		t.Error("it reads, and is not busy")
	}
	cancel()
	close(source.release)
	running.Wait()
	for slot := range 2 * parallel {
		want := megakernel.IOPublished
		if began[slot] {
			want = megakernel.IOOK
		}
		if got, _ := q.status(slot); got != want {
			t.Errorf("slot %d is %#x, want %#x", slot, got, want)
		}
	}
	if got, _ := q.status(60); got != megakernel.IOPublished {
		t.Errorf("the fence is %#x", got)
	}
}

// TestFenceComesLast: a fence is answered when everything before it has been.
func TestFenceComesLast(t *testing.T) {
	source := slow{make(chan uint32), make(chan struct{})}
	q := newQueue(t, source)
	q.publish(0, megakernel.IORequest{Op: megakernel.IOFence})
	q.publish(1, read(5, 0, 4, 0))
	var served sync.WaitGroup
	served.Go(func() { q.service.pass(t.Context()) })
	<-source.began
	if got, _ := q.status(0); got != megakernel.IOClaimed {
		t.Errorf("the fence is %#x while a read is under way", got)
	}
	close(source.release)
	served.Wait()
	if got, _ := q.status(0); got != megakernel.IOOK {
		t.Errorf("the fence is %#x behind the read", got)
	}
}

func TestCut(t *testing.T) {
	pages := Cut(nil, 3, 130, 64)
	if len(pages) != 3 || pages[2] != (megakernel.Page{Source: 3, Offset: 128, Bytes: 2}) || len(Cut(nil, 0, 0, 64)) != 0 || len(Cut(nil, 0, 64, 64)) != 1 {
		t.Errorf("%+v", pages)
	}
}

// BenchmarkPageLatency is the time from a request to its answer while requests follow one another, with a
// page of 64 KiB from the page cache of the operating system.
func BenchmarkPageLatency(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text"), make([]byte, 1<<20), 0o600); err != nil {
		b.Fatal(err)
	}
	p := &Pages{Frames: 1, Bytes: 1 << 16, Source: open(b, dir)}
	words := make(engine.Words, p.Layout().IOWords())
	answered := make(chan struct{}, 1)
	s := New(words, p, func() { answered <- struct{}{} }, func(err error) { b.Error(err) })
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	defer running.Wait()
	defer cancel()
	b.SetBytes(1 << 16)
	for b.Loop() {
		words.CopyFrom(0, []uint32{megakernel.IORead, 0, 0, 0, 0, 1 << 16, megakernel.IOPublished, 0})
		select {
		case <-answered:
		case <-time.After(time.Minute):
			b.Fatal("no answer")
		}
	}
}
