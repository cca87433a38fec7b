//go:build egl

package rerun

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// usage is the processor time that was used so far, in seconds, and when that was.
type usage struct {
	all, own float64
	at       time.Time
}

// userTicks is how many ticks a second has in /proc/stat.
const userTicks = 100

// usedNow is what the machine and this process have used.
func usedNow(b *testing.B) usage {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		b.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	var ticks float64
	for i, word := range strings.Fields(line) { // cpu user nice system idle iowait irq softirq steal
		if n, err := strconv.ParseFloat(word, 64); err == nil && i <= 8 && i != 4 && i != 5 {
			ticks += n
		}
	}
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		b.Fatal(err)
	}
	return usage{all: ticks / userTicks, own: float64(own.Utime.Nano()+own.Stime.Nano()) / 1e9, at: time.Now()}
}

// othersSince is how many processors other processes kept busy.
func (u usage) othersSince(before usage) float64 {
	return max(0, (u.all-before.all)-(u.own-before.own)) / u.at.Sub(before.at).Seconds()
}
