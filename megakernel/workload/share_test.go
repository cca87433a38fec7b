package workload

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestEveryUnitIsFinishedOnce: whatever hosts take, finish and lose, no two hold a unit at the same time, each is finished once, and
// none is forgotten.
func TestEveryUnitIsFinishedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, hosts := rapid.IntRange(0, 40).Draw(t, "units"), rapid.IntRange(1, 4).Draw(t, "hosts")
		u := NewUnits(n, hosts)
		held, finished, alive := make([][]int, hosts), map[int]bool{}, hosts
		dead := make([]bool, hosts)
		for step := 0; len(finished) < n; step++ {
			host := rapid.IntRange(0, hosts-1).Draw(t, "host")
			if dead[host] {
				continue
			}
			if alive > 1 && rapid.IntRange(0, 9).Draw(t, "loss") == 0 {
				changed := u.Changed()
				lost := u.Lose(host, nil)
				slices.Sort(lost)
				if !slices.Equal(lost, slices.Sorted(slices.Values(held[host]))) {
					t.Fatalf("host %d held %v, lost %v", host, held[host], lost)
				}
				select {
				case <-changed:
				default:
					if len(lost) > 0 {
						t.Fatal("no host is told of units that came back")
					}
				}
				dead[host], held[host] = true, nil
				alive--
				continue
			}
			least, most := rapid.IntRange(0, 3).Draw(t, "least"), rapid.IntRange(0, 8).Draw(t, "most")
			taken := u.Take(host, least, most)
			if len(taken) > most {
				t.Fatalf("asked for %d units, got %v", most, taken)
			}
			for _, unit := range taken {
				if finished[unit] || slices.ContainsFunc(held, func(h []int) bool { return slices.Contains(h, unit) }) {
					t.Fatalf("unit %d is given out again", unit)
				}
			}
			held[host] = append(held[host], taken...)
			if len(held[host]) > 0 {
				unit := held[host][0]
				held[host] = held[host][1:]
				u.Finish(host, unit)
				finished[unit] = true
			}
			if u.Ended() != (len(finished) == n) {
				t.Fatalf("%d of %d units are finished, ended is %v", len(finished), n, u.Ended())
			}
		}
		select {
		case <-u.Changed():
		default:
			t.Fatal("no host is told that all units are finished")
		}
	})
}

// TestHostsGetPartsThatShrink: a single host gets all that it asks for, several leave something for the others.
func TestHostsGetPartsThatShrink(t *testing.T) {
	if got := NewUnits(100, 1).Take(0, 0, 100); len(got) != 100 {
		t.Errorf("a single host gets %d of 100", len(got))
	}
	u := NewUnits(100, 2)
	var sizes []int
	for range 4 {
		sizes = append(sizes, len(u.Take(0, 10, 100)))
	}
	if want := []int{25, 19, 6, 0}; !slices.Equal(sizes, want) {
		t.Errorf("parts of %v, want %v", sizes, want)
	}
}
