package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestLeavingAnOwnRunAsks: q in the dashboard of a run ended it without a word, or went away while the process verified.
func TestLeavingAnOwnRunAsks(t *testing.T) {
	for name, tc := range map[string]struct {
		stage       Stage
		detach      error // of Detach
		none        bool  // there is no Detach
		keys        string
		quits       bool
		interrupted bool
		detached    bool
		shows       string
	}{
		"at work":               {keys: "q", shows: "the run is not finished:  e end it  d detach, it keeps running  c cancel"},
		"end":                   {keys: "q e", quits: true, interrupted: true},
		"detach":                {keys: "q d", quits: true, detached: true},
		"detach fails":          {keys: "q d", detach: errors.New("no room. Fix: make room"), detached: true, shows: "detach: no room"},
		"cancel":                {keys: "q c"},
		"escape":                {keys: "q esc"},
		"no detach":             {keys: "q", none: true, shows: "the run is not finished (no detach: no sessions):  e end it  c cancel"},
		"no detach, d":          {keys: "q d", none: true, shows: "no detach"},
		"verifying":             {stage: Verifying, keys: "q", shows: "verifying, 3.0s:  w wait for the verdict and quit  e end without it  c cancel"},
		"verifying, wait":       {stage: Verifying, keys: "q w", quits: true},
		"verifying, end":        {stage: Verifying, keys: "q e", quits: true, interrupted: true},
		"over":                  {stage: Over, keys: "q", quits: true},
		"over, workers paused":  {stage: Over, keys: "p q", quits: true},
		"interrupt":             {keys: "ctrl+c", quits: true, interrupted: true},
		"interrupt in question": {keys: "q ctrl+c", quits: true, interrupted: true},
		"interrupt in a prompt": {keys: ": x ctrl+c", quits: true, interrupted: true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake()
			interrupted, detached := false, false
			var d *driver
			o := &Owner{
				Stage:     func() (Stage, time.Time) { return tc.stage, d.clock.Add(-3 * time.Second) },
				Interrupt: func() { interrupted = true },
				Detach:    func(context.Context) error { detached = true; return tc.detach },
			}
			if tc.none {
				o.Detach, o.NoDetach = nil, "no sessions"
			}
			d = newDriver(t, 80, 24, Options{Source: f, Sink: f, Owner: o})
			d.keys(strings.Fields(tc.keys)...)
			if d.quit != tc.quits || interrupted != tc.interrupted || detached != tc.detached {
				t.Errorf("quit %v, interrupted %v, detached %v; want %v, %v, %v", d.quit, interrupted, detached, tc.quits, tc.interrupted, tc.detached)
			}
			if tc.shows != "" {
				d.wantOnScreen(tc.shows)
			}
		})
	}
}

// TestAnEndedRunIsNotAskedAbout: "verifying, 3m23s" stayed on the screen when the verdict had come.
func TestAnEndedRunIsNotAskedAbout(t *testing.T) {
	for name, before := range map[string]Stage{"at work": Working, "verifying": Verifying} {
		t.Run(name, func(t *testing.T) {
			f, stage := newFake(), before
			var d *driver
			d = newDriver(t, 80, 24, Options{Source: f, Sink: f, Owner: &Owner{
				Stage: func() (Stage, time.Time) { return stage, d.clock }, Interrupt: func() { t.Error("interrupted") },
			}})
			d.keys("q")
			d.wantOnScreen("c cancel")
			stage = Over
			d.tick()
			d.wantOnScreen(runOver)
			if d.keys("q"); !d.quit {
				t.Errorf("still there:\n%s", d.screen())
			}
		})
	}
}

// TestTheKeyThatLeavesIsNotSwallowed: q behind a refused command only took the error away, so a user who pressed it once waited.
func TestTheKeyThatLeavesIsNotSwallowed(t *testing.T) {
	f := newFake()
	f.err = errors.New("the connection to gate was lost: it closed the connection, and nothing has come from it since. Fix: see whether the run is still there")
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("p")
	d.wantOnScreen("press any key; q leaves")
	if d.keys("q"); !d.quit {
		t.Errorf("still there:\n%s", d.screen())
	}
}

// TestTypingBehindAnErrorActsOnNothing: the ":" of a command that was typed when an error came took the error away, and its other characters
// were keys: the p of ":spawn" paused a worker.
func TestTypingBehindAnErrorActsOnNothing(t *testing.T) {
	f := newFake()
	f.err = errors.New("a refusal that is too long for the last line of a screen of eighty columns. Fix: read all of it in this box")
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("p")
	d.wantOnScreen("press any key; q leaves")
	asked := len(f.commands)
	d.typed(":pp")
	d.wantOnScreen(":pp")
	if len(f.commands) != asked {
		t.Errorf("the target was given %v", f.commands[asked:])
	}
}

// TestOneWorkerIsNotAllWorkers: "resume all 1 workers?" was asked.
func TestOneWorkerIsNotAllWorkers(t *testing.T) {
	for n, want := range map[int]string{1: "resume the only worker?", 2: "resume all 2 workers?"} {
		if got := everyWorker("resume all", n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
