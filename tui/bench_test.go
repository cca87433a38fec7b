package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/keymap"
)

// BenchmarkFrame200x60 is the cost of one frame in our code, from a new snapshot to the text for
// the terminal library, in each view on a large screen.
func BenchmarkFrame200x60(b *testing.B) {
	for v := range keymap.NumViews {
		b.Run(v.String(), func(b *testing.B) {
			f := newFake()
			d := newDriver(b, 200, 60, Options{Source: f, Sink: f})
			d.m.showTab(v)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				f.advance()
				b.StartTimer()
				d.m.refresh()
				d.m.Update(ticked{})
				d.m.View()
			}
		})
	}
}

// BenchmarkDraw200x60 is the cost of drawing and encoding alone, the data being the same.
func BenchmarkDraw200x60(b *testing.B) {
	f := newFake()
	d := newDriver(b, 200, 60, Options{Source: f, Sink: f})
	b.ReportAllocs()
	for b.Loop() {
		d.m.dirty = true
		d.m.View()
	}
}

// BenchmarkTaskTable65536 is the cost of a frame of the task view with a ring of 65,536 tasks.
func BenchmarkTaskTable65536(b *testing.B) {
	f := newFake()
	f.snap.Slots = make([]uint32, 65536*tasks.SlotWords)
	for i := range 65536 {
		f.slot(i)[tasks.WordState], f.slot(i)[tasks.WordTaskID] = uint32(tasks.Ready), uint32(i)
	}
	d := newDriver(b, 200, 60, Options{Source: f, Sink: f})
	d.m.showTab(keymap.Tasks)
	b.ReportAllocs()
	for b.Loop() {
		f.snap.Seq++
		d.m.refresh()
		d.m.Update(ticked{})
		d.m.View()
	}
}

// BenchmarkKeypress is the time from a key to the text of the next frame.
func BenchmarkKeypress(b *testing.B) {
	f := newFake()
	f.snap.WorkerTable = make([]uint32, 2048*megakernel.WorkerWords)
	d := newDriver(b, 200, 60, Options{Source: f, Sink: f})
	down, up := tea.Msg(KeyPress("j")), tea.Msg(KeyPress("k"))
	b.ReportAllocs()
	for b.Loop() {
		d.m.Update(down)
		d.m.View()
		d.m.Update(up)
		d.m.View()
	}
}
