package megakernel

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// span is a range of words with a name, for finding overlaps.
type span struct {
	name       string
	from, size int
}

func (l SchedLayout) spans() []span {
	out := []span{
		{"fixed lines", 0, SchedWorker0},
		{"workers", SchedWorker0, MaxWorkers * WorkerControlWords},
		{"requests", l.Request, l.Slots},
	}
	for set := range NumSets {
		at := l.Set(set)
		out = append(out,
			span{fmt.Sprintf("set %d top", set), at + SetTop, MaxRegions / 32},
			span{fmt.Sprintf("set %d mid", set), at + SetMid, l.Regions},
			span{fmt.Sprintf("set %d leaves", set), at + l.LeafOffset(), l.Slots / 32})
	}
	return out
}

func TestSchedLayoutHasRoomForEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, MaxSlots).Draw(t, "slots")
		l := NewSchedLayout(slots)
		if l.Slots < slots || l.Slots%32 != 0 || l.Slots >= slots+32 || l.Regions*RegionSlots < l.Slots || l.Regions > MaxRegions {
			t.Fatalf("%d slots: %+v", slots, l)
		}
		end := 0
		for _, s := range l.spans() {
			if s.from < end {
				t.Fatalf("%s starts at %d, before %d", s.name, s.from, end)
			}
			end = s.from + s.size
		}
		if end > l.Words {
			t.Fatalf("ends at %d of %d words", end, l.Words)
		}
		for set := range NumSets {
			if l.Set(set)%LineWords != 0 || (l.Set(set)+l.LeafOffset())%LineWords != 0 {
				t.Fatalf("set %d is not at the start of a line", set)
			}
		}
	})
}

// TestHotWordsHaveALineEach: words that different workers write must not share a 128-byte line.
func TestHotWordsHaveALineEach(t *testing.T) {
	lines := map[int]string{}
	hot := map[string]int{
		"poller": SchedPollLock, "epoch": SchedEpoch, "sweep": SchedSweep, "pause": SchedPauseAll, "totals": SchedTotals,
		"quotas": SchedQuotas, "tenants": SchedTenants, "metrics": SchedMetrics, "served": SchedServed,
	}
	for p := range 5 {
		hot[fmt.Sprintf("skip %d", p)] = SchedSkip0 + p*LineWords
	}
	for name, at := range hot {
		if at%LineWords != 0 || at >= SchedWorker0 {
			t.Errorf("%s is at word %d", name, at)
		}
		if other, dup := lines[at/LineWords]; dup {
			t.Errorf("%s shares a line with %s", name, other)
		}
		lines[at/LineWords] = name
	}
	if SchedTotals+NumCounters > SchedMetrics {
		t.Error("the totals run into the next line")
	}
}

func TestInboxAndOutboxHaveRoom(t *testing.T) {
	if InboxSettings+NumSettings > InboxRing {
		t.Error("the settings run into the command ring")
	}
	if OutCounters+NumCounters > OutboxRing {
		t.Error("the counters run into the acknowledgements")
	}
	if got, want := InboxWords(4), InboxRing+CommandRing*CommandWords+BreakWords+4*InboxEntryWords; got != want {
		t.Errorf("an inbox of 4 entries has %d words, want %d", got, want)
	}
	if got, want := CompletionsAt(4), OutStamps+4; got < want || got >= want+LineWords || got%LineWords != 0 {
		t.Errorf("an outbox of 4 completions has %d words, want %d", got, want)
	}
	if CmdWorker >= CommandWords || AckDetail >= AckWords || CompletionWorker >= CompletionWords {
		t.Error("a record has more words than its size")
	}
}
