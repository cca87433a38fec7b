package bench

import (
	"strings"
	"testing"

	"vyretop/engine"
)

func TestNumbersForPeople(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{three(0), "0"}, {three(0.1234), "0.12"}, {three(-1.2345), "-1.23"}, {three(12.345), "12.3"}, {three(123456), "123456"},
		{three(0.9999), "1.00"}, {three(99.96), "100"}, {three(0.00001), "1e-05"},
		{micro(0.0404), "40.4 ns"}, {micro(1), "1.00 us"}, {micro(999.6), "1.00 ms"}, {micro(2.5e6), "2.50 s"}, {micro(5e9), "5000 s"},
		{quantity(12.5e6, "tasks/s"), "12.5 Mtasks/s"}, {quantity(3, "tasks/s"), "3.00 tasks/s"}, {quantity(7e12, "tasks/s"), "7000 Gtasks/s"},
		{quantity(-0.5, "%"), "-0.5 %"}, {quantity(-3, "us"), "-3.00 us"}, {quantity(45.9, "us"), "45.9 us"},
		{count(LatencySamples), "100000"}, {count(12), "12 (few)"}, {plural(1, "CPU"), "1 CPU"}, {plural(3, "worker"), "3 workers"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
	for in, want := range map[float64]float64{1234567: 1235000, 0.123456: 0.1235, -9.99999: -10, 0: 0} {
		if got := round(in); got != want {
			t.Errorf("round(%v) = %v, want %v", in, got, want)
		}
	}
}

func TestGridAlignsItsColumns(t *testing.T) {
	var g grid
	g.add("name", "n", "note")
	g.add("a", "1000", "")
	g.add("äöü", "1", "x")
	var b strings.Builder
	if err := g.write(&b); err != nil {
		t.Fatal(err)
	}
	const want = "name     n  note\na     1000\näöü      1  x\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestRatiosOfMetrics(t *testing.T) {
	fast, slow := Metric{Unit: "us", Quantiles: &Quantiles{P50: 2}}, Metric{Unit: "us", Quantiles: &Quantiles{P50: 10}}
	slow.also(tasksPerS, 100)
	fed, nothing := Metric{Unit: "tasks/s"}, Metric{Unit: "tasks/s"}
	fed.Value = engine.Known(50.0)
	for name, tt := range map[string]struct {
		a, b Metric
		want float64
		ok   bool
	}{
		"latencies":       {fast, slow, 5, true},
		"rate of batches": {fed, slow, 0.5, true},
		"no value":        {fed, nothing, 0, false},
		"latency alone":   {fed, fast, 0, false},
	} {
		if got, ok := tt.a.timesBetter(&tt.b); got != tt.want || ok != tt.ok {
			t.Errorf("%s: %v %v, want %v %v", name, got, ok, tt.want, tt.ok)
		}
	}
}
