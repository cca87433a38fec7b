package tui

import (
	"errors"
	"strings"
	"testing"

	"vyretop/megakernel"
	"vyretop/tui/keymap"
)

// Orders for several rows act on each of them, whatever row is selected in the meantime, and end in one message with their number.
func TestMarkedRowsAreActedOnTogether(t *testing.T) {
	for _, tt := range []struct {
		name   string
		view   keymap.View
		keys   []string
		refuse megakernel.AckResultCode
		err    error
		sent   int
		op     megakernel.CommandOp
		want   string
	}{
		{"pause tasks", keymap.Tasks, []string{"g", "space", "space", "down", "down", "space", "p", "y"}, 0, nil, 3, megakernel.OpPauseTask, "pause 3 tasks: applied in"},
		{"requeue tasks", keymap.Tasks, []string{"g", "space", "space", "R", "2"}, 0, nil, 2, megakernel.OpRequeueTask, "requeue 2 tasks: applied in"},
		{"pause workers", keymap.Workers, []string{"g", "space", "down", "space", "p", "y"}, 0, nil, 2, megakernel.OpPauseWorker, "pause 2 workers: applied in"},
		{"step workers", keymap.Workers, []string{"g", "space", "space", "s", "y"}, 0, nil, 2, megakernel.OpStepWorker, "step 2 workers: applied in"},
		{"refused", keymap.Tasks, []string{"g", "space", "space", "p", "y"}, megakernel.AckFinished, nil, 2, megakernel.OpPauseTask, "pause 2 tasks: 0 applied, 2 not; pause task"},
		{"failed", keymap.Tasks, []string{"g", "space", "space", "p", "y"}, 0, errors.New("gone"), 2, megakernel.OpPauseTask, "pause 2 tasks: 0 applied, 2 not; pause task 1000: gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake()
			f.err = tt.err
			if tt.refuse != 0 {
				f.result = tt.refuse
			}
			d := newDriver(t, 120, 30, Options{Source: f, Sink: f})
			d.m.showTab(tt.view)
			d.keys(tt.keys...)
			marked := map[uint32]bool{}
			for _, c := range f.sent() {
				if c.Op == tt.op {
					marked[c.Task+1000*c.Worker] = true
				}
			}
			if len(marked) != tt.sent || len(f.sent()) != tt.sent {
				t.Errorf("%d commands for %d rows, want %d: %v", len(f.sent()), len(marked), tt.sent, f.sent())
			}
			if x, ok := d.m.modal.(*notice); ok {
				d.m.message.text = x.text
			}
			if !strings.HasPrefix(d.m.message.text, tt.want) {
				t.Errorf("message %q, want %q", d.m.message.text, tt.want)
			}
		})
	}
}

// An order for the tasks that fulfil a condition ends in their number and not in the name of one of them.
func TestOrdersForTasksWhereSayHowMany(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 30, Options{Source: f, Sink: f})
	d.keys(":")
	d.typed("resume tasks state=paused")
	d.keys("enter", "y")
	if n := len(f.sent()); n < 2 || !strings.HasPrefix(d.m.message.text, "resume "+plural(n, "task", "tasks")+": applied in") {
		t.Errorf("%d commands, message %q", n, d.m.message.text)
	}
}
