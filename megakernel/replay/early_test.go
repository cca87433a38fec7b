package replay_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vyretop/engine/reference"
	"vyretop/fixtures"
	"vyretop/megakernel/replay"
)

// withStates copies a recording of which every epoch's state is passed through change.
func withStates(t *testing.T, rec *fixtures.Recording, change func(epoch uint32, words []uint32)) *fixtures.Recording {
	t.Helper()
	file := filepath.Join(t.TempDir(), "changed.mcap")
	w, err := fixtures.Create(file, rec.Header())
	if err != nil {
		t.Fatal(err)
	}
	for in := range rec.Inputs(0) {
		if in.Command != nil {
			w.Command(in.At, *in.Command)
		} else {
			w.Submitted(in.At, in.Tasks)
		}
	}
	words, before := make([]uint32, 8), make([]uint32, 8)
	for _, s := range fixtures.EpochStates(rec, 1<<20) {
		if !s.Apply(words) {
			t.Fatal("a state does not fit")
		}
		now := slices.Clone(words)
		change(s.Epoch, now)
		w.EpochState(s.At, s.Epoch, s.Buffer, before, now)
		before = now
	}
	w.Completed(slices.Collect(rec.Results()))
	_, at := rec.Span()
	end, _, err := rec.SnapshotAt(at)
	if err == nil {
		err = rec.ReadBuffer(at, "turns", 0, words)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.Snapshot(end)
	w.Buffer(end.Taken, "turns", 0, words)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, file)
}

// TestEpochsAreCompared: one bit that differs when an epoch is advanced is found there, with what wrote it, though the run ends alike.
func TestEpochsAreCompared(t *testing.T) {
	rec := open(t, filepath.Join(recordings, "runs", "epochs-llvmpipe.mcap"))
	b, err := reference.Open(reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if r := verify(t, rec, b); !r.Equal() || r.Epochs != 4 || r.Stopped != nil {
		t.Fatalf("%+v", r)
	}
	for epoch := range uint32(4) {
		planted := withStates(t, rec, func(e uint32, words []uint32) {
			if e == epoch {
				words[5] ^= 1 << 9
			}
		})
		r := verify(t, planted, b)
		if err := replay.Locate(t.Context(), "planted", planted, r, 1); err != nil {
			t.Fatal(err)
		}
		if s, d := r.Stopped, r.Divergence; r.Equal() || s == nil || !s.Whole || !s.State || s.Epoch != epoch || d == nil || d.Name != "turns[5]" || d.Recorded != d.Now^1<<9 || d.Writer == nil || d.Writer.Task != 6 || d.Writer.Epoch != epoch || d.Writer.Line != 6 {
			t.Errorf("epoch %d: %+v, %+v, %+v", epoch, r, s, d)
		}
		text := new(strings.Builder)
		if err := errors.Join(replay.WriteText(text, replay.NewDocument("planted", nil, r))); err != nil || !strings.Contains(text.String(), "buffers differ at its end in epoch") {
			t.Errorf("%v\n%s", err, text)
		}
	}
}
