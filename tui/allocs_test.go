package tui

import (
	"strconv"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/tui/keymap"
)

// prepared is a target whose snapshots were made before, so that looking at it allocates nothing.
type prepared struct {
	*fakeTarget
	snaps []megakernel.Snapshot
	shown int
}

func newPrepared(n int) *prepared {
	r := &prepared{fakeTarget: newFake()}
	r.wind(n)
	return r
}

// wind takes n snapshots of a fake that moves on, one every 16 ms, in the place of those before.
func (r *prepared) wind(n int) {
	r.snaps, r.shown = r.snaps[:0], -1
	for range n {
		r.step()
		r.snap.Taken -= 84 * time.Millisecond
		r.snaps = append(r.snaps, r.snap)
	}
}

func (r *prepared) Snapshot() *megakernel.Snapshot {
	r.shown = min(r.shown+1, len(r.snaps)-1)
	return &r.snaps[r.shown]
}

func (r *prepared) Log(after uint64, limit int) []megakernel.LogRecord {
	end := uint64(r.snaps[r.shown].LogCursor)
	from := min(after, end)
	return r.log[from:min(from+uint64(limit), end)]
}

// A frame takes memory for the text that the terminal library is given, and for nothing else.
func TestFramesTakeMemoryForTheirText(t *testing.T) {
	const rounds = 60
	for _, v := range viewNames() {
		t.Run(string(v), func(t *testing.T) {
			r := newPrepared(3 * rounds)
			d := newDriver(t, 200, 60, Options{Source: r, Sink: r})
			d.m.showTab(v)
			for range rounds { // what is kept grows to its size
				d.frame()
			}
			if got := testing.AllocsPerRun(rounds, d.frame); got > 1 {
				t.Errorf("a frame takes memory %v times, want once: for its text", got)
			}
		})
	}
}

// A recommendation from other numbers takes memory for its reasons, and for each number among them.
func TestAnotherRecommendationTakesLittleMemory(t *testing.T) {
	r := newPrepared(200)
	d := newDriver(t, 200, 60, Options{Source: r, Sink: r})
	d.m.showTab(keymap.Launch)
	value := uint64(1 << 20)
	frame := func() {
		value++
		d.m.launch.WhatIf = map[int]uint64{0: value}
		d.frame()
	}
	frame()
	const most = 40 // the race detector drops some of what is pooled
	if got := testing.AllocsPerRun(60, frame); got > most {
		t.Errorf("a frame takes memory %v times, want at most %d", got, most)
	}
	d.wantOnScreen("queue_len " + strconv.FormatUint(value, 10) + " >= ")
}
