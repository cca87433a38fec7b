package fleet

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// wire joins two connections; drop decides which frames are lost.
func wire(drop func(frame []byte) bool, times connTimes) (a, b *Conn) {
	ready := make(chan struct{})
	link := func(to **Conn) func([]byte) error {
		frames, over := make(chan []byte, 1<<12), make(chan struct{})
		go func() {
			<-ready
			defer close(over)
			for (*to).deliver(frames) {
			}
		}()
		return func(f []byte) error {
			if drop(f) {
				return nil
			}
			select {
			case frames <- slices.Clone(f):
			case <-over:
			}
			return nil
		}
	}
	a = newConn(link(&b), func() {}, "a", "b", times)
	b = newConn(link(&a), func() {}, "b", "a", times)
	close(ready)
	return a, b
}

// deliver takes the next frame; false at the end of the connection.
func (c *Conn) deliver(frames <-chan []byte) bool {
	select {
	case f := <-frames:
		c.take(f)
		return true
	case <-c.done:
		return false
	}
}

func nothing([]byte) bool { return false }

// TestAConnectionCarriesBytes: whatever is written arrives once and in order, however it is cut.
func TestAConnectionCarriesBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := wire(nothing, defaultTimes)
		defer a.Close()
		defer b.Close()
		parts := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 200_000), 0, 12).Draw(t, "parts")
		go func() {
			for _, p := range parts {
				if n, err := a.Write(p); n != len(p) || err != nil {
					return
				}
			}
			_ = a.CloseWrite()
		}()
		got, err := io.ReadAll(b)
		if err != nil || !bytes.Equal(got, bytes.Join(parts, nil)) {
			t.Fatalf("%d bytes came, %v; %d were sent", len(got), err, len(bytes.Join(parts, nil)))
		}
		if _, err := b.Write([]byte("answer")); err != nil {
			t.Fatal(err)
		}
		answer := make([]byte, 6)
		if _, err := io.ReadFull(a, answer); err != nil || string(answer) != "answer" {
			t.Fatalf("the answer behind the end is %q, %v", answer, err)
		}
	})
}

// TestAReaderThatStopsHoldsTheWriterUp, and takes no more memory than the window.
func TestAReaderThatStopsHoldsTheWriterUp(t *testing.T) {
	a, b := wire(nothing, defaultTimes)
	defer a.Close()
	defer b.Close()
	if n, err := a.Write(make([]byte, window)); n != window || err != nil {
		t.Fatalf("%d bytes were taken, %v", n, err)
	}
	if err := a.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := a.Write(make([]byte, window)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("%d bytes more were taken, %v", n, err)
	}
	if err := a.SetWriteDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = a.Write(make([]byte, 2*window)); _ = a.CloseWrite() }()
	if got, err := io.ReadAll(b); len(got) != 3*window || err != nil {
		t.Errorf("%d bytes came, %v", len(got), err)
	}
}

// TestAFrameThatIsLostEndsTheConnection: bytes never go missing unnoticed.
func TestAFrameThatIsLostEndsTheConnection(t *testing.T) {
	n := 0
	a, b := wire(func(f []byte) bool {
		if f[0] == frameData {
			n++
		}
		return f[0] == frameData && n == 2
	}, defaultTimes)
	defer a.Close()
	defer b.Close()
	go func() { _, _ = a.Write(make([]byte, 5*maxFrame)) }()
	if got, err := io.ReadAll(b); len(got) != maxFrame || !errors.Is(err, ErrBroken) {
		t.Errorf("%d bytes came, %v", len(got), err)
	}
}

// TestASilentSideEndsTheConnection, so that what it held is free.
func TestASilentSideEndsTheConnection(t *testing.T) {
	a, b := wire(func([]byte) bool { return true }, connTimes{ping: time.Millisecond, silence: 20 * time.Millisecond})
	defer b.Close()
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, ErrBroken) {
		t.Error(err)
	}
	if _, err := a.Write([]byte("x")); !errors.Is(err, ErrBroken) {
		t.Error(err)
	}
}

// TestDeadlinesAndClose behave as those of other connections.
func TestDeadlinesAndClose(t *testing.T) {
	a, b := wire(nothing, defaultTimes)
	if err := a.SetReadDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	if _, err := b.Write([]byte("last")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(b.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if err := a.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(a); string(got) != "last" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// FuzzFrames: no message ends more than the connection, and none makes it take more than the window.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("D\x00\x00\x00\x00\x00\x00\x00\x00abc"))
	f.Add([]byte("A\x00\x00\x00\x00\x00\x00\x00\x09"))
	f.Add([]byte("C\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, message []byte) {
		c := newConn(func([]byte) error { return nil }, func() {}, "a", "b", defaultTimes)
		defer c.Close()
		for range 20 {
			c.take(message)
		}
		if len(c.in) > window {
			t.Fatalf("it holds %d bytes", len(c.in))
		}
	})
}

// TestPatternsOfSubjects match as the server's do.
func TestPatternsOfSubjects(t *testing.T) {
	for pattern, want := range map[string]bool{"a.b.c": true, "a.*.c": true, "a.>": true, ">": true, "a.b": false, "a.b.c.d": false, "a.b.c.>": false, "*.*": false, "b.>": false} {
		if got := matches(pattern, "a.b.c"); got != want {
			t.Errorf("%s: %v", pattern, got)
		}
	}
}
