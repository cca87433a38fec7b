package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/live"
)

// TestRecordingsBeginAndEndWhileTheRunIsUnderWay has several clients begin and end recordings at once: each file that was begun is a
// whole recording, with its own beginning and end among its events.
func TestRecordingsBeginAndEndWhileTheRunIsUnderWay(t *testing.T) {
	r := start(t, Config{Workload: collatz(t), WorkgroupSize: 4})
	dir := t.TempDir()
	worked := make(chan error, 1)
	go func() { worked <- r.Work(t.Context()) }()
	var clients sync.WaitGroup
	for i := range 4 {
		clients.Go(func() {
			for n := range 5 {
				_, err := r.hub.Record(t.Context(), filepath.Join(dir, fmt.Sprintf("%d-%d.mcap", i, n)))
				if err == nil {
					_, err = r.hub.Record(t.Context(), megakernel.StopRecording)
				}
				if err != nil && !errors.Is(err, ErrRecording) { // another client was there first
					t.Error(err)
				}
			}
		})
	}
	clients.Wait()
	if err := <-worked; err != nil {
		t.Fatal(err)
	}
	_, _ = r.hub.Record(t.Context(), megakernel.StopRecording) // one may be left
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %q", err, files)
	}
	for _, file := range files {
		rec, err := fixtures.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		kinds := 0
		for _, e := range rec.Events(0, math.MaxInt64, 1000) {
			if e.Kind == megakernel.EventRecording || e.Kind == megakernel.EventRecorded {
				kinds++
			}
		}
		if kinds != 2 || len(rec.Verify()) > 0 {
			t.Errorf("%s: %d events of its beginning and end, damage %v", file, kinds, rec.Verify())
		}
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestNothingIsRecordedBehindTheEnd(t *testing.T) {
	r := start(t, Config{Workload: collatz(t), WorkgroupSize: 4})
	if err := r.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := filepath.Join(t.TempDir(), "run.mcap")
	if _, err := r.hub.Record(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Finish(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.recorders.each(func(x live.Recorder) {
		if w, ok := x.(*fixtures.Writer); ok { // a client that connects while the run closes is an event: it broke the recording, and a rerun
			t.Errorf("the closed recording %v gets what comes", w)
		}
	})
	if _, err := r.record(t.Context(), first+"2"); !errors.Is(err, ErrRecording) {
		t.Error(err)
	}
	if _, err := os.Stat(first + "2"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	rec, err := fixtures.Open(first)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	_, end := rec.Span()
	b, kept := rec.Header().Target.Buffers, 0
	for i := range b {
		if !capture.IsInput(b[i].Binding) {
			continue
		}
		kept++
		words := make([]uint32, 1)
		if err := rec.ReadBuffer(end, b[i].Name, 0, words); err != nil {
			t.Errorf("it does not have what %s held: %v", b[i].Name, err)
		}
	}
	if kept == 0 {
		t.Error("the workload has no buffers")
	}
}
