package history

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/megakernel"
)

// at is a snapshot of three buffers, of which some words are as told.
func at(seq int, control, slots, workers []uint32) *megakernel.Snapshot {
	return &megakernel.Snapshot{
		Seq: uint64(seq), Taken: time.Duration(seq) * ms, Control: slices.Clone(control), Slots: slices.Clone(slots), WorkerTable: slices.Clone(workers),
	}
}

// What is kept comes back as it was, whatever changed between snapshots, also after some was dropped.
func TestMomentsComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Snapshots{Budget: rapid.IntRange(1, 1<<20).Draw(t, "budget")}
		control, slots, workers := make([]uint32, 21), make([]uint32, 2100), make([]uint32, 96)
		var all []*megakernel.Snapshot
		n := rapid.IntRange(1, 200).Draw(t, "snapshots")
		for i := range n {
			if rapid.IntRange(0, 40).Draw(t, "retune") == 0 {
				workers = make([]uint32, 96*rapid.IntRange(0, 3).Draw(t, "workers"))
			}
			for _, b := range [][]uint32{control, slots, workers} {
				for range rapid.IntRange(0, min(3, len(b))).Draw(t, "changes") {
					b[rapid.IntRange(0, len(b)-1).Draw(t, "word")] = rapid.Uint32().Draw(t, "value")
				}
			}
			s := at(i, control, slots, workers)
			m.Add(s)
			all = append(all, s)
		}
		if m.Newest() != n-1 || m.Oldest() > n-1 {
			t.Fatalf("snapshots %d..%d kept of %d", m.Oldest(), m.Newest(), n)
		}
		from := rapid.IntRange(0, n-1).Draw(t, "from")
		to := rapid.IntRange(from, n-1).Draw(t, "to")
		next := max(from, m.Oldest())
		m.Replay(from, to, func(s *megakernel.Snapshot) {
			if diff := cmp.Diff(all[next], s); diff != "" {
				t.Fatalf("snapshot %d: %s", next, diff)
			}
			next++
		})
		if want := max(to+1, m.Oldest()); next != want {
			t.Fatalf("snapshots up to %d shown, want %d", next, want)
		}
		when := rapid.IntRange(0, n+5).Draw(t, "when")
		if got, want := m.At(time.Duration(when)*ms), min(max(when, m.Oldest()), n-1); got != want {
			t.Fatalf("snapshot at %d ms is %d, want %d", when, got, want)
		}
	})
}

// A target that changes everything all the time is kept within the budget all the same, and what is dropped
// is the oldest.
func TestMomentsStayWithinTheirBudget(t *testing.T) {
	const budget = 1 << 20
	m := Snapshots{Budget: budget}
	slots := make([]uint32, 4096)
	for i := range 3000 {
		for w := range slots {
			slots[w] = uint32(i + w)
		}
		m.Add(at(i, nil, slots, nil))
		if m.bytes > budget {
			t.Fatalf("%d bytes after %d snapshots", m.bytes, i+1)
		}
	}
	if kept := m.Newest() - m.Oldest() + 1; m.Oldest() == 0 || kept < 25 {
		t.Errorf("snapshots %d..%d are kept", m.Oldest(), m.Newest())
	}
	sum := 0
	for _, r := range m.runs {
		sum += r.bytes()
	}
	if sum != m.bytes {
		t.Errorf("%d bytes counted, %d there", m.bytes, sum)
	}
}

// A ring of which a comparison takes milliseconds is compared once a second only.
func TestLargeRingsAreKeptNowAndThen(t *testing.T) {
	var m Snapshots
	slots := make([]uint32, manyWords+16)
	for i := range 31 {
		m.Add(&megakernel.Snapshot{Seq: uint64(i), Taken: time.Duration(i) * 100 * ms, Slots: slots})
	}
	if n := m.Newest() + 1; n != 4 {
		t.Errorf("%d of 31 snapshots kept in 3 s", n)
	}
}

func TestNoMoments(t *testing.T) {
	var m Snapshots
	if m.Newest() >= m.Oldest() || m.At(time.Hour) != 0 {
		t.Errorf("snapshots %d..%d of none", m.Oldest(), m.Newest())
	}
	m.Replay(0, 9, func(*megakernel.Snapshot) { t.Error("a snapshot of none") })
}

// BenchmarkMoments4096 is the cost of keeping a snapshot of 4,096 slots of which 100 changed.
func BenchmarkMoments4096(b *testing.B) {
	rings := [2][]uint32{make([]uint32, 4096*16), make([]uint32, 4096*16)}
	for i := range 100 {
		rings[1][i*640] = 1
	}
	m := Snapshots{Budget: 16 << 20}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		i++
		m.Add(&megakernel.Snapshot{Seq: uint64(i), Taken: time.Duration(i) * ms, Slots: rings[i%2]})
	}
}
