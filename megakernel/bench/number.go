package bench

import (
	"fmt"
	"strconv"
	"strings"
)

// digits is how many significant digits a figure keeps; more would be noise.
const digits = 4

// round keeps the significant digits of a figure.
func round(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		panic("BUG: a formatted number does not parse: " + err.Error())
	}
	return r
}

// three shows a number with three digits, and without an exponent up to a million.
func three(v float64) string {
	switch a := max(v, -v); {
	case a >= 99.95 || a == 0:
		return fmt.Sprintf("%.0f", v)
	case a >= 9.995:
		return fmt.Sprintf("%.1f", v)
	case a >= 0.9995:
		return fmt.Sprintf("%.2f", v)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// scaled divides a number by thousands until it is below one, and gives the prefix for it.
func scaled(v float64, prefixes ...string) string {
	for _, p := range prefixes[:len(prefixes)-1] {
		if v < 999.5 {
			return three(v) + " " + p
		}
		v /= 1000
	}
	return three(v) + " " + prefixes[len(prefixes)-1]
}

// micro shows microseconds in the unit that suits.
func micro(v float64) string { return scaled(v*1e3, "ns", "us", "ms", "s") }

// quantity shows a value with its unit; rates get a decimal prefix.
func quantity(v float64, unit string) string {
	switch {
	case unit == "us" && v > 0:
		return micro(v)
	case strings.HasSuffix(unit, "/s"):
		return scaled(v, unit, "k"+unit, "M"+unit, "G"+unit)
	}
	return three(v) + " " + unit
}

// count shows a number of samples, and marks one that is too small for its quantiles.
func count(n int64) string {
	if n < LatencySamples {
		return fmt.Sprintf("%d (few)", n)
	}
	return strconv.FormatInt(n, 10)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
