package command

import (
	"context"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// TestAWaitSaysHowLongItWas: it said "waited in 62.725ms".
func TestAWaitSaysHowLongItWas(t *testing.T) {
	for answer, want := range map[string]string{waited: "x: waited for 62.725ms", applied: "x: applied in 62.725ms"} {
		r := Result{Order: "x", Answer: answer, Took: 62725 * time.Microsecond}
		if got := r.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// pausedByHand is a target in which commands have paused tasks, and which obeys.
type pausedByHand struct {
	Target

	snapshot *megakernel.Snapshot
}

func (p pausedByHand) Snapshot() *megakernel.Snapshot { return p.snapshot }

func (p pausedByHand) Do(_ context.Context, c megakernel.Command) (megakernel.Ack, error) {
	return megakernel.Ack{Command: c, Result: megakernel.AckApplied}, nil
}

// TestResumeAllSaysWhatStaysPaused: it said "applied" while the tasks that a command had paused stayed paused.
func TestResumeAllSaysWhatStaysPaused(t *testing.T) {
	for by, want := range map[uint32]string{0: "; 1 task stays paused: resume tasks state=paused", tasks.FlagHalted: ""} {
		slots := make([]uint32, 2*tasks.SlotWords)
		slots[tasks.WordState], slots[tasks.WordResumeEpoch], slots[tasks.WordFlags] = uint32(tasks.Paused), megakernel.HeldEpoch, by
		o, err := Parse("resume all")
		if err != nil {
			t.Fatal(err)
		}
		r, err := o.Carry(t.Context(), pausedByHand{snapshot: &megakernel.Snapshot{Slots: slots}})
		if _, said, _ := strings.Cut(r.String(), "s;"); err != nil || strings.TrimPrefix(want, ";") != said {
			t.Errorf("%s, %v; want %q at its end", r.String(), err, want)
		}
	}
}
