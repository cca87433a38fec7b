package main

import (
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"vyretop/fixtures"
)

// kills is how many recordings TestKilledRecordingLosesASecondAtMost kills of each kind.
var kills = flag.Int("kills", 0, "recordings that TestKilledRecordingLosesASecondAtMost kills, of each kind of run")

// TestKilledRecordingLosesASecondAtMost: 2.1 s were lost. A run is killed at a random time, and the last record that the
// file has is compared with the time of the kill. What a busy machine adds to that is not bounded, so that this is part of
// the soak; TestSlowDiskKeepsNothingBack and TestBigTargetsLoseLittle count in the time of a fake clock.
func TestKilledRecordingLosesASecondAtMost(t *testing.T) {
	if *kills == 0 {
		t.Skip("it measures the time that other processes leave: run it with -kills 20")
	}
	for name, args := range map[string][]string{
		"few tasks, much log": {"run", "testdata/gate"},
		"many tasks":          {"run", "render", "--width", "4000", "--height", "4000"},
	} {
		t.Run(name, func(t *testing.T) {
			var most time.Duration
			for range *kills {
				most = max(most, killRecording(t, args))
			}
			t.Logf("%d kills: %v lost at most", *kills, most.Round(time.Millisecond))
			if most > time.Second {
				t.Errorf("%v lost", most)
			}
		})
	}
}

// killRecording records a run, kills it and returns how much of the time before is not in the file.
func killRecording(t *testing.T, args []string) time.Duration {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.mcap")
	run := exec.Command("vyretop", append(args, "--backend", "reference", "--headless", "--record", path)...)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	defer func() { _ = run.Process.Kill() }() // where the test fails
	var began time.Time
	for began.IsZero() { // until the file has a snapshot
		if rec, err := fixtures.Open(path); err == nil {
			if rec.Snapshots() > 0 {
				began = rec.Header().Target.Started
			}
			_ = rec.Close() // read only
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended by itself: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	<-time.After(rand.N(1500 * time.Millisecond))
	killed := time.Now()
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	rec, err := fixtures.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	last, _, err := rec.SnapshotNumber(rec.Snapshots() - 1)
	if err != nil {
		t.Fatal(err)
	}
	recoverKilled(t, path, rec.Snapshots())
	return killed.Sub(began) - last.Taken
}

// recoverKilled recovers the recording of a run that was killed: all snapshots that can be read are rescued.
func recoverKilled(t *testing.T, path string, snapshots int) {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	found, err := fixtures.Recover(in, info.Size(), path, io.Discard)
	if err != nil || !found.Open || found.Messages["snapshot"] != snapshots || len(found.Missing) > 0 {
		t.Errorf("%+v of %d snapshots, %v", found, snapshots, err)
	}
}
