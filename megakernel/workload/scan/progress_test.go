package scan

import (
	"testing"

	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// TestProgressIsWhatIsSearched: a piece counts when it is searched, not only when its file is through, and all of them are the file.
func TestProgressIsWhatIsSearched(t *testing.T) {
	text := make([]byte, 40_000)
	s := scanOneFile(t, string(text))
	s.opt.ArenaBytes = 16 << 10
	d := newDevice(t, s)
	last, tasksSeen := int64(0), 0
	d.answer = func(d *device, task tasks.Task) []workload.Completion {
		got, total, unit := s.Progress()
		if total != int64(len(text)) || unit != "B" || got < last || got > total {
			t.Errorf("%d of %d %s after %d", got, total, unit, last)
		}
		last = got
		tasksSeen++
		return done(task, 0)
	}
	if err := s.Run(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if got, total, _ := s.Progress(); got != total || tasksSeen < 10 || last == 0 {
		t.Errorf("%d of %d at the end of %d tasks, %d before the last one", got, total, tasksSeen, last)
	}
}

// TestProgressNeverFalls: what a lost host has begun is taken back, and not shown.
func TestProgressNeverFalls(t *testing.T) {
	p := &progress{}
	p.expect(100)
	for _, step := range []struct{ add, want int64 }{{30, 30}, {20, 50}, {-20, 50}, {10, 50}, {15, 55}, {60, 100}} {
		p.add(step.add)
		if got, total := p.told(); got != step.want || total != 100 {
			t.Errorf("%d of %d, want %d", got, total, step.want)
		}
	}
}
