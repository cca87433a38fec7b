package pane

import (
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/history"
)

// busyFrame is a target of two workers that were busy for three quarters of their time, seen twice.
func busyFrame(clock string, unit uint32) *Frame {
	target := &megakernel.Target{Clock: clock}
	h := new(history.History)
	snap := func(seq uint64, ticks, handlers, idle, claims, lanes uint32) *megakernel.Snapshot {
		s := &megakernel.Snapshot{
			Seq: seq, Taken: time.Duration(seq) * time.Second, Workers: 2, Lanes: 8,
			WorkerTable: make([]uint32, 2*megakernel.WorkerWords), Slots: make([]uint32, 4*tasks.SlotWords),
		}
		s.Slots[tasks.WordState], s.Slots[tasks.WordPriority] = uint32(tasks.Ready), uint32(tasks.High)
		s.Served[tasks.High] = seq * 500
		for w := range 2 {
			r := s.WorkerTable[w*megakernel.WorkerWords:]
			r[megakernel.WkTicks], r[megakernel.WkHandler], r[megakernel.WkIdle], r[megakernel.WkUnit] = ticks, handlers, idle, unit
			r[megakernel.WkCounts+megakernel.CountClaims], r[megakernel.WkLaneSum] = claims, lanes
		}
		return s
	}
	newFrame(target, snap(1, 0, 0, 0, 0, 0), h)
	return newFrame(target, snap(2, 1000, 600, 250, 10, 60), h)
}

// The header shows what was measured, what it is counted in, and the policy's estimate beside it; a target
// that counts no time shows the lanes instead.
func TestOccupancyInTheHeader(t *testing.T) {
	for clock, want := range map[string]string{
		"loop iterations": "busy ███████▌░░  75% of iterations",
		"1024 ticks of the device's clock (GL_ARB_shader_clock)": "busy ███████▌░░  75% of clock",
	} {
		got := paint(120, 2, func(a cells.Area) { look().DrawHeader(a, busyFrame(clock, 0), &Status{}) })
		if !strings.Contains(got, want) || !strings.Contains(got, "lanes  75%") {
			t.Errorf("header %q does not show %q", got, want)
		}
	}
	f := busyFrame("", 0)
	f.Occupancy.Share = nil
	if got := paint(120, 2, func(a cells.Area) { look().DrawHeader(a, f, &Status{}) }); !strings.Contains(got, "2×8 lanes ███████▌░░  75%") {
		t.Errorf("header without a clock: %q", got)
	}
}

func TestOccupancyOfAWorker(t *testing.T) {
	got := paint(100, 24, func(a cells.Area) { look().DrawWorkerDetail(a, busyFrame("loop iterations", 8), 1) })
	for _, want := range []string{"75% = 60% run + 15% claim", "25% of loop iterations, unit 7", "6.0 of 8 a claim"} {
		if !strings.Contains(got, want) {
			t.Errorf("details do not show %q:\n%s", want, got)
		}
	}
	narrow := paint(42, 24, func(a cells.Area) { look().DrawWorkerDetail(a, busyFrame("loop iterations", 8), 1) })
	if !strings.Contains(narrow, "75% = 60% run + 15% claim") {
		t.Errorf("details in 42 columns:\n%s", narrow)
	}
	long := paint(120, 24, func(a cells.Area) {
		look().DrawWorkerDetail(a, busyFrame("1024 ticks of the device's clock (GL_ARB_shader_clock)", 8), 1)
	})
	if !strings.Contains(long, "25% of device clock, unit 7") {
		t.Errorf("a device's clock:\n%s", long)
	}
}

// The table has a column of units where the device tells them, numbered as the device does.
func TestUnitsInTheTableOfWorkers(t *testing.T) {
	f := busyFrame("loop iterations", 8)
	f.Workers[0].Unit = 0
	v := &Workers{Frame: f, Look: look()}
	last := len(v.Columns()) - 1
	if got := v.Columns()[last].ID; got != "unit" {
		t.Fatalf("the last column is %s", got)
	}
	for row, want := range []string{"-", "7"} {
		if got, _ := v.Append(nil, row, last); string(got) != want {
			t.Errorf("worker %d is on unit %q, want %s", row, got, want)
		}
	}
	v.Frame = busyFrame("loop iterations", 0)
	if got := v.Columns()[len(v.Columns())-1].ID; got == "unit" {
		t.Error("a column of unknown units")
	}
}

// One task waits and 500 a second are served: by Little's law it waits for 2 ms.
func TestWaitsByPriority(t *testing.T) {
	f := busyFrame("loop iterations", 0)
	if got := paint(120, 3, func(a cells.Area) { look().DrawCounts(a, f) }); !strings.Contains(got, "high    1 ~2ms") {
		t.Errorf("counts do not show the wait:\n%s", got)
	}
	if got := paint(80, 3, func(a cells.Area) { look().DrawCounts(a, f) }); strings.Contains(got, "~") {
		t.Errorf("a wait where there is no room:\n%s", got)
	}
}
