package blackbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// snapshot is one of a target with a slot.
func snapshot(at time.Duration) *megakernel.Snapshot {
	return &megakernel.Snapshot{
		Taken: at, Seq: uint64(at), Consistent: true, Phase: megakernel.PhaseResident, Workers: 1, Lanes: 1,
		Control: make([]uint32, megakernel.CtrlObservable0), Slots: make([]uint32, tasks.SlotWords), WorkerTable: make([]uint32, megakernel.WorkerWords),
	}
}

func header() fixtures.Header {
	return fixtures.Header{Target: megakernel.Target{Workload: "test", Protocol: megakernel.ProtocolVersion, Slots: 1, MaxWorkers: 1}}
}

// TestTheNewestIsKeptInBounds: whatever comes, the newest item is kept, nothing older than the span, and no more bytes than allowed
// but for a single item; and what is written is read back in the order of time.
func TestTheNewestIsKeptInBounds(t *testing.T) {
	size := 4 * (megakernel.CtrlObservable0 + tasks.SlotWords + megakernel.WorkerWords)
	rapid.Check(t, func(t *rapid.T) {
		limit, span := rapid.IntRange(1, 20*size).Draw(t, "limit"), time.Duration(rapid.IntRange(1, 50).Draw(t, "span"))
		b, at, last := New(header(), span, limit), time.Duration(0), time.Duration(-1)
		var told []string
		for range rapid.IntRange(1, 60).Draw(t, "items") {
			at += time.Duration(rapid.IntRange(0, 9).Draw(t, "later"))
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				b.Snapshot(snapshot(at))
				last = at
			case 1:
				b.Submitted(at, []tasks.Task{{TaskID: 1}})
			case 2:
				b.Command(at, megakernel.Command{Op: megakernel.OpPauseAll})
			default:
				told = append(told, at.String())
				b.Event(megakernel.HostEvent{At: at, Kind: "note", Text: at.String()})
			}
		}
		list, _ := b.kept()
		bytes := 0
		for _, x := range list {
			bytes += x.bytes
			if x.at < b.now-span {
				t.Fatalf("an item of %v is kept at %v, with a span of %v", x.at, b.now, span)
			}
		}
		if bytes > limit && len(list) > 1 || bytes != b.bytes {
			t.Fatalf("%d bytes in %d items, %d counted, limit %d", bytes, len(list), b.bytes, limit)
		}
		if len(list) > 0 && list[len(list)-1].at != b.now {
			t.Fatalf("the newest item is of %v, not of %v", list[len(list)-1].at, b.now)
		}
		written(t, b, told, last)
	})
}

// written writes a box and reads it back.
func written(t *rapid.T, b *Box, told []string, last time.Duration) {
	dir := tempDir(t)
	file := filepath.Join(dir, "deep", "box.mcap")
	if err := b.Write(file, "because"); err != nil {
		t.Fatal(err)
	}
	rec, err := fixtures.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if d := rec.Verify(); len(d) > 0 || rec.Truncated() {
		t.Fatalf("damage %v, truncated %v", d, rec.Truncated())
	}
	var got []string
	events := rec.Events(0, time.Hour, 100)
	for _, e := range events[:len(events)-1] {
		got = append(got, e.Text)
	}
	if !slices.Equal(got, told) || events[len(events)-1].Kind != EventKept || events[len(events)-1].Text != "because" {
		t.Fatalf("events %v, want %v and why", events, told)
	}
	if kept := rec.Snapshots() > 0; kept {
		if s, _, err := rec.SnapshotAt(time.Hour); err != nil || s.Taken != last {
			t.Fatalf("the last snapshot is of %v, want %v, error %v", s.Taken, last, err)
		}
	}
}

// TestManyEventsKeepTheFirstAndTheLast: a run that tells of thousands of faults keeps how it began.
func TestManyEventsKeepTheFirstAndTheLast(t *testing.T) {
	b := New(header(), time.Second, 1<<10)
	for i := range 3 * events {
		b.Event(megakernel.HostEvent{At: time.Duration(i)})
	}
	_, told := b.kept()
	if len(told) != events || told[0].At != 0 || told[events/2-1].At != events/2-1 || told[events-1].At != 3*events-1 {
		t.Errorf("%d events, from %v to %v", len(told), told[0].At, told[len(told)-1].At)
	}
}

// tempDir is a folder for one check of many.
func tempDir(t *rapid.T) string {
	dir, err := os.MkdirTemp("", "box")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
