package layout

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/tui/cells"
)

var wants = []Want{{}, {Log: true}, {Detail: true}, {Log: true, Detail: true}, {Log: true, Detail: true, Counts: 3, Scrub: true}, {Counts: 8},
	{Log: true, Detail: true, Counts: 3, Scrub: true, Sizes: Sizes{DetailPane: MaxDetail, LogPane: 1000, StripPane: 1000}},
	{Log: true, Detail: true, Counts: 3, Scrub: true, Sizes: Sizes{Hidden, Hidden, Hidden}},
	{Log: true, Detail: true, Counts: 3, Scrub: true, Sizes: Sizes{1, 1, 1}}, {Log: true, Detail: true, Strip: 1}, {Strip: 1000},
}

func (l *Layout) parts() map[string]cells.Rect {
	return map[string]cells.Rect{
		"header": l.Header, "charts": l.Charts, "tabs": l.Tabs, "counts": l.Counts, "scrub": l.Scrub, "main": l.Main,
		"detail": l.Detail, "strip": l.Strip, "log": l.Log, "footer": l.Footer,
	}
}

// Every part is inside the screen, no two overlap, and together they leave no gap.
func TestPartsTileTheScreen(t *testing.T) {
	for w := 1; w <= 250; w++ {
		for h := 1; h <= 80; h++ {
			for _, want := range wants {
				l := Compute(w, h, want)
				checkTiling(t, w, h, &l)
			}
		}
	}
}

func checkTiling(t *testing.T, w, h int, l *Layout) {
	t.Helper()
	parts, area := l.parts(), 0
	for name, r := range parts {
		if r.Empty() {
			continue
		}
		area += r.W * r.H
		if r.X < 0 || r.Y < 0 || r.X+r.W > w || r.Y+r.H > h {
			t.Fatalf("%dx%d: %s %+v leaves the screen", w, h, name, r)
		}
		for other, o := range parts {
			if other != name && !r.Intersect(o).Empty() {
				t.Fatalf("%dx%d: %s %+v overlaps %s %+v", w, h, name, r, other, o)
			}
		}
	}
	if l.Kind != Status && area != w*h {
		t.Fatalf("%dx%d: parts cover %d of %d cells", w, h, area, w*h)
	}
	if l.Header.Empty() || (l.Kind != Status && (l.Main.Empty() || l.Footer.Empty() || l.Tabs.Empty())) {
		t.Fatalf("%dx%d: an essential part is missing: %+v", w, h, l)
	}
}

func TestReferenceSizeIsComplete(t *testing.T) {
	got := Compute(80, 24, Want{Log: true, Detail: true, Counts: 3})
	want := Layout{
		Kind:   Full,
		Header: cells.Rect{W: 80, H: 2},
		Charts: cells.Rect{Y: 2, W: 80, H: 2},
		Tabs:   cells.Rect{Y: 4, W: 80, H: 1},
		Counts: cells.Rect{Y: 5, W: 80, H: 3},
		Main:   cells.Rect{Y: 8, W: 80, H: 10},
		Log:    cells.Rect{Y: 18, W: 80, H: 5},
		Footer: cells.Rect{Y: 23, W: 80, H: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLargerScreensAddParts(t *testing.T) {
	for _, tc := range []struct {
		w, h          int
		detail, strip bool
	}{{119, 24, false, false}, {120, 24, true, false}, {160, 44, true, false}, {159, 45, true, false}, {160, 45, true, true}} {
		l := Compute(tc.w, tc.h, Want{Log: true, Detail: true})
		if l.Detail.Empty() == tc.detail || l.Strip.Empty() == tc.strip {
			t.Errorf("%dx%d: detail %+v strip %+v", tc.w, tc.h, l.Detail, l.Strip)
		}
	}
}

func TestSmallScreensDegrade(t *testing.T) {
	for _, tc := range []struct {
		w, h int
		kind Kind
	}{{0, 0, Status}, {-3, 500, Status}, {1, 1, Status}, {39, 24, Status}, {40, 7, Status}, {40, 8, Small}, {79, 24, Small}, {80, 23, Small}, {80, 24, Full}} {
		if got := Compute(tc.w, tc.h, Want{}).Kind; got != tc.kind {
			t.Errorf("%dx%d: kind %d, want %d", tc.w, tc.h, got, tc.kind)
		}
	}
}

func TestStripTakesNoMoreThanItFills(t *testing.T) {
	for most, want := range map[int]int{0: 10, 1: MinPane, 4: 4, 10: 10, 300: 10} {
		if got := Compute(200, 60, Want{Strip: most}).Strip.H; got != want {
			t.Errorf("%d rows for a strip that can fill %d, want %d", got, most, want)
		}
	}
}
