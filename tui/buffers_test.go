package tui

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/layout"
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

// As std430 lays out { float weights[]; } and { uint used; uint pad; struct { uint owner; vec3 at; } cells[]; }, which an
// alignment of 1 word keeps small.
var (
	float         = &layout.Type{Name: "float", Words: 1, Kind: layout.Float, Width: 1}
	number        = &layout.Type{Name: "uint", Words: 1, Kind: layout.Uint, Width: 1}
	weightsLayout = &layout.Type{Name: "Weights", Words: 0, Members: []layout.Member{{Name: "weights", Type: &layout.Type{Name: "float[]", Elem: float, Stride: 1}}}}
	cellLayout    = &layout.Type{Name: "Cell", Words: 5, Members: []layout.Member{
		{Name: "owner", Type: number}, {Name: "at", Offset: 1, Type: &layout.Type{Name: "vec3", Words: 3, Kind: layout.Float, Width: 3}},
	}}
	cellsLayout = &layout.Type{Name: "Cells", Words: 2, Members: []layout.Member{
		{Name: "used", Type: number}, {Name: "pad", Offset: 1, Type: number}, {Name: "cells", Offset: 2, Type: &layout.Type{Name: "Cell[]", Elem: cellLayout, Stride: 5}},
	}}
)

func (o *fakeOwner) Buffers() []megakernel.BufferInfo {
	return []megakernel.BufferInfo{
		{Name: "weights", Binding: 8, Words: 3000, Layout: weightsLayout, Between: true},
		{Name: "cells", Binding: 9, Words: 12, Layout: cellsLayout},
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
	d.wantOnScreen("Memory: weights", "words 0..1023 of 3000", "weights[1]", "0x3f000000", "0.5")
	for range 3 {
		d.keys("G", "down")
	}
	d.wantOnScreen("words 2048..2999 of 3000")
	d.keys("v")
	d.wantOnScreen("Memory: cells", "pad", "cells[0].at.z", "cells[0] padding", "cells[1].owner")
	d.keys("v")
	d.wantOnScreen("Memory: control")
}

// What changed is marked, and a watched word is read also from another view; nothing is read that no view shows
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
	d.wantOnScreen("cells[0].at.x", "0x0000beef")
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
	d.wantOnScreen("cells[0] padding")
	d.keys("ctrl+left")
	d.wantOnScreen("What it held then is not kept")
	d.keys("esc")
	d.wantOnScreen("cells[0] padding")
	d.keys("E")
	d.wantOnScreen(":edit cells.used 0")
	d.keys("esc")
	d.typed(":memory heap")
	d.keys("enter")
	d.wantOnScreen(`"heap": unknown buffer. Fix: use control, ring, workers, weights, cells`)
}

// TestWordsOfBuffersAreEdited: by the name and in the type that the kernel declares, from what the word holds now.
func TestWordsOfBuffersAreEdited(t *testing.T) {
	o := newFakeOwner()
	d := newDriver(t, 120, 40, Options{Source: o, Sink: o.fakeTarget})
	d.typed(":edit cells.cells[1].at.x 1.5")
	d.keys("enter")
	d.wantOnScreen("cells[8]  cells[1].at.x", "holds", "0x00000000  0", "will get", "0x3fc00000  1.5")
	d.keys("y")
	want := megakernel.Command{Op: megakernel.OpEditBuffer, Slot: 9, Arg: 8, Desired: 0x3fc00000}
	if sent := o.sent(); len(sent) != 1 || sent[0] != want {
		t.Errorf("sent %+v, want %+v", sent, want)
	}
	d.typed(":edit weights[3] -0.5")
	d.keys("enter")
	d.wantOnScreen("weights[3]  weights[3]", "0x3fc00000  1.5", "0xbf000000  -0.5")
	d.keys("n")
	for text, want := range map[string]string{
		"cells.cells[1].at.x one": `"one": invalid float value. Fix: `, "cells.cells[9].owner 1": "element 9 does not exist", "control.epochs 1": `unknown word "epochs"`,
	} {
		d.typed(":edit " + text)
		d.keys("enter")
		d.wantOnScreen(want)
		d.keys("esc")
	}
	o.err = errors.New("device lost")
	d.typed(":edit cells.used 1")
	d.keys("enter")
	d.wantOnScreen("device lost")
}
