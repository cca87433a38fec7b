package scan

import (
	"testing"

	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// TestProgressIsWhatTheDeviceSays: a file counts as it is searched, not only when it is through, and never more
// than it has or less than before.
func TestProgressIsWhatTheDeviceSays(t *testing.T) {
	s := scanOneFile(t, "thirty-two bytes without a match")
	d := newDevice(t, s)
	var seen []int64
	look := func() {
		done, total, unit := s.Progress()
		if total != 32 || unit != "B" {
			t.Errorf("%d of %d %s", done, total, unit)
		}
		seen = append(seen, done)
	}
	d.answer = func(d *device, task tasks.Task) []workload.Completion {
		look()
		for _, symbols := range []uint32{4, 2, 1 << 31} {
			d.buffers["parts"].Store(int(task.InputHandle)*partWords+partAt, symbols)
			look()
		}
		return done(task, 0)
	}
	if err := s.Run(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	look()
	stride := int64(s.automaton.stride)
	for i, want := range []int64{0, 4 * stride, 4 * stride, 32, 32} {
		if seen[i] != want {
			t.Errorf("progress was %v with symbols of %d bytes", seen, stride)
		}
	}
}

// TestProgressOfStreamedFiles: what is counted part by part adds up to the whole, and is forgotten with the run.
func TestProgressOfStreamedFiles(t *testing.T) {
	p := &progress{}
	p.expect(100)
	parts := make([]uint32, 2*partWords)
	end := p.begin(parts, 2)
	parts[partSize], parts[partAt] = 16, 15
	parts[partWords+partSize], parts[partWords+partAt] = 8, 8
	if got, _ := p.told(); got != 46 {
		t.Errorf("two entries count %d bytes", got)
	}
	p.replace(parts, 0, 30)
	if got, _ := p.told(); got != 46 || parts[partAt] != 0 {
		t.Errorf("after the first part %d bytes, and the entry says %d", got, parts[partAt])
	}
	end()
	p.add(70)
	if got, total := p.told(); got != 100 || total != 100 {
		t.Errorf("%d of %d at the end", got, total)
	}
}
