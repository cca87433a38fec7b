package tui

import (
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/recommend"
	"vyretop/megakernel/tune"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// What looking costs is measured by looking and not looking in turns, and is said with its interval.
func TestObserverEffect(t *testing.T) {
	f := newFake()
	d := newDriver(t, 160, 40, Options{Source: f, Sink: f})
	d.keys("O")
	d.wantOnScreen("overhead")
	if d.m.control.effect == nil || d.m.control.effect.Pairs != measurePairs {
		t.Fatalf("measured %+v", d.m.control.effect)
	}
	if f.quiet {
		t.Error("the target is still left alone")
	}
	d.keys("esc")
	d.wantOnScreen("overhead " + pane.Overhead(d.m.control.effect))
}

// The shape in force and the recommended one take turns, and the first is in force again afterwards.
func TestComparisonOfShapes(t *testing.T) {
	for _, size := range []struct{ w, h int }{{160, 40}, {80, 24}} {
		compareShapes(t, size.w, size.h)
	}
}

func compareShapes(t *testing.T, w, h int) {
	f := newFake()
	d := newDriver(t, w, h, Options{Source: f, Sink: f})
	d.typed(":what-if requested_worker_groups=8")
	d.keys("enter", "V")
	c := d.m.launch.Compared
	if c == nil || c.Pairs != measurePairs {
		t.Fatalf("measured %+v", c)
	}
	if got := f.settings; got.Workers != 4 || got.Lanes != 8 {
		t.Errorf("%d workers of %d lanes are left", got.Workers, got.Lanes)
	}
	d.wantOnScreen("workers=4 lanes=8", "workers=7 lanes=8", string(c.Verdict()), "measured samples/s") // none of it cut
}

// watched is a fake that is seen from afar: it cannot be left alone, and has moved on whenever it is looked at.
type watched struct {
	Source

	fake *fakeTarget
}

func (w watched) Snapshot() *megakernel.Snapshot {
	w.fake.mu.Lock()
	w.fake.step()
	w.fake.mu.Unlock()
	return w.fake.Snapshot()
}

// TestComparisonOnAttachedTarget: an attached dashboard measures by what snapshots count.
func TestComparisonOnAttachedTarget(t *testing.T) {
	f := newFake()
	d := newDriver(t, 160, 40, Options{Source: watched{f, f}, Sink: f})
	d.typed(":what-if requested_worker_groups=8")
	d.keys("enter", "V")
	if c := d.m.launch.Compared; c == nil || c.Pairs != measurePairs || c.RateA == 0 {
		t.Fatalf("measured %+v", c)
	}
	if got := f.settings; got.Workers != 4 || got.Lanes != 8 {
		t.Errorf("%d workers of %d lanes are left", got.Workers, got.Lanes)
	}
}

// A measurement without work says so instead of dividing by nothing.
func TestComparisonNeedsWork(t *testing.T) {
	f := newFake()
	f.settings.Workers = 0
	d := newDriver(t, 160, 40, Options{Source: f, Sink: f})
	d.keys("O")
	d.wantOnScreen("cannot tell which is faster: in 4 of 4 windows nothing was done")
	if d.m.control.effect != nil {
		t.Errorf("measured %+v", d.m.control.effect)
	}
}

// TestOneMeasuredGain: after V the title of the launch view had the gain that was seen in passing, +104%, and the panel the measured
// one, +119.6%.
func TestOneMeasuredGain(t *testing.T) {
	one, two := megakernel.Shape{Workers: 1, Lanes: 8}, megakernel.Shape{Workers: 2, Lanes: 8}
	c := &tune.Comparison{A: shapeCandidate(1, 8), B: shapeCandidate(2, 8), Ratio: 2.196, Low: 2.108, High: 2.305, Pairs: 10}
	a := advice{measured: c}
	for _, tt := range []struct {
		now  megakernel.Shape
		want string
	}{
		{one, "recommended 2x8 +120% (measured): V measured +119.6% (110.8..130.5)"},
		{megakernel.Shape{Workers: 1, Lanes: 4}, "recommended 2x8 +104% (modeled): seen in passing"}, // measured against another shape
	} {
		newest := recommend.Advice{Shape: two, Gain: 2.04, Confidence: recommend.Guessed, Reason: "seen in passing"}
		a.correct(&newest, tt.now)
		if _, note := pane.AdviceTexts(&newest, tt.now, 'x'); note != tt.want {
			t.Errorf("%v: %q, want %q", tt.now, note, tt.want)
		}
	}
}

// TestNothingIsRecommendedWhileShapesTakeTurns: during A the header recommended the shape that the trial had left on its way.
func TestNothingIsRecommendedWhileShapesTakeTurns(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	f.run(d, 25)
	id := d.m.control.requests.add(subject{key: noSubject}, trying, d.clock)
	d.m.feed.advice.text = "9x9 +50%"
	f.advance()
	d.update()
	d.keys("7")
	d.wantOnScreen("shapes take turns until they are measured")
	d.wantNotOnScreen("rec ")
	delete(d.m.control.requests.open, id)
	d.update()
	d.wantNotOnScreen("shapes take turns")
}

func TestChangeIsWrittenWithItsInterval(t *testing.T) {
	c := &tune.Comparison{Ratio: 1.0314, Low: 0.998, High: 1.06}
	if got := pane.Change(c); got != "+3.1% (-0.2..6.0)" {
		t.Error(got)
	}
}

// An alert shows in the header and among the events until it is acknowledged.
func TestAlerts(t *testing.T) {
	w, err := alert.New([]alert.Rule{{Name: "crowded", When: "queue_depth>0"}})
	if err != nil {
		t.Fatal(err)
	}
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f, Alerts: w})
	f.advance()
	d.update()
	d.wantOnScreen("CROWDED")
	d.keys("0")
	d.wantOnScreen("alert")
	if n := len(d.m.feed.events.list); d.m.feed.events.list[n-1].Kind != pane.EventAlert {
		t.Errorf("the last event is %+v", d.m.feed.events.list[n-1])
	}
	d.keys("a")
	d.wantOnScreen("Alerts", "queue_depth>0")
	d.keys("enter", "esc")
	d.wantNotOnScreen("CROWDED")
}

// TestOverheadFits: what the measurement came to was cut off on 80 columns, and had rates such as 8.422e+05.
func TestOverheadFits(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("O")
	_, text := overheadText(d.m.control.effect)
	d.wantOnScreen(text)
}

// TestAWideIntervalIsNoAnswer: 0.968 (0.652 to 1.37) was called no difference, in the color of what is well.
func TestAWideIntervalIsNoAnswer(t *testing.T) {
	c := &tune.Comparison{Pairs: 10, Ratio: 0.968, Low: 0.652, High: 1.37, Unit: "samples", RateA: 842000, RateB: 815000}
	if style, text := overheadText(c); style != theme.Warning || text != "cannot tell the overhead, 3.2% (-37.0..34.8): longer windows would help" {
		t.Errorf("O: %v, %q", style, text)
	}
	if style, text := comparedText("4x8 against 7x8", c); style != theme.Warning || text != "4x8 against 7x8: cannot tell, -3.2% (-34.8..37.0): vyretop ab with longer windows would help" {
		t.Errorf("V: %v, %q", style, text)
	}
	c.Low, c.High = 0.93, 1.01
	if style, text := overheadText(c); style != theme.Good || text != "overhead 3.2% (-1.0..7.0): 815k samples/s observed, 842k/s alone" {
		t.Errorf("O: %v, %q", style, text)
	}
	if style, text := comparedText("4x8 against 7x8", c); style != theme.Good || text != "4x8 against 7x8: no difference, -3.2% (-7.0..1.0)" {
		t.Errorf("V: %v, %q", style, text)
	}
}
