package resident_test

import (
	"strings"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

const strayHandler = `
layout(std430, binding = 8) buffer Cells { uint cells[]; };
void stray(inout Task t) {
	cells[t.param] = t.task_id;
	uint local[3];
	local[0] = 7u;
	t.output_handle = t.param == 10u ? local[int(t.param) - 12] : local[0];
	task_done(t);
}`

// TestUndefinedAccessesSayWhereTheyHappened: task, worker, handler, line and index of the first one at a place, where
// the backend reports them and where the kernel checks its indexes itself.
func TestUndefinedAccessesSayWhereTheyHappened(t *testing.T) {
	t.Run("reference", func(t *testing.T) {
		testStray(t, backendtest.Reference(t, reference.Options{Seed: 1}), false)
	})
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		if b.Identity().Name != "reference" {
			testStray(t, b, true)
		}
	})
}

func testStray(t *testing.T, b engine.Backend, checks bool) {
	k := assembleWith(t, b, kernel.Config{WorkgroupSize: 4, IndexChecks: checks}, strayHandler, "stray")
	var mu sync.Mutex
	var told []megakernel.HostEvent
	s := start(t, b, k, resident.Options{Workers: 1, Buffers: []resident.BufferInit{{Name: "cells", Binding: 8, Words: 10}}, Tell: func(e megakernel.HostEvent) {
		mu.Lock()
		defer mu.Unlock()
		if e.Kind == megakernel.EventUndefined {
			told = append(told, e)
		}
	}})
	list := work(3, func(i int, t *tasks.Task) { t.Param = uint32(5 * i) }) // the last one is out of range
	publish(t, s, list)
	collect(t, s, 3)
	// The first access of a task hides the next one for a slice at most.
	for id := uint32(0); len(s.Undefined()) < 2 && id < 5000; id++ {
		publish(t, s, work(1, func(_ int, t *tasks.Task) { t.TaskID, t.Param = 9+id, 10 }))
		collect(t, s, 1)
	}
	if err := s.Stop(deadline(t)); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) != 2 || len(s.Undefined()) != 2 {
		t.Fatalf("told %+v of %+v", told, s.Undefined())
	}
	for i, want := range []struct {
		line, what    string
		index, length uint32
	}{{":4:", "write out of range, index 10 of 10, task ", 10, 10}, {":7:", "read out of range, index -2 of 3, task ", 1<<32 - 2, 3}} {
		p := told[i].Place
		if p == nil || p.Worker != 0 || p.Handler != "stray" || p.Index == nil || *p.Index != want.index || *p.Len != want.length {
			t.Fatalf("place %+v of %+v", p, told[i])
		}
		if p.Task != list[2].TaskID && p.Task < 9 {
			t.Errorf("task %d", p.Task)
		}
		for _, part := range []string{want.line, want.what + megakernel.TaskName(p.Task) + ", handler stray, worker "} {
			if !strings.Contains(told[i].Text, part) {
				t.Errorf("%q does not say %q", told[i].Text, part)
			}
		}
	}
}
