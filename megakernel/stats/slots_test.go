package stats

import (
	"testing"

	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// SlotCounts counts what the snapshot itself counts, whatever the words.
func TestCensusAgreesWithTheSnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "slots")
		s := &megakernel.Snapshot{Slots: make([]uint32, n*tasks.SlotWords)}
		for i := range n {
			w := s.Slot(i)
			w[tasks.WordState] = rapid.Uint32Range(0, 10).Draw(t, "state")
			w[tasks.WordPriority] = rapid.Uint32Range(0, 7).Draw(t, "priority")
			w[tasks.WordTenant] = rapid.Uint32Range(0, 40).Draw(t, "tenant")
			w[tasks.WordAgeTicks] = rapid.Uint32().Draw(t, "age")
		}
		states, priorities := s.StateCounts()
		c := take(s.Slots)
		if c.States != states || c.Range(0, n) != states {
			t.Fatalf("states %v and %v, want %v", c.States, c.Range(0, n), states)
		}
		live := 0
		for p, g := range c.Priorities {
			if p < tasks.NumPriorities && g.Live() > priorities[p] {
				t.Fatalf("priority %d has %d tasks, want at most %d", p, g.Live(), priorities[p])
			}
			live += g.Live()
		}
		for tenant := range c.Tenants {
			live -= c.Tenant(tenant).Live()
		}
		if live != 0 {
			t.Fatalf("tenants and priorities differ by %d tasks", live)
		}
	})
}

func TestTheOldestIsOfThoseThatWait(t *testing.T) {
	slots := make([]uint32, 4*tasks.SlotWords)
	for i, v := range []struct{ state, age uint32 }{{1, 5}, {5, 9}, {4, 70}, {2, 80}} {
		slots[i*tasks.SlotWords+tasks.WordState], slots[i*tasks.SlotWords+tasks.WordAgeTicks] = v.state, v.age
	}
	want := Group{Waiting: 2, Running: 1, Held: 1, Oldest: 9}
	if got := take(slots).Tenant(0); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if c := take(slots).Codes[1]; c.State() != tasks.Yielded || c.Priority() != tasks.Critical {
		t.Errorf("slot 1 is %v %v", c.State(), c.Priority())
	}
}

// BenchmarkCensusMillionSlots is the cost of a pass over a ring of a million slots.
func BenchmarkCensusMillionSlots(b *testing.B) {
	slots := make([]uint32, megakernel.MaxSlots*tasks.SlotWords)
	for i := range megakernel.MaxSlots {
		slots[i*tasks.SlotWords] = uint32(i % 7)
	}
	b.SetBytes(int64(len(slots) * 4))
	for b.Loop() {
		take(slots)
	}
}

func take(slots []uint32) *SlotCounts {
	c := new(SlotCounts)
	c.Take(slots)
	return c
}
