package main

import (
	"bytes"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// flips is how many damaged recordings TestFlippedBitsAreRead reads.
var flips = flag.Int("flips", 200, "recordings with a flipped bit that TestFlippedBitsAreRead reads")

// flipCommands read everything that a recording has, each in its own way.
var flipCommands = []string{
	"replay FILE --linear", "log FILE --json", "words FILE --buffer ring", "diff FILE@0s FILE --all",
	"export FILE", "export FILE --form csv", "export FILE --form trace", "export FILE --form raw", "export FILE --form gotest",
}

// flipTime is how long a command may take to read a recording of which a bit is flipped: none takes a part of it for the
// whole one.
const flipTime = time.Minute

// TestFlippedBitsAreRead: one of 10,000 flipped bits kept an export busy for over 20 s. Commands read recordings of
// which a bit is flipped, in a time and without a panic; what they cannot read, they say.
func TestFlippedBitsAreRead(t *testing.T) {
	whole, err := os.ReadFile(smallRecording(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "flipped.mcap")
	seed := uint64(*flips) // the few are the same each time, and the many others
	random := rand.New(rand.NewPCG(seed, 2))
	var longest time.Duration
	for range *flips {
		data := bytes.Clone(whole)
		at, bit := random.IntN(len(data)), random.IntN(8)
		data[at] ^= 1 << bit
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range flipCommands {
			var stderr bytes.Buffer
			began := time.Now()
			status := doMain(strings.Fields(strings.ReplaceAll(command, "FILE", path)), strings.NewReader(""), io.Discard, &stderr, os.Environ())
			took := time.Since(began)
			longest = max(longest, took)
			if took > flipTime {
				t.Errorf("byte %d, bit %d: %s took %v", at, bit, command, took)
			}
			quiet := strings.HasPrefix(command, "stall") || strings.HasPrefix(command, "diff")
			if status > exitUsage || status != exitOK && !quiet && !strings.Contains(stderr.String(), "Fix: ") {
				t.Errorf("byte %d, bit %d: %s: status %d, %s", at, bit, command, status, &stderr)
			}
		}
	}
	t.Logf("%d flips, the longest command took %v", *flips, longest.Round(time.Millisecond))
}

// smallRecording is a recording of a few chunks with everything in it.
func smallRecording(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.mcap")
	w, err := fixtures.Create(path, hostileHeader(16))
	if err != nil {
		t.Fatal(err)
	}
	control, _ := megakernel.EncodeControl(4, 0)
	for i := range time.Duration(12) {
		s := &megakernel.Snapshot{Seq: uint64(i), Taken: i * 100 * time.Millisecond, Consistent: true, Workers: 1, Lanes: 4, Phase: megakernel.PhaseResident,
			Control: control, Slots: ringOf(16), WorkerTable: make([]uint32, megakernel.WorkerWords)}
		s.Slots[i] = uint32(i)
		w.Snapshot(s)
		w.Log([]megakernel.LogRecord{{Number: 2 * uint64(i), Format: megakernel.LogEventBase, Task: 3, Opcode: 16}, {Number: 2*uint64(i) + 1, Format: 1, ArgCount: 1}})
		w.Event(megakernel.HostEvent{At: s.Taken, Kind: "slice", Text: "one more"})
		if i%3 == 2 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
