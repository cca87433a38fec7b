package resident_test

import (
	"strings"
	"sync"
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

const strayHandler = `
layout(std430, binding = 8) buffer Cells { uint cells[]; };
void stray(inout Task t) {
	cells[t.param] = t.task_id;
	task_done(t);
}`

// TestUndefinedAccessesSayWhereTheyHappened: task, worker, handler, line and index of the first one at a place.
func TestUndefinedAccessesSayWhereTheyHappened(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{Seed: 1})
	k := assemble(t, b, strayHandler, 4, "stray")
	var mu sync.Mutex
	var told []megakernel.HostEvent
	s := start(t, b, k, resident.Options{Workers: 2, Buffers: []resident.BufferInit{{Name: "cells", Binding: 8, Words: 10}}, Tell: func(e megakernel.HostEvent) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, e)
	}})
	ts := work(3, func(i int, t *tasks.Task) { t.Param = uint32(5 * i) }) // the last one is out of range
	publish(t, s, ts)
	collect(t, s, 3)
	if err := s.Stop(deadline(t)); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) != 1 || told[0].Place == nil {
		t.Fatalf("told %+v", told)
	}
	p := told[0].Place
	if p.Task != ts[2].TaskID || p.Worker < 0 || p.Worker > 1 || p.Handler == "" || p.Index == nil || *p.Index != 10 || *p.Len != 10 {
		t.Errorf("place %+v", p)
	}
	for _, want := range []string{":4:", "write out of range, index 10 of 10, task " + megakernel.TaskName(p.Task) + ", handler ", ", worker "} {
		if !strings.Contains(told[0].Text, want) {
			t.Errorf("%q does not say %q", told[0].Text, want)
		}
	}
	if list := s.Undefined(); len(list) != 1 || list[0].First.Index != 10 {
		t.Errorf("%+v", list)
	}
}
