package resident

import (
	"testing"

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
