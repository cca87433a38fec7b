package taskcheck

import (
	"context"
	"errors"
	"testing"

	"vyretop/engine/check"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// writers is a workload of tasks that write one word, published by the host one by one.
type writers struct {
	workload.Definition
	workload.Workload
	awaits bool   // the completion of one task before it publishes the next one
	ended  func() // called when all have ended; nil: nothing is
}

const writersText = `layout(std430, binding = 8) coherent buffer Words { uint words[]; };
void put(inout Task t) { words[0] = t.input_handle; }
`

func (w *writers) New(map[string]string) (workload.Workload, error) { return w, nil }

func (w *writers) Setup(context.Context) (*workload.Setup, error) {
	return &workload.Setup{
		Name: "writers", Handlers: []workload.Handler{{Opcode: 256, Name: "put", Function: "put", File: "put.glsl"}},
		Sources: []*source.File{{Name: "put.glsl", Text: writersText}},
		Buffers: []workload.Buffer{{Name: "words", Binding: 8, Words: 1}},
	}, nil
}

func (w *writers) Run(ctx context.Context, h workload.Host) error {
	ended := 0
	for i := range 3 {
		task := tasks.Task{State: tasks.Ready, Opcode: 256, Priority: tasks.Normal, TaskID: uint32(i + 1), InputHandle: uint32(i)}
		if err := h.Publish(ctx, []tasks.Task{task}); err != nil {
			return err
		}
		for w.awaits && ended <= i {
			ended += len(<-h.Completions())
		}
	}
	for ended < 3 {
		ended += len(<-h.Completions())
	}
	if w.ended != nil {
		w.ended()
		<-ctx.Done()
	}
	return ctx.Err()
}

func (w *writers) Verify(context.Context) (workload.Verification, error) {
	return workload.Verification{OK: true}, nil
}

func (w *writers) Result() any                      { return nil }
func (w *writers) Progress() (int64, int64, string) { return 0, 0, "tasks" }

// TestCompletionOrdersTasksPublishedAfterIt: tasks that the host publishes one after the other race, unless it has waited
// for the end of each before.
func TestCompletionOrdersTasksPublishedAfterIt(t *testing.T) {
	for _, awaits := range []bool{false, true} {
		w := &writers{awaits: awaits}
		r, err := Run(t.Context(), Config{Definition: w})
		if err != nil || !r.Ended {
			t.Fatal(r, err)
		}
		races := len(r.Findings) == 1 && r.Findings[0].Kind == check.Race
		if races == awaits {
			t.Errorf("awaits %v: %+v", awaits, r.Findings)
		}
	}
}

// TestInterruptedRunReportsWhatItFound: a user who gives up keeps the findings.
func TestInterruptedRunReportsWhatItFound(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Run(ctx, Config{Definition: &writers{ended: cancel}})
	if !errors.Is(err, context.Canceled) || !r.Started || r.Ended || len(r.Findings) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
