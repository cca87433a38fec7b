package resident_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// TestFaultsSayWhereTheyHappened: a fault that a handler asks for has the line in the log, and an event with task,
// worker, handler and line, on every backend.
func TestFaultsSayWhereTheyHappened(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		var mu sync.Mutex
		var told []megakernel.HostEvent
		s := start(t, b, shared(t, b), resident.Options{Workers: 1, Tell: func(e megakernel.HostEvent) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, e)
		}})
		log, err := s.Log()
		if err != nil {
			t.Fatal(err)
		}
		publish(t, s, one(opFailing, nil))
		ended := collect(t, s, 1)[0]
		if err := s.Stop(deadline(t)); err != nil {
			t.Fatal(err)
		}
		blocks, _ := log.Take(1000)
		s.NoteFaults(blocks)
		mu.Lock()
		defer mu.Unlock()
		i := slices.IndexFunc(told, func(e megakernel.HostEvent) bool { return e.Kind == megakernel.EventFaulted })
		if i < 0 || told[i].Place == nil {
			t.Fatalf("told %+v", told)
		}
		p := told[i].Place
		want := megakernel.Place{Task: ended.Task, Lane: p.Lane, Opcode: opFailing, Handler: "failing", Source: "handlers.glsl:11"}
		if *p != want {
			t.Errorf("place %+v, want %+v", *p, want)
		}
		text := fmt.Sprintf("task %s: fault, code 0x123, handlers.glsl:11, handler failing, worker 0 lane %d", megakernel.TaskName(p.Task), p.Lane)
		if told[i].Text != text {
			t.Errorf("the event says %q, want %q", told[i].Text, text)
		}
		for _, r := range blocks.Decode() {
			if got := r.Text(s.Target().Formats); megakernel.KindOf(r.Format) == megakernel.EventFault && got != "fault, code 0x123, handlers.glsl:11" {
				t.Errorf("the log says %q", got)
			}
		}
	})
}
