package replay

import (
	"context"
	"errors"
	"strings"
	"testing"

	"vyretop/engine/reference"
	"vyretop/fixtures"
)

const recordedRuns = "../../fixtures/recordings/"

func opened(t *testing.T, name string) (*fixtures.Recording, *reference.Backend) {
	t.Helper()
	rec, err := fixtures.Open(recordedRuns + name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := reference.Open(reference.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(rec.Close(), b.Close()) })
	return rec, b
}

// TestAnInterruptedVerificationSaysWhatItDid: it said that the work was not finished.
func TestAnInterruptedVerificationSaysWhatItDid(t *testing.T) {
	rec, b := opened(t, "runs/epochs-llvmpipe.mcap")
	p, err := newWholePlan("run.mcap", rec)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p.advances = cancel
	s, err := p.start(ctx, b, p.shape())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ended, err := p.execute(ctx, s)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	err = interrupted(p, ended)
	if text := err.Error(); !errors.Is(err, ErrInterrupted) || !strings.Contains(text, "the rest was not executed") || !strings.Contains(text, "Fix: ") {
		t.Error(text)
	}
}

// TestTheWriterIsLookedForInLimitedTime: damaged recordings, and those of races, kept replay --verify for longer than half a minute on a busy
// machine, and Ctrl-C then told nothing of what had been found.
func TestTheWriterIsLookedForInLimitedTime(t *testing.T) {
	rec, b := opened(t, "unequal/race-llvmpipe.mcap")
	r, err := Verify(t.Context(), "run.mcap", rec, b)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newWholePlan("run.mcap", rec)
	if err != nil {
		t.Fatal(err)
	}
	if err := locateWithin(t.Context(), p, r, 1, 1, locate); err != nil || r.Divergence == nil || !r.Divergence.Late || r.Divergence.Name != "race_sum" {
		t.Errorf("%v, %+v", err, r.Divergence)
	}
	r.Divergence = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Locate(ctx, "run.mcap", rec, r, 1); !errors.Is(err, context.Canceled) || r.Divergence == nil || !r.Divergence.Late {
		t.Errorf("%v, %+v", err, r.Divergence)
	}
	text := new(strings.Builder)
	if err := WriteText(text, NewDocument("run.mcap", nil, r)); err != nil || !strings.Contains(text.String(), "was not looked for any longer") {
		t.Errorf("%v\n%s", err, text)
	}
}
