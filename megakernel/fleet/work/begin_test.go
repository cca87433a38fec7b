package work

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"vyretop/megakernel/workload"
)

// delivered is a task as the hub hands it out.
type delivered struct {
	jetstream.Msg
	subject string
}

func (d *delivered) Subject() string { return d.subject }

// TestATaskThatComesBackBringsNoUnits: a worker that was held up for longer than its lease got a task once more that it had, took that for
// the units that its workload asked for, and never asked for the tasks that were left.
func TestATaskThatComesBackBringsNoUnits(t *testing.T) {
	q := &Queue{Name: "q", Job: Job{Tasks: 2, Inputs: workload.Inputs{Units: 4}}}
	w := q.NewWorker("worker", DefaultLease, func(string) {})
	w.held[1] = &held{message: &delivered{}, left: map[int]bool{1: true, 3: true}}
	again := &delivered{subject: taskSubject("q", 1)}
	if w.begin(again) {
		t.Error("it is said to have brought units")
	}
	if h := w.held[1]; h.message != again || len(h.left) != 2 {
		t.Errorf("it is held as %+v", h)
	}
}
