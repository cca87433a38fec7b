package units

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestCount(t *testing.T) {
	for v, want := range map[uint64]string{
		0: "0", 99_999: "99999", 100_000: "100k", 999_499: "999k", 999_500: "1.00M", 1_000_000: "1.00M", 12_345_678: "12.3M",
		127_562_029: "128M", 9_994_999: "9.99M", 9_995_000: "10.0M", 99_950_000: "100M", 999_999_999: "1.00G", 1_050_000_000: "1.05G", 1<<64 - 1: "18.4E",
	} {
		if got := Count(v); got != want {
			t.Errorf("Count(%d) = %q, want %q", v, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{-1: "0 bytes", 0: "0 bytes", 99_999: "99999 bytes", 100_000: "100 kB", 1_500_000_000: "1.50 GB", 3 << 40: "3.30 TB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-1: "0ns", 87: "87ns", 4200: "4us", 312 * time.Millisecond: "312ms", 12_449 * time.Millisecond: "12.4s",
		187 * time.Second: "3m07s", 302 * time.Minute: "5h02m", 300 * time.Hour: "12d",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{-1: "0ms", 900: "0ms", 31_900_000: "31ms", 2 * time.Second: "2.0s"} {
		if got := Age(d); got != want {
			t.Errorf("Age(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "00:00.0", 12_560 * time.Millisecond: "00:12.5", 3_725 * time.Second: "1:02:05.0", -time.Second: "00:00.0",
	} {
		if got := Clock(d); got != want {
			t.Errorf("Clock(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestRate(t *testing.T) {
	for v, want := range map[float64]string{-3: "0", 0: "0", 0.04: "0.0", 9.94: "9.9", 9.96: "10", 123456: "123k"} {
		if got := string(AppendRate(nil, v)); got != want {
			t.Errorf("AppendRate(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestHexWordPercent(t *testing.T) {
	if got := string(AppendWord(nil, 0xbeef, true)); got != "0x0000beef" || len(got) != HexWidth {
		t.Errorf("hex %q", got)
	}
	if got := string(AppendWord(nil, 1<<32-1, false)); got != "4294967295" {
		t.Errorf("decimal %q", got)
	}
	for v, want := range map[float64]string{-1: "0%", 0.625: "63%", 2: "100%"} {
		if got := string(AppendPercent(nil, v)); got != want {
			t.Errorf("AppendPercent(%v) = %q, want %q", v, got, want)
		}
	}
}

// Columns of numbers must not move as the numbers change.
func TestWidthsAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if s := Count(rapid.Uint64().Draw(t, "count")); len(s) > CountWidth {
			t.Errorf("count %q is %d wide", s, len(s))
		}
		if s := string(AppendRate(nil, rapid.Float64Range(0, 1e18).Draw(t, "rate"))); len(s) > CountWidth {
			t.Errorf("rate %q is %d wide", s, len(s))
		}
		if s := Duration(time.Duration(rapid.Int64().Draw(t, "duration"))); len(s) > DurationWidth {
			t.Errorf("duration %q is %d wide", s, len(s))
		}
	})
}

// A zero in front, such as one that was in a line before somebody typed behind it, makes no number octal.
func TestNumbersAreReadAsTyped(t *testing.T) {
	for text, want := range map[string]uint64{"0": 0, "7": 7, "010": 10, "0099": 99, "0x1f": 31, "0o17": 15, "0b101": 5} {
		if n, err := Parse(text, 32); n != want || err != nil {
			t.Errorf("%s is read as %d, %v, want %d", text, n, err, want)
		}
	}
	for _, text := range []string{"", "-1", "0x", "99999999999", "1.5", "abc"} {
		if n, err := Parse(text, 32); err == nil {
			t.Errorf("%q is read as %d", text, n)
		}
	}
}

// TestRatesToCompare: a rate of 10,436 was written as 1.04e+04.
func TestRatesToCompare(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.123456: "0.1235", 9.94: "9.94", 998.2: "998.2", 999.5: "1000", 10_436.4: "10436", 523_400: "523k", 2.03e6: "2.03M"} {
		if got := Rate(v); got != want {
			t.Errorf("Rate(%v) = %q, want %q", v, got, want)
		}
	}
}
