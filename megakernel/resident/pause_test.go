package resident

import (
	"testing"
	"testing/synctest"
	"time"

	"vyretop/megakernel"
)

// The goroutine that gave a pause may see its answer after the one that gave the resume has seen
// its own. The session then took the worker for paused, and parked with tasks ready to run.
func TestLateAnswersDoNotPauseAgain(t *testing.T) {
	type answer struct {
		number uint32
		op     megakernel.CommandOp
		worker uint32
	}
	for _, c := range []struct {
		name    string
		answers []answer
		want    bool
	}{
		{"nothing", nil, false},
		{"in order", []answer{{0, megakernel.OpPauseWorker, 0}, {1, megakernel.OpResumeWorker, 0}}, false},
		{"late pause", []answer{{1, megakernel.OpResumeWorker, 0}, {0, megakernel.OpPauseWorker, 0}}, false},
		{"late pause all", []answer{{1, megakernel.OpResumeAll, 0}, {0, megakernel.OpPauseAll, 0}}, false},
		{"resume all after single", []answer{{0, megakernel.OpPauseWorker, 0}, {1, megakernel.OpResumeAll, 0}}, false},
		{"late single before resume all", []answer{{1, megakernel.OpResumeAll, 0}, {0, megakernel.OpPauseWorker, 0}}, false},
		{"single after resume all", []answer{{0, megakernel.OpResumeAll, 0}, {1, megakernel.OpPauseWorker, 0}}, true},
		{"all", []answer{{0, megakernel.OpPauseAll, 0}}, true},
		{"numbers wrap", []answer{{^uint32(1), megakernel.OpPauseWorker, 0}, {2, megakernel.OpResumeWorker, 0}}, false},
	} {
		var p pauseState
		for _, a := range c.answers {
			p.note(a.number, megakernel.Ack{
				Command: megakernel.Command{Op: a.op, Worker: a.worker}, Result: megakernel.AckApplied,
			})
		}
		if got := p.every(1); got != c.want {
			t.Errorf("%s: every worker paused is %v, want %v", c.name, got, c.want)
		}
	}
}

// TestPausesAreCounted: the rate of a run that stood still for ten minutes was that of the whole time.
func TestPausesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pauseState
		number := uint32(0)
		for _, step := range []struct {
			op    megakernel.CommandOp
			total time.Duration // a minute later
		}{
			{megakernel.OpResumeAll, 0},
			{megakernel.OpPauseAll, time.Minute},
			{megakernel.OpPauseAll, 2 * time.Minute},
			{megakernel.OpResumeAll, 2 * time.Minute},
			{megakernel.OpPauseWorker, 2 * time.Minute},
			{megakernel.OpPauseAll, 3 * time.Minute},
		} {
			p.note(number, megakernel.Ack{Command: megakernel.Command{Op: step.op}, Result: megakernel.AckApplied})
			number++
			<-time.After(time.Minute) // of the bubble's clock
			if got := p.total(); got != step.total {
				t.Errorf("after command %d: %v, want %v", number, got, step.total)
			}
		}
	})
}
