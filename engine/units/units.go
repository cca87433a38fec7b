// Package units owns how numbers look on screen: short, at most a fixed number of columns wide, so
// that a column of them never moves as they change, and always with their unit; and what documents keep of
// measured numbers.
package units

import (
	"fmt"
	"strconv"
	"time"
)

// Widths that the functions below never exceed, in columns.
const (
	CountWidth    = 5
	DurationWidth = 6
	HexWidth      = 10
)

var prefixes = []struct {
	at     uint64
	letter byte
}{{1e18, 'E'}, {1e15, 'P'}, {1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}}

// AppendCount writes v in at most CountWidth columns: digits up to 99999, then three significant
// digits, rounded to the nearest, with an SI prefix.
func AppendCount(dst []byte, v uint64) []byte {
	if v < 100_000 {
		return strconv.AppendUint(dst, v, 10)
	}
	i := 0
	for v < prefixes[i].at {
		i++
	}
	decimals, step := 2, prefixes[i].at/100
	for ; v/step >= 1000; step *= 10 {
		decimals--
	}
	digits := v / step
	if v%step >= step/2 {
		digits++
	}
	if digits == 1000 {
		digits, decimals = 100, decimals-1
	}
	if decimals < 0 {
		decimals, i = 2, i-1
	}
	return append(appendDecimal(dst, digits, decimals), prefixes[i].letter)
}

// Bytes is an amount of bytes, with three significant digits from 100,000 on.
func Bytes(n int64) string {
	b := AppendCount(nil, uint64(max(n, 0)))
	if last := len(b) - 1; b[last] > '9' {
		b = append(b[:last], ' ', b[last], 'B')
		return string(b)
	}
	return string(b) + " bytes"
}

// appendDecimal writes three digits, some of them behind a point.
func appendDecimal(dst []byte, digits uint64, decimals int) []byte {
	for place, unit := 2, uint64(100); place >= 0; place, unit = place-1, unit/10 {
		dst = append(dst, '0'+byte(digits/unit%10))
		if place == decimals && place > 0 {
			dst = append(dst, '.')
		}
	}
	return dst
}

// Count is AppendCount as a string.
func Count(v uint64) string { return string(AppendCount(nil, v)) }

// Extent is how the coordinates of a workgroup, or the sizes of a grid, are written: "0,0,0", as they are typed in flags.
func Extent(v [3]uint32) string { return fmt.Sprintf("%d,%d,%d", v[0], v[1], v[2]) }

// Plural is a number of things: "1 task", "3 tasks".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// AppendRate writes a rate of events per second in at most CountWidth columns, without the unit:
// one decimal below 10, else as AppendCount does.
func AppendRate(dst []byte, perSecond float64) []byte {
	if perSecond < 9.95 && perSecond > 0 {
		return strconv.AppendFloat(dst, perSecond, 'f', 1, 64)
	}
	return AppendCount(dst, uint64(max(perSecond, 0)+0.5))
}

// Rate is a rate of events per second without the unit: as AppendRate writes it from 1000 on, and with four digits below that, which a
// comparison of two rates needs.
func Rate(perSecond float64) string {
	if perSecond >= 999.5 {
		return string(AppendRate(nil, perSecond))
	}
	return strconv.FormatFloat(Digits(perSecond), 'f', -1, 64)
}

// maxDays keeps a duration within DurationWidth; no target runs that long.
const maxDays = 99_999

// AppendDuration writes d in at most DurationWidth columns: "87ns", "4us", "312ms", "12.4s",
// "3m07s", "5h02m", "12d". Negative durations count as 0.
func AppendDuration(dst []byte, d time.Duration) []byte {
	d = max(d, 0)
	switch {
	case d < time.Microsecond:
		return append(strconv.AppendInt(dst, int64(d), 10), "ns"...)
	case d < time.Millisecond:
		return append(strconv.AppendInt(dst, d.Microseconds(), 10), "us"...)
	case d < time.Second:
		return append(strconv.AppendInt(dst, d.Milliseconds(), 10), "ms"...)
	case d < 100*time.Second:
		return append(strconv.AppendFloat(dst, float64(d/(100*time.Millisecond))/10, 'f', 1, 64), 's')
	case d < 100*time.Minute:
		return appendPair(dst, int64(d/time.Minute), 'm', int64(d/time.Second%60), 's')
	case d < 100*time.Hour:
		return appendPair(dst, int64(d/time.Hour), 'h', int64(d/time.Minute%60), 'm')
	default:
		return append(strconv.AppendInt(dst, min(int64(d/(24*time.Hour)), maxDays), 10), 'd')
	}
}

// AppendAge writes how long ago something was, in at most DurationWidth columns and no finer than
// milliseconds: what is read in samples is not known better.
func AppendAge(dst []byte, d time.Duration) []byte {
	if d < time.Second {
		return append(strconv.AppendInt(dst, max(d, 0).Milliseconds(), 10), "ms"...)
	}
	return AppendDuration(dst, d)
}

// Age is AppendAge as a string.
func Age(d time.Duration) string { return string(AppendAge(nil, d)) }

func appendPair(dst []byte, a int64, ua byte, b int64, ub byte) []byte {
	dst = append(strconv.AppendInt(dst, a, 10), ua)
	return append(dst, '0'+byte(b/10), '0'+byte(b%10), ub)
}

// Duration is AppendDuration as a string.
func Duration(d time.Duration) string { return string(AppendDuration(nil, d)) }

// AppendClock writes a position in time as mm:ss.t, with hours in front from one hour on.
func AppendClock(dst []byte, d time.Duration) []byte { return AppendClockTo(dst, d, 1) }

// AppendClockTo is AppendClock with another number of decimals, from 1 to 9.
func AppendClockTo(dst []byte, d time.Duration, decimals int) []byte {
	d = max(d, 0)
	if h := int64(d / time.Hour); h > 0 {
		dst = append(strconv.AppendInt(dst, h, 10), ':')
	}
	m, s := byte(d/time.Minute%60), byte(d/time.Second%60)
	dst = append(dst, '0'+m/10, '0'+m%10, ':', '0'+s/10, '0'+s%10, '.')
	for unit := time.Second / 10; decimals > 0; decimals, unit = decimals-1, unit/10 {
		dst = append(dst, '0'+byte(d/unit%10))
	}
	return dst
}

// AppendSpan writes a time with three digits behind the point of its unit: "1.250ms".
func AppendSpan(dst []byte, d time.Duration) []byte {
	unit, name := time.Microsecond, "us"
	switch {
	case d >= time.Second:
		unit, name = time.Second, "s"
	case d >= time.Millisecond:
		unit, name = time.Millisecond, "ms"
	}
	return append(strconv.AppendFloat(dst, float64(d)/float64(unit), 'f', 3, 64), name...)
}

// Clock is AppendClock as a string.
func Clock(d time.Duration) string { return string(AppendClock(nil, d)) }

const hexDigits = "0123456789abcdef"

// AppendHex writes v as 0x and eight digits.
func AppendHex(dst []byte, v uint32) []byte {
	dst = append(dst, "0x"...)
	for shift := 28; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[v>>shift&15])
	}
	return dst
}

// AppendWord writes v in hex (as AppendHex) or in decimal.
func AppendWord(dst []byte, v uint32, hex bool) []byte {
	if hex {
		return AppendHex(dst, v)
	}
	return strconv.AppendUint(dst, uint64(v), 10)
}

// AppendPercent writes a share of 0..1 as "0%".."100%"; values outside are clamped.
func AppendPercent(dst []byte, share float64) []byte {
	return append(strconv.AppendInt(dst, int64(min(max(share, 0), 1)*100+0.5), 10), '%')
}

// AppendIndex writes the number of a word or slot in decimal, or in hexadecimal without padding.
func AppendIndex(dst []byte, i int, hex bool) []byte {
	if hex {
		return strconv.AppendInt(append(dst, "0x"...), int64(i), 16)
	}
	return strconv.AppendInt(dst, int64(i), 10)
}

// AppendSeconds writes a span in whole seconds, "12s".
func AppendSeconds(dst []byte, d time.Duration) []byte {
	return append(strconv.AppendInt(dst, int64((d+time.Second/2)/time.Second), 10), 's')
}

// Parse reads a number of at most that many bits as people type it: decimal, also behind zeros that were there before, or with
// 0x, 0o or 0b in front.
func Parse(text string, bits int) (uint64, error) {
	if len(text) > 1 && text[0] == '0' && '0' <= text[1] && text[1] <= '9' {
		return strconv.ParseUint(text, 10, bits)
	}
	return strconv.ParseUint(text, 0, bits)
}
