package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/workload"
)

// TestPatternsThatMatchEverywhereEndTheScan: 65,535 times the same pattern of a byte kept a scan of 4 MiB busy for
// minutes, in which it heeded neither --for nor a signal and took all memory.
func TestPatternsThatMatchEverywhereEndTheScan(t *testing.T) {
	root := write(t, map[string]string{"text": strings.Repeat("a", 2*MaxMatches/MaxPatternBytes), "below/p": strings.Repeat("a\n", MaxPatternBytes)})
	b := backendtest.Reference(t, reference.Options{Seed: 1, TimeSlice: 512})
	s := New(rig.Manifest(t, "scan"), small(root, root+"/below/p"))
	_, err := rig.Run(rig.Deadline(t), b, s, rig.Shape{Workers: 1, Slots: 32, Inbox: 8, Ended: 64})
	if !errors.Is(err, workload.ErrInput) || strings.Count(err.Error(), "Fix: ") != 1 || !strings.Contains(err.Error(), fmt.Sprint(MaxMatches)) {
		t.Errorf("error %v", err)
	}
}

// TestVerificationEndsWithItsContext: it searched for one pattern after the other, however many there are.
func TestVerificationEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bruteForce(ctx, make([]byte, 1<<20), []Pattern{{1, []byte("a")}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestEmptyLinesTakeNoMemory: a pattern file of empty lines took 28 bytes for each byte.
func TestEmptyLinesTakeNoMemory(t *testing.T) {
	data := append(bytes.Repeat([]byte("\n"), 1<<20), 'x')
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	list, err := ParsePatterns("p", data)
	runtime.ReadMemStats(&after)
	if err != nil || len(list) != 1 || list[0].Line != 1<<20+1 {
		t.Fatal(list, err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("%d bytes", got)
	}
}
