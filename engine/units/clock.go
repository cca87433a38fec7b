package units

import (
	"strconv"
	"strings"
	"time"
)

// ParseClock reads [[hours:]minutes:]seconds, with a fraction if wanted.
func ParseClock(s string) (time.Duration, bool) {
	parts := strings.Split(s, ":")
	if len(parts) > 3 {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(parts[len(parts)-1], 64)
	if err != nil || !(seconds >= 0 && seconds < 1e6) {
		return 0, false
	}
	total, unit := seconds, 60.0
	for i := len(parts) - 2; i >= 0; i-- {
		n, err := strconv.ParseUint(parts[i], 10, 16)
		if err != nil {
			return 0, false
		}
		total += float64(n) * unit
		unit *= 60
	}
	return time.Duration(total * float64(time.Second)), true
}
