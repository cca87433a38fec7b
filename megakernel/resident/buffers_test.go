package resident_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/words"
	"vyretop/tasks"
)

const cellsHandler = `
struct Cell { uint owner; float weight; };
layout(std430, binding = 8) buffer Cells { uint used; uint pad; Cell cells[]; };
layout(std430, binding = 9) buffer Seen { uint seen[]; };
void mark(inout Task t) {
	cells[t.param].owner = t.task_id;
	cells[t.param].weight = 0.5;
	atomicAdd(seen[0], 1u);
	task_done(t);
}`

// Any buffer of a workload can be read while the kernel runs, whatever memory it is in.
func TestBuffersAreReadWhileTheKernelRuns(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, remembering(t, b), resident.Options{Workers: 2, SliceTime: 10 * time.Second, Buffers: remembered})
		infos := s.Buffers()
		if len(infos) != 9 || infos[0].Name != "cells" || infos[0].Words != 34 || infos[1].Name != "seen" || infos[1].Between {
			t.Fatalf("buffers %+v", infos)
		}
		for word, want := range map[int]string{1: "pad uint", 2: "cells[0].owner uint", 33: "cells[15].weight float"} {
			if name, kind := words.OwnName(&infos[0], word); name+" "+string(kind) != want {
				t.Errorf("word %d is %s %s, want %s", word, name, kind, want)
			}
		}
		ts := work(16, func(i int, t *tasks.Task) { t.Opcode, t.Param = opMark, uint32(i) })
		publish(t, s, ts)
		collect(t, s, 16)
		got, seen := make([]uint32, 4), make([]uint32, 1)
		for name, dst := range map[string][]uint32{"cells": got, "seen": seen} {
			first := 0
			if name == "cells" {
				first = 2 + 2*7
			}
			if err := s.ReadBuffer(deadline(t), name, first, dst); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]uint32{ts[7].TaskID, 0x3f000000, ts[8].TaskID, 0x3f000000}, got); diff != "" || seen[0] != 16 {
			t.Errorf("%d seen, cells 7 and 8: %s", seen[0], diff)
		}
		editWords(t, s)
		for _, bad := range []struct {
			name     string
			first, n int
		}{{"heap", 0, 1}, {"cells", -1, 1}, {"cells", 33, 2}, {"cells", 35, 0}} {
			err := s.ReadBuffer(deadline(t), bad.name, bad.first, make([]uint32, bad.n))
			if !errors.Is(err, resident.ErrOption) {
				t.Errorf("%+v: %v", bad, err)
			}
		}
		if err := s.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := s.ReadBuffer(deadline(t), "cells", 0, got); !errors.Is(err, resident.ErrStopped) {
			t.Errorf("after the end: %v", err)
		}
	})
}

// editWords changes words of both kinds of memory, if they hold what is expected, and finds them changed.
func editWords(t *testing.T, s *resident.Session) {
	t.Helper()
	edit := func(binding, word, expected, desired uint32) megakernel.Ack {
		ack, err := s.Do(deadline(t), megakernel.Command{Op: megakernel.OpEditBuffer, Slot: binding, Arg: word, Expected: expected, Desired: desired})
		if err != nil {
			t.Fatal(err)
		}
		return ack
	}
	for _, c := range []struct {
		name          string
		binding, word uint32
		holds         uint32
	}{{"cells", 8, 3, 0x3f000000}, {"seen", 9, 0, 16}} {
		if ack := edit(c.binding, c.word, c.holds+1, 7); ack.Result != megakernel.AckChanged || ack.Detail != c.holds {
			t.Errorf("%s: an edit of a word that holds something else: %+v", c.name, ack)
		}
		if ack := edit(c.binding, c.word, c.holds, 7); ack.Result != megakernel.AckApplied || ack.Detail != 7 {
			t.Errorf("%s: %+v", c.name, ack)
		}
		got := make([]uint32, 1)
		if err := s.ReadBuffer(deadline(t), c.name, int(c.word), got); err != nil || got[0] != 7 {
			t.Errorf("%s holds %d after the edit, error %v", c.name, got[0], err)
		}
		edit(c.binding, c.word, 7, c.holds)
	}
	for _, bad := range [][2]uint32{{8, 34}, {8, 1 << 31}, {10, 0}, {0, 0}} {
		if ack := edit(bad[0], bad[1], 0, 1); ack.Result != megakernel.AckBadArgument {
			t.Errorf("word %d of the buffer with binding %d: %+v", bad[1], bad[0], ack)
		}
	}
}
