package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/inspect"
)

// silent is a subject that says nothing after its first snapshot.
type silent struct {
	inspect.Subject
	said chan struct{}
}

func (silent) Kind() inspect.Kind { return inspect.Live }

func (silent) Header() fixtures.Header { return hostileHeader(64) }

func (s silent) Follow(ctx context.Context, each func(*fixtures.StreamMessage) error) error {
	control, _ := megakernel.EncodeControl(4, 0)
	err := each(&fixtures.StreamMessage{Snapshot: &megakernel.Snapshot{Taken: time.Second, Control: control, Slots: ringOf(64)}})
	close(s.said)
	if err == nil {
		<-ctx.Done()
	}
	return err
}

// TestRecordEndsWithItsFile: vyretop record noticed that its file was gone or could not be written with the next message
// of the run only, and told it twice.
func TestRecordEndsWithItsFile(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(path string) error
		fifo   bool // a pipe, whose reader leaves
		want   error
	}{
		"removed":    {change: os.Remove, want: fixtures.ErrFileChanged},
		"renamed":    {change: func(path string) error { return os.Rename(path, path+".old") }, want: fixtures.ErrFileChanged},
		"replaced":   {change: func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)) }, want: fixtures.ErrFileChanged},
		"truncated":  {change: func(path string) error { return os.Truncate(path, 10) }, want: fixtures.ErrFileChanged},
		"a cut pipe": {fifo: true, want: syscall.EPIPE},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "run.mcap")
			if tc.fifo {
				if err := syscall.Mkfifo(path, 0o600); err != nil {
					t.Fatal(err)
				}
				tc.change = leave(t, path)
			}
			s := silent{said: make(chan struct{})}
			ended := make(chan error, 1)
			go func() {
				ended <- inspect.RecordTo(t.Context(), s, 0, path, fixtures.Segments{}, func(text string) { t.Errorf("warned %q", text) })
			}()
			select {
			case <-s.said:
			case err := <-ended:
				t.Fatalf("ended at once: %v", err)
			}
			if err := tc.change(path); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; !errors.Is(err, tc.want) || strings.Count(err.Error(), "Fix: ") != 1 {
				t.Errorf("error %v", err)
			}
		})
	}
}

// leave reads the beginning of a pipe at once, and closes it when the function that it returns is called.
func leave(t *testing.T, path string) func(string) error {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0) // without waiting for who writes; who writes into a pipe that has no reader yet is refused
	if err != nil {
		t.Fatal(err)
	}
	closing := make(chan struct{})
	left := make(chan error, 1)
	go func() {
		_, err := io.ReadFull(f, make([]byte, 8))
		<-closing
		left <- errors.Join(err, f.Close())
	}()
	return func(string) error { close(closing); return <-left }
}

// TestEventsNeedNoSnapshot: a recording without one was said to have events, by the command that did not show them.
func TestEventsNeedNoSnapshot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.mcap")
	w, err := fixtures.Create(path, hostileHeader(16))
	if err != nil {
		t.Fatal(err)
	}
	w.Event(megakernel.HostEvent{At: time.Second, Kind: "note", Text: "the device was ready"})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	if status := doMain([]string{"events", path}, strings.NewReader(""), &stdout, &stderr, nil); status != 0 || !strings.Contains(stdout.String(), "the device was ready") {
		t.Errorf("events: status %d, %s%s", status, &stdout, &stderr)
	}
	stderr.Reset()
	if status := doMain([]string{"tasks", path}, strings.NewReader(""), &stdout, &stderr, nil); status != exitUsage || !strings.Contains(stderr.String(), "has no snapshot") {
		t.Errorf("tasks: status %d, %s", status, &stderr)
	}
}
