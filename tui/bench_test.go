package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// preparedSnapshots is how many different snapshots the frames of a benchmark go through.
const preparedSnapshots = 200

// frame takes in the next snapshot and draws it.
func (d *driver) frame() {
	d.m.refresh()
	d.m.settle()
	d.m.dirty = true
	d.m.View()
}

// changing is how many cells differ from frame to frame, in percent, over as many as the charts are wide.
func changing(d *driver) float64 {
	const frames = preparedSnapshots - 10
	d.frame()
	w, h := d.m.canvas.Size()
	before, changed := make([]cells.Cell, w*h), 0
	for range frames {
		d.frame()
		for y := range h {
			for x, c := range d.m.canvas.Row(y) {
				if old := &before[y*w+x]; *old != c {
					*old = c
					changed++
				}
			}
		}
	}
	return 100 * float64(changed) / float64(frames*w*h)
}

// BenchmarkFrame200x60 is the cost of one frame, from a new snapshot to the text that the terminal library is given,
// in each view on a large screen.
func BenchmarkFrame200x60(b *testing.B) {
	for _, v := range viewNames() {
		b.Run(string(v), func(b *testing.B) {
			r := newPrepared(preparedSnapshots)
			d := newDriver(b, 200, 60, Options{Source: r, Sink: r})
			d.m.showTab(v)
			share := changing(d)
			b.ReportAllocs()
			for b.Loop() {
				if r.shown == preparedSnapshots-1 {
					b.StopTimer()
					r.wind(preparedSnapshots)
					b.StartTimer()
				}
				d.frame()
			}
			b.ReportMetric(share, "%cells")
		})
	}
}

// BenchmarkDraw200x60 is the cost of drawing alone, the data being the same.
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

// BenchmarkMillionSlots is the cost of a frame of the ring view, from a new snapshot of a million slots
// to the text for the terminal library; at 10 frames a second 25 ms are a quarter of a core.
func BenchmarkMillionSlots(b *testing.B) {
	f := newFake()
	f.snap.Slots = make([]uint32, megakernel.MaxSlots*tasks.SlotWords)
	for i := range megakernel.MaxSlots {
		w := f.slot(i)
		w[tasks.WordState], w[tasks.WordTaskID], w[tasks.WordPriority] = uint32(i/1000%7), uint32(i), uint32(i%5)
	}
	d := newDriver(b, 200, 60, Options{Source: f, Sink: f})
	d.m.showTab(keymap.Ring)
	b.ReportAllocs()
	for b.Loop() {
		f.snap.Seq++
		f.snap.Taken += 100 * time.Millisecond
		d.m.refresh()
		d.m.Update(ticked{})
		d.m.View()
	}
}

// millionTasks is a ring of a million live tasks, no two of which have yielded as often.
func millionTasks() *fakeTarget {
	f := newFake()
	f.snap.Slots = make([]uint32, megakernel.MaxSlots*tasks.SlotWords)
	for i := range megakernel.MaxSlots {
		w := f.slot(i)
		w[tasks.WordState], w[tasks.WordTaskID] = uint32(tasks.Ready), uint32(i+1)
		w[tasks.WordYieldCount] = uint32(i) * 2654435769
	}
	return f
}

// BenchmarkMillionTasks is the cost of a frame of the task table with a million live tasks that are sorted by how
// often they have yielded: of one that keeps the order of the last, as all but one in a second do, and of one that
// sorts again.
func BenchmarkMillionTasks(b *testing.B) {
	for _, sorts := range []struct {
		name  string
		later time.Duration
	}{{"kept", 0}, {"sorted", pane.ResortInterval}} {
		b.Run(sorts.name, func(b *testing.B) {
			f := millionTasks()
			d := newDriver(b, 200, 60, Options{Source: f, Sink: f})
			d.m.showTab(keymap.Tasks)
			d.m.table().Sort = 6
			d.update()
			b.ReportAllocs()
			for b.Loop() {
				d.clock = d.clock.Add(sorts.later)
				f.snap.Seq++
				f.snap.Taken += 100 * time.Millisecond
				d.update()
				d.m.View()
			}
		})
	}
}
