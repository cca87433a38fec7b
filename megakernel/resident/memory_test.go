package resident_test

import (
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// growth watches the memory of the process during a long test.
type growth struct{ samples []memory }

type memory struct{ seconds, heap, rss float64 } // bytes

// What may come on top over the whole test, however long it is: what the first half has not warmed up
// yet, and what a collector and an allocator leave lying about.
const (
	maxHeapGrowth = 2 << 20
	maxRSSGrowth  = 48 << 20
)

func (g *growth) sample(t *testing.T, at time.Duration) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	g.samples = append(g.samples, memory{at.Seconds(), float64(m.HeapAlloc), residentBytes(t)})
}

// check fails when the straight line through the samples of the second half rises by more than it may.
func (g *growth) check(t *testing.T) {
	late := g.samples[len(g.samples)/2:]
	if len(late) < 3 {
		t.Logf("memory was looked at %d times: too few to tell whether it grows", len(g.samples))
		return
	}
	over := late[len(late)-1].seconds - late[0].seconds
	for _, c := range []struct {
		name  string
		limit float64
		of    func(memory) float64
	}{
		{"Go heap", maxHeapGrowth, func(m memory) float64 { return m.heap }},
		{"resident set", maxRSSGrowth, func(m memory) float64 { return m.rss }},
	} {
		slope := slope(late, c.of)
		t.Logf("%s: %.1f MB at the end, %+.3f MB in the last %.0f s (%d samples)", c.name, c.of(late[len(late)-1])/1e6, slope*over/1e6, over, len(late))
		if slope*over > c.limit {
			t.Errorf("%s: grows by %.0f bytes a second", c.name, slope)
		}
	}
}

// slope is that of the least-squares line of y over time.
func slope(samples []memory, y func(memory) float64) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, m := range samples {
		n, sx, sy = n+1, sx+m.seconds, sy+y(m)
		sxx, sxy = sxx+m.seconds*m.seconds, sxy+m.seconds*y(m)
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// residentBytes is the resident set of this process.
func residentBytes(t *testing.T) float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return float64(pages * os.Getpagesize())
}

func TestGrowthIsSeen(t *testing.T) {
	rising := make([]memory, 20)
	for i := range rising {
		rising[i] = memory{seconds: float64(i), heap: float64(5 * i), rss: 7}
	}
	slices.Reverse(rising) // in whatever order
	if got := slope(rising, func(m memory) float64 { return m.heap }); math.Abs(got-5) > 1e-9 {
		t.Errorf("slope %v, want 5", got)
	}
	if got := slope(rising, func(m memory) float64 { return m.rss }); math.Abs(got) > 1e-9 {
		t.Errorf("slope %v, want 0", got)
	}
}
