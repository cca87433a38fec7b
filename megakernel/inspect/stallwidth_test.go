package inspect

import (
	"strings"
	"testing"
	"unicode/utf8"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// TestStallTextFits: rows of the stall report were wider than the dashboard on a terminal of 80 columns, which broke them, and later
// did not name the word that tasks wait for. What is needed comes last and continues below, in its column.
func TestStallTextFits(t *testing.T) {
	control, err := megakernel.EncodeControl(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &megakernel.Snapshot{Control: control, Slots: make([]uint32, 2*tasks.SlotWords), WorkerTable: make([]uint32, megakernel.WorkerWords), Workers: 1, Phase: megakernel.PhaseParked}
	for i, flags := range []uint32{tasks.FlagHalted | 1<<tasks.ReasonShift, uint32(tasks.ReasonInput) << tasks.ReasonShift} {
		w := s.Slot(i)
		w[tasks.WordState], w[tasks.WordTaskID], w[tasks.WordFlags] = uint32(tasks.Paused), 11466, flags
		w[tasks.WordResumeEpoch] = []uint32{megakernel.HeldEpoch, 100}[i]
	}
	text := StallText(s, nil)
	for _, want := range []string{"breakpoint 1 holds it", "provided data"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, want := range []string{"slot.state", "control.epoch", "11466"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for line := range strings.Lines(text[strings.IndexByte(text, '\n'):]) {
		if last := strings.LastIndex(line, "  "); utf8.RuneCountInString(strings.TrimRight(line, "\n")) > 76 && last > 48 {
			t.Errorf("the last column begins at %d: %q", last+2, line)
		}
	}
}
