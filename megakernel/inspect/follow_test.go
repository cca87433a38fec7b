package inspect

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/remote"
)

// TestWhatIsMissedIsSaid: a stream over a hub that had been away ended, and one that comes back must say what it does not have.
func TestWhatIsMissedIsSaid(t *testing.T) {
	snapshot := func(seq uint64, at time.Duration) *fixtures.StreamMessage {
		return &fixtures.StreamMessage{Snapshot: &megakernel.Snapshot{Seq: seq, Taken: at}}
	}
	records := func(numbers ...uint64) *fixtures.StreamMessage {
		m := &fixtures.StreamMessage{}
		for _, n := range numbers {
			m.Log = append(m.Log, megakernel.LogRecord{Number: n})
		}
		return m
	}
	link := func(text string) *fixtures.StreamMessage {
		return &fixtures.StreamMessage{Event: &megakernel.HostEvent{Kind: remote.LinkKind, Text: text}}
	}
	for name, tt := range map[string]struct {
		interval time.Duration
		messages []*fixtures.StreamMessage
		told     []string
	}{
		"every snapshot": {0, []*fixtures.StreamMessage{
			records(0, 1), snapshot(3, time.Second), link("lost: gone"), link(remote.LinkAgain), records(5, 6), snapshot(8, 4*time.Second),
		}, []string{"gate: lost: gone; trying to connect again", "gate: connected again after 3.0 s: 4 snapshots and 3 log records missed"}},
		"one a second": {time.Second, []*fixtures.StreamMessage{
			snapshot(3, time.Second), link("lost: gone"), link(remote.LinkAgain), snapshot(80, 3500*time.Millisecond),
		}, []string{"gate: lost: gone; trying to connect again", "gate: connected again after 2.5 s: 2 snapshots and 0 log records missed"}},
		"lost once more": {0, []*fixtures.StreamMessage{
			snapshot(3, time.Second), link("lost: gone"), link(remote.LinkAgain), link("lost: gone"), link(remote.LinkAgain), snapshot(5, 2*time.Second),
		}, []string{"gate: lost: gone; trying to connect again", "gate: lost: gone; trying to connect again", "gate: connected again after 1.0 s: 1 snapshots and 0 log records missed"}},
		"what the device lost": {0, []*fixtures.StreamMessage{records(0), snapshot(1, 0), records(7), snapshot(2, 1)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var told []string
			o := outages{name: "gate", interval: tt.interval, told: func(text string) { told = append(told, text) }}
			snapshots := 0
			for _, m := range tt.messages {
				for _, out := range o.take(m) {
					if out.Snapshot != nil {
						snapshots++
					}
				}
			}
			if diff := cmp.Diff(tt.told, told); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			if snapshots == 0 {
				t.Error("no snapshot was given on")
			}
		})
	}
}
