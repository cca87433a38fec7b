package units

import (
	"math"
	"time"
)

// Milliseconds keeps microseconds; more digits would be noise.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// most stands for infinity, which JSON has no number for.
const most = 1e300

// Digits keeps four of them: a measured rate has no more.
func Digits(v float64) float64 {
	if v == 0 {
		return 0
	}
	v = min(v, most)
	unit := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*unit) / unit
}
