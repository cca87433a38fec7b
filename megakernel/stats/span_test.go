package stats

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vyretop/megakernel"
)

const ms = time.Millisecond

func yield(worker, lane uint16, pass uint64) megakernel.LogRecord {
	return megakernel.LogRecord{Format: megakernel.LogEventBase + uint32(megakernel.EventYield), Worker: worker, Lane: lane, Time: pass}
}

func TestActivationsArePlacedByTheHeartbeatsOfTheirWorkers(t *testing.T) {
	message := megakernel.LogRecord{Worker: 0, Time: 15}
	records := []megakernel.LogRecord{
		yield(0, 0, 10), yield(0, 0, 10), yield(0, 1, 10), yield(1, 0, 102), message,
		yield(0, 0, 9), yield(0, 0, 25), yield(7, 0, 1), // before, after, and of an unknown worker
	}
	c := SpanClock{From: 10 * ms, To: 20 * ms, First: []uint32{10, 100}, Last: []uint32{20, 104}}
	var got []string
	for s := range new(Placer).Place(&c, records) {
		got = append(got, fmt.Sprintf("%v %v-%v", s.Ended(), s.Begin, s.End))
	}
	want := []string{
		"true 10ms-10.5ms", "true 10.5ms-11ms", "true 10ms-11ms", "true 15ms-17.5ms", "false 15ms-16ms",
		"true 10ms-10ms", "true 20ms-20ms", "true 20ms-20ms",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

// Whatever the words are, spans lie between the two snapshots, and those of a lane in their order do not overlap.
func TestSpansOfALaneFollowEachOther(t *testing.T) {
	var p Placer
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.Uint32(), 0, 3)
		c := SpanClock{From: ms, To: ms + time.Duration(rapid.IntRange(0, 1e9).Draw(t, "length")), First: words.Draw(t, "first"), Last: words.Draw(t, "last")}
		pass, step := rapid.Uint32().Draw(t, "pass"), rapid.SliceOfN(rapid.Uint32Range(0, 3), 1, 40).Draw(t, "steps")
		var records []megakernel.LogRecord
		for _, s := range step {
			pass += s
			records = append(records, yield(0, 0, uint64(pass)))
		}
		last := c.From
		for s := range p.Place(&c, records) {
			if s.Begin < last || s.End < s.Begin || s.End > c.To {
				t.Fatalf("%v to %v after %v, until %v", s.Begin, s.End, last, c.To)
			}
			last = s.End
		}
	})
}
