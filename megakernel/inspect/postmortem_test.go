package inspect

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// TestChangedWordsAreOfTheWork: the window of changed words was the last second of the recording, in which a verification that
// takes longer changes nothing, so that no word was listed.
func TestChangedWordsAreOfTheWork(t *testing.T) {
	for _, ends := range []time.Duration{0, 2 * time.Second} { // 0: the recording does not tell
		file := filepath.Join(t.TempDir(), "run.mcap")
		w, err := fixtures.Create(file, fixtures.Header{Target: megakernel.Target{Workload: "scan", Protocol: megakernel.ProtocolVersion, Slots: 2}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 50 { // 100 ms apart; the input of task 1 changes until the work ends
			s := snapshot(tasks.Task{TaskID: 1, State: tasks.Ready, InputHandle: uint32(min(i, 20))}, tasks.Task{})
			s.Taken, s.Seq = time.Duration(i)*100*time.Millisecond, uint64(i+1)
			w.Snapshot(s)
		}
		if ends > 0 {
			w.Event(megakernel.HostEvent{At: ends, Kind: megakernel.EventWork, Text: "done"})
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), file, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPostmortem(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := p.Write(&text); err != nil {
			t.Fatal(err)
		}
		ring := slices.IndexFunc(p.Changed, func(c ChangedWords) bool { return c.Buffer == "ring" })
		if (ring >= 0) != (ends > 0) || ring >= 0 && (p.Changed[ring].Words != 1 || p.Window != 1) || strings.Contains(text.String(), "of ring in the last 1 s of the work, first ") != (ends > 0) {
			t.Errorf("work ended at %v: %+v within %v s\n%s", ends, p.Changed, p.Window, text.String())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
