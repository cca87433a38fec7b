package tui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"

	"vyretop/tui/ptytest"
)

// takeSteps lets a target take steps as fast as it can.
func takeSteps(f *fakeTarget, steps int) {
	for range steps {
		f.advance()
		f.mu.Lock()
		f.log = f.log[:40]
		f.mu.Unlock()
	}
}

// grownBy is how many bytes more are in use after something was done.
func grownBy(do func()) int64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	do()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// A terminal that takes nothing for a long while holds up neither the target nor the memory of this
// process, and when it continues it gets the newest frame, not all those between.
func TestSlowTerminal(t *testing.T) {
	const (
		w, h, steps = 200, 60, 3000
		history     = 1 << 20
	)
	master, slave := ptytest.Open(t, w, h)
	f := newFake()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Options{Source: f, Input: slave, Output: slave, Environ: utf8Env, FPS: 60, Version: "test", HistoryBytes: history})
	}()
	first := make([]byte, 1)
	if _, err := master.Read(first); err != nil { // it draws, and nothing reads from now on
		t.Fatal(err)
	}
	for round := 1; ; round++ {
		// If the target waited for the dashboard, it would for ever. What the dashboard keeps at all it makes in the first rounds.
		grown := grownBy(func() { takeSteps(f, steps) })
		if grown <= 8<<20+history {
			break
		}
		if round == 10 {
			t.Fatalf("%d bytes more after %d steps, in each of %d rounds about as many", grown, steps, round)
		}
	}
	want := fmt.Sprintf("epoch %d ", f.Snapshot().Epoch())
	got := readUntil(t, master, first, func(screen string) bool { return strings.Contains(screen, want) }, w, h)
	if frame := w * h * 8; got > 20*frame {
		t.Errorf("%d bytes were written: more than 20 whole frames", got)
	}
	if _, err := io.WriteString(master, "q"); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, master) }() // ends when the master is closed
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// stalling is a terminal that takes nothing while it is locked.
type stalling struct {
	*os.File
	sync.Mutex
	waits chan struct{} // gets a value when a write begins to wait
}

// Write implements io.Writer.
func (s *stalling) Write(p []byte) (int, error) {
	if !s.TryLock() {
		s.waits <- struct{}{}
		s.Lock()
	}
	defer s.Unlock()
	return s.File.Write(p)
}

// TestAStalledTerminalHoldsUpNoKeys: behind Ctrl-S, or over a connection that hangs, keys were handled when the terminal took the next
// frame. They act at once, and the terminal gets the newest frame when it continues.
func TestAStalledTerminalHoldsUpNoKeys(t *testing.T) {
	const w, h = 200, 60
	master, slave := ptytest.Open(t, w, h)
	f, out := newFake(), &stalling{File: slave, waits: make(chan struct{}, 1)}
	ended := make(chan error, 1)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	go func() {
		ended <- Run(ctx, Options{Source: f, Sink: f, Input: slave, Output: out, Environ: utf8Env, FPS: 60, Version: "test"})
	}()
	seen := until(t, master, "queued")
	out.Lock()
	f.advance()
	<-out.waits
	if _, err := io.WriteString(master, "\x1b[B\x1b[Bp"); err != nil { // what the first key changes waits to be drawn
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); len(f.sent()) == 0; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("the key is held up")
		}
	}
	f.advance()
	want := fmt.Sprintf("epoch %d ", f.Snapshot().Epoch())
	out.Unlock()
	readUntil(t, master, seen, func(screen string) bool { return strings.Contains(screen, want) }, w, h)
	leave()
	go func() { _, _ = io.Copy(io.Discard, master) }()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// readUntil reads the terminal until its screen is as wanted, and returns how many bytes that took.
func readUntil(t *testing.T, master io.Reader, seen []byte, ok func(string) bool, w, h int) int {
	t.Helper()
	term := vt.NewEmulator(w, h)
	answers := make(chan struct{})
	go func() {
		defer close(answers)
		_, _ = io.Copy(io.Discard, term) // answers to queries
	}()
	defer func() {
		if c, ok := term.InputPipe().(io.Closer); ok { // its own Close races with reading
			_ = c.Close()
			<-answers
		}
	}()
	chunk := make([]byte, 4096)
	n := len(seen)
	for all := bytes.Clone(seen); ; {
		if _, err := term.Write(all); err != nil {
			t.Fatal(err)
		}
		if ok(term.String()) {
			return n
		}
		got, err := master.Read(chunk)
		if err != nil {
			t.Fatalf("after %d bytes: %v\n%s", n, err, term.String())
		}
		all = chunk[:got]
		n += got
	}
}
