package speculate_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine/speculate"
)

const huge = math.MaxUint64

func TestDecide(t *testing.T) {
	tests := []struct {
		name               string
		plain, speculative speculate.Side
		compile            uint64
		want               speculate.Verdict
	}{
		{"too few plain", speculate.Side{7, 100}, speculate.Side{8, 1}, 0, speculate.KeepRacing},
		{"too few speculative", speculate.Side{8, 100}, speculate.Side{7, 1000}, 0, speculate.KeepRacing},
		{"saves 15 %", speculate.Side{8, 100}, speculate.Side{8, 85}, 0, speculate.Adopt},
		{"saves 14 %", speculate.Side{8, 100}, speculate.Side{8, 86}, 0, speculate.KeepRacing},
		{"as long", speculate.Side{8, 100}, speculate.Side{8, 100}, 0, speculate.Reject},
		{"compiling is spread", speculate.Side{8, 100}, speculate.Side{10, 80}, 50, speculate.Adopt},
		{"compiling costs too much", speculate.Side{8, 100}, speculate.Side{10, 80}, 200, speculate.Reject},
		{"not measured", speculate.Side{8, 0}, speculate.Side{8, 1}, 0, speculate.KeepRacing},
		{"large times", speculate.Side{8, huge}, speculate.Side{8, huge / 2}, 0, speculate.Adopt},
		{"sum saturates", speculate.Side{8, huge}, speculate.Side{8, huge}, huge, speculate.Reject},
	}
	for _, tt := range tests {
		if got := speculate.Decide(tt.plain, tt.speculative, tt.compile); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestWindow(t *testing.T) {
	var w speculate.Window
	if plain, speculative, compile := w.Sides(); plain != (speculate.Side{}) || speculative != (speculate.Side{}) || compile != 0 || w.Verdict() != speculate.KeepRacing {
		t.Errorf("empty: %v, %v, %d", plain, speculative, compile)
	}
	for i := range uint64(8) {
		w.Add(&speculate.Sample{Plain: 100 + i, Speculative: 50, PlainExtra: 1, Compile: i * 20})
	}
	plain, speculative, compile := w.Sides()
	if plain != (speculate.Side{8, 103}) || speculative != (speculate.Side{8, 50}) || compile != 560 {
		t.Errorf("%v, %v, %d", plain, speculative, compile)
	}
	// 101 against 50, 102 against 70, 103 against 90: from the fourth on compiling costs more than it saves.
	if plain, fused := w.Wins(); plain != 5 || fused != 3 || w.Verdict() != speculate.Reject {
		t.Errorf("%d plain wins, %d speculative, %v", plain, fused, w.Verdict())
	}
	s := speculate.Sample{Plain: huge, PlainExtra: huge, Speculative: 1}
	if fused, saved := s.Winner(); !fused || saved != huge-1 {
		t.Errorf("saturated: %v by %d", fused, saved)
	}
}

func TestReport(t *testing.T) {
	r, ok := speculate.ParseReport([]byte{9, 9, 9, 9, 3, 0, 0, 0, 1, 1, 0, 0})
	if !ok || r != (speculate.Report{Committed: 3, RolledBack: 257}) || r.Total() != 260 || r.Ppm() != 11538 {
		t.Errorf("%+v, %v, %d ppm", r, ok, r.Ppm())
	}
	for _, n := range []int{0, 4, 7, 9, 10, 11} {
		if _, ok := speculate.ParseReport(make([]byte, n)); ok {
			t.Errorf("%d bytes have a report", n)
		}
	}
	half := speculate.Report{Committed: 1, RolledBack: 1}
	if !half.Worthwhile(50) || half.Worthwhile(51) || (speculate.Report{}).Ppm() != 0 {
		t.Error("half is not half")
	}
}

// TestAdaptiveSwitches: off when little is committed, on again when much is, and neither at the threshold.
func TestAdaptiveSwitches(t *testing.T) {
	a := speculate.NewAdaptive(50)
	good, bad := speculate.Report{Committed: 9, RolledBack: 1}, speculate.Report{RolledBack: 10}
	if a.Add(speculate.Report{}); !a.On() || a.Samples() != 0 || a.Rate() != a.Threshold() {
		t.Errorf("a report of nothing: %+v", a)
	}
	if a.Add(bad); !a.On() { // 375000 is three quarters of the threshold
		t.Error("switched off at the edge")
	}
	if a.Add(bad); a.On() {
		t.Error("still on")
	}
	for a.Rate() < 625_000 {
		if a.On() {
			t.Fatalf("on at %d", a.Rate())
		}
		a.Add(good)
	}
	if !a.On() {
		t.Errorf("off at %d", a.Rate())
	}
}

// TestAdaptiveStaysInRange whatever is reported.
func TestAdaptiveStaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pct := rapid.Uint32().Draw(t, "threshold")
		a := speculate.NewAdaptive(pct)
		for range rapid.IntRange(0, 60).Draw(t, "reports") {
			a.Add(speculate.Report{Committed: rapid.Uint32().Draw(t, "committed"), RolledBack: rapid.Uint32().Draw(t, "rolled back")})
			if a.Rate() > max(a.Threshold(), 1_000_000) {
				t.Fatalf("rate %d", a.Rate())
			}
		}
	})
}

func TestPersistent(t *testing.T) {
	tests := []struct {
		batch            uint32
		perLaunch, setup uint64
		saved            uint64 // 0: separate launches
	}{
		{0, 5, 0, 0}, {1, 5, 0, 0}, {2, 0, 0, 0}, {10, 5, 50, 0}, {10, 5, 49, 1}, {100, 25_000, 250_000, 2_250_000},
		{math.MaxUint32, huge, huge, huge}, {2, huge, huge, huge}, {3, 1 << 63, huge, 1<<63 + 1},
	}
	for _, tt := range tests {
		persistent, saved := speculate.Persistent(tt.batch, tt.perLaunch, tt.setup)
		if saved != tt.saved || persistent != (tt.saved > 0) {
			t.Errorf("%+v: %v, saves %d", tt, persistent, saved)
		}
	}
}
