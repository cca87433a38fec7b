package tui

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"vyretop/megakernel"
)

// fakeOwner is a fake whose workload has buffers.
type fakeOwner struct {
	*fakeTarget
	words map[string][]uint32
	reads int
	err   error
}

func newFakeOwner() *fakeOwner {
	o := &fakeOwner{fakeTarget: newFake(), words: map[string][]uint32{"weights": make([]uint32, 3000), "cells": make([]uint32, 12)}}
	for i := range o.words["weights"] {
		o.words["weights"][i] = math.Float32bits(float32(i) / 2)
	}
	return o
}

func (o *fakeOwner) Buffers() []megakernel.BufferInfo {
	return []megakernel.BufferInfo{
		{Name: "weights", Binding: 8, Words: 3000, Element: "float", StrideWords: 1, Between: true},
		{Name: "cells", Binding: 9, Words: 12, Element: "Cell", HeadWords: 2, StrideWords: 5},
	}
}

func (o *fakeOwner) ReadBuffer(_ context.Context, name string, first int, dst []uint32) error {
	o.reads++
	if o.err != nil {
		return o.err
	}
	copy(dst, o.words[name][first:])
	return nil
}

// The buffers of the workload follow those of the snapshots, page by page, with the types that the kernel
// declares.
func TestBuffersOfTheWorkload(t *testing.T) {
	o := newFakeOwner()
	d := newDriver(t, 120, 40, Options{Source: o, Sink: o.fakeTarget})
	d.keys("6", "v", "v", "v")
	d.wantOnScreen("Memory: weights", "words 0..1023 of 3000", "[1]", "0x3f000000", "0.5")
	for range 3 {
		d.keys("G", "down")
	}
	d.wantOnScreen("words 2048..2999 of 3000")
	d.keys("v")
	d.wantOnScreen("Memory: cells", "head+1", "Cell[0]+4", "Cell[1]+4")
	d.keys("v")
	d.wantOnScreen("Memory: control")
}

// What changed is marked, and a watched word is read also from another view; nothing is read that nobody looks
// at, and memory of the device's own no more often than twice a second.
func TestBuffersAreReadWhenLookedAt(t *testing.T) {
	o := newFakeOwner()
	d := newDriver(t, 120, 40, Options{Source: o, Sink: o.fakeTarget})
	o.run(d, 20)
	if o.reads != 0 {
		t.Errorf("%d readings although no buffer is shown", o.reads)
	}
	step := func(n int) {
		for range n {
			d.clock = d.clock.Add(100 * time.Millisecond)
			o.advance()
			d.send(updated{})
		}
	}
	d.typed(":memory weights 7")
	d.keys("enter")
	step(1)
	o.words["weights"][7] = math.Float32bits(-1.25)
	before := o.reads
	step(10)
	if n := o.reads - before; n < 2 || n > 3 {
		t.Errorf("%d readings of device memory in a second", n)
	}
	d.wantOnScreen("-1.25       600ms")
	d.typed(":watch cells[3],x")
	d.keys("enter", "1")
	o.words["cells"][3] = 0xbeef
	before = o.reads
	step(10)
	if n := o.reads - before; n < 5 {
		t.Errorf("%d readings of a watched word in a second", n)
	}
	d.keys("6")
	d.wantOnScreen("Cell[0]+1", "0x0000beef")
}

// A reading that fails says why, and the past of a buffer that no snapshot holds is said not to be kept.
func TestBuffersThatCannotBeRead(t *testing.T) {
	o := newFakeOwner()
	d := newDriver(t, 120, 40, Options{Source: o, Sink: o.fakeTarget})
	o.run(d, 5)
	o.err = errors.New("the device is lost. Fix: start again")
	d.typed(":memory cells")
	d.keys("enter")
	d.wantOnScreen("the device is lost. Fix: start again")
	o.err = nil
	d.clock = d.clock.Add(time.Second)
	d.send(ticked{})
	d.wantOnScreen("Cell[0]+4")
	d.keys("ctrl+left")
	d.wantOnScreen("What it held then is not kept")
	d.keys("esc")
	d.wantOnScreen("Cell[0]+4")
	d.keys("E")
	d.wantOnScreen("only the control buffer and operands of tasks can be edited")
	d.keys("esc")
	d.typed(":memory heap")
	d.keys("enter")
	d.wantOnScreen(`"heap" is none of the buffers control, ring, workers, weights, cells`)
}
