package units

import (
	"strconv"
	"strings"
	"time"
)

// ParsePosition reads a time since launch: a duration such as 300ms or 1m2.5s, or what Clock prints.
func ParsePosition(s string) (time.Duration, bool) {
	if d, err := time.ParseDuration(s); err == nil {
		return d, d >= 0
	}
	return parseClock(strings.TrimSuffix(s, "s"))
}

// parseClock reads [[hours:]minutes:]seconds, with a fraction if wanted.
func parseClock(s string) (time.Duration, bool) {
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
