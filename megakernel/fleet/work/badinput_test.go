package work_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/fleet/work"
	"vyretop/megakernel/workload"
)

// limited bounds a stream of a hub.
func limited(t *testing.T, js jetstream.JetStream, name string, bytes int64) {
	t.Helper()
	s, err := js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	c := s.CachedInfo().Config
	c.MaxBytes, c.Discard = bytes, jetstream.DiscardNew
	if _, err := js.UpdateStream(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// TestAFullStreamLosesNoResult: the worker says so, keeps its results, and publishes them when there is room.
func TestAFullStreamLosesNoResult(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	q := submit(t, h, "q", 1000, 20)
	js, err := jetstream.New(h.Conn)
	if err != nil {
		t.Fatal(err)
	}
	limited(t, js, "vyretop-done-q", 1000)
	told := make(chan string, 1000)
	w := q.NewWorker("worker", lease, func(text string) { told <- text })
	s := newSquares(1000)
	s.Feed(w.Feed())
	defer w.Close()
	if err := w.Begin(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- s.RunShare(t.Context(), nil, workload.Part{}) }()
	select {
	case text := <-told:
		if !strings.Contains(text, "queue q: the result of a task was not taken") {
			t.Errorf("it says %q", text)
		}
	case <-time.After(patience):
		t.Fatal("nothing is said of the full stream")
	}
	limited(t, js, "vyretop-done-q", -1)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if err := w.Join(t.Context()); err != nil || s.sum() != expected(1000) || w.Done() != 20 {
		t.Errorf("%d tasks, %v", w.Done(), err)
	}
}

// TestAQueueThatDoesNotFit says how much of it does, and is continued when there is room.
func TestAQueueThatDoesNotFit(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	submit(t, h, "q", 1000, 1)
	js, err := jetstream.New(h.Conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "vyretop-work-q")
	if err != nil {
		t.Fatal(err)
	}
	meta := s.CachedInfo().Config.Metadata
	for key, text := range meta { // a queue of more tasks, of which one has arrived
		meta[key] = strings.Replace(text, `"tasks":1`, `"tasks":50`, 1)
	}
	c := s.CachedInfo().Config
	c.Metadata, c.MaxMsgs, c.Discard = meta, 10, jetstream.DiscardNew
	if _, err := js.UpdateStream(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	job := work.Job{Workload: "squares", Inputs: newSquares(1000).Inputs(), Tasks: 50}
	if _, err := work.Submit(t.Context(), h, "q", job); !errors.Is(err, work.ErrQueue) || !strings.Contains(err.Error(), "10 of 50 tasks") || !strings.Contains(err.Error(), "submit it again") {
		t.Errorf("%v", err)
	}
	c.MaxMsgs = -1
	if _, err := js.UpdateStream(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	q, err := work.Submit(t.Context(), h, "q", job)
	if err != nil {
		t.Fatal(err)
	}
	if s, n, err := do(t.Context(), q, "worker"); err != nil || n != 50 || s.sum() != expected(1000) {
		t.Errorf("%d tasks, %v", n, err)
	}
}

// TestPoisonedMessagesOfQueues: tasks that are none are taken out, and results that are none are refused and not taken in.
func TestPoisonedMessagesOfQueues(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	q := submit(t, h, "q", 100, 10)
	js, err := jetstream.New(h.Conn)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x", "10", "-1", "99999999999999999999"} {
		if _, err := js.Publish(t.Context(), "vyretop.work.q.task."+name, []byte("{")); err != nil {
			t.Fatal(err)
		}
	}
	if s, n, err := do(t.Context(), q, "worker"); err != nil || n != 10 || s.sum() != expected(100) {
		t.Errorf("%d tasks, %v", n, err)
	}
	if p, err := q.Progress(t.Context()); err != nil || p != (work.Progress{Done: 10}) {
		t.Errorf("%+v, %v", p, err)
	}
	other := submit(t, h, "p", 100, 10)
	if _, err := js.Publish(t.Context(), "vyretop.work.p.done.3", []byte("no result")); err != nil {
		t.Fatal(err)
	}
	if _, n, err := do(t.Context(), other, "worker"); n != 0 && !errors.Is(err, workload.ErrResult) || err != nil && !strings.Contains(err.Error(), "Fix:") {
		t.Errorf("%d tasks, %v", n, err)
	}
	if s, err := collect(t.Context(), other); !errors.Is(err, workload.ErrResult) || !strings.Contains(err.Error(), "submit the work again") || s.have[3] {
		t.Errorf("%v", err)
	}
}

// TestResultsOfNoTaskDoNotCount: as many messages as there are tasks ended the queue, and a second result replaced the first one.
func TestResultsOfNoTaskDoNotCount(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	q := submit(t, h, "q", 100, 10)
	js, err := jetstream.New(h.Conn)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if _, err := js.Publish(t.Context(), fmt.Sprintf("vyretop.work.q.done.%d", 10+i), []byte("no result")); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := q.Progress(t.Context()); err != nil || p != (work.Progress{Waiting: 10}) {
		t.Errorf("%+v, %v", p, err)
	}
	if s, n, err := do(t.Context(), q, "worker"); err != nil || n != 10 || s.sum() != expected(100) {
		t.Errorf("%d tasks, %v", n, err)
	}
	if _, err := js.Publish(t.Context(), "vyretop.work.q.done.3", []byte("another result")); err == nil {
		t.Error("a second result is taken")
	}
	if s, err := collect(t.Context(), q); err != nil || s.sum() != expected(100) {
		t.Error(err)
	}
}
