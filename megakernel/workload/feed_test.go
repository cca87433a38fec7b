package workload

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestAFeedHandsOutWhatItIsGiven: units come from the feed only, each once, and hosts are told when no more will come.
func TestAFeedHandsOutWhatItIsGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total, hosts := rapid.IntRange(1, 40).Draw(t, "units"), rapid.IntRange(1, 3).Draw(t, "hosts")
		var finished []int
		f := NewFeed(func(unit int) { finished = append(finished, unit) })
		u := NewUnits(total, hosts)
		u.Feed(f)
		<-f.Ready()
		if got := u.Take(0, 1, total); len(got) > 0 {
			t.Fatalf("without a feed there are %v", got)
		}
		<-f.Hungry()
		mine := rapid.IntRange(0, total-1).Draw(t, "mine")
		var want, put []int
		for i := range mine {
			put = append(put, i)
			if len(put) == 3 || i == mine-1 {
				changed := u.Changed()
				f.Put(put)
				<-changed
				want, put = append(want, put...), nil
			}
		}
		for host := 0; len(finished) < mine; host = (host + 1) % hosts {
			for _, unit := range u.Take(host, 1, 2) {
				u.Finish(host, unit)
				u.Finish(host, unit) // a second time is ignored
			}
		}
		slices.Sort(finished)
		if !slices.Equal(finished, want) || u.Ended() {
			t.Fatalf("finished %v, given %v, ended %v", finished, want, u.Ended())
		}
		changed := u.Changed()
		f.End()
		<-changed
		f.End()
		f.Put([]int{0})
		if !u.Ended() || len(u.Take(0, 1, 9)) > 0 {
			t.Error("units come behind the end")
		}
	})
}
