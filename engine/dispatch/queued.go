package dispatch

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/submit"
)

// checkQueued refuses what repeats that are queued together cannot have.
func (r *Request) checkQueued() error {
	if r.Queued && (r.Indirect != nil || r.Pair != nil) {
		return &fault.Error{Kind: ErrRequest, Detail: "repeats that are queued together have no indirect grid and no speculation", Fix: "leave out --queued, or --indirect and --speculation"}
	}
	return nil
}

// queue dispatches all repeats at once, each over buffers of its own, and waits once. That their outputs are equal is
// checked; the buffers of the last one stay in the job.
func (j *job) queue(ctx context.Context, b engine.Backend, result *Result) error {
	jobs := make([]submit.Job, max(j.request.Repeat, 1))
	for i := range jobs {
		if i > 0 {
			var err error
			if j.buffers, err = load(ctx, b, j.blocks); err != nil {
				return err
			}
		}
		jobs[i] = submit.Job{In: j.resources(), Config: j.config}
	}
	began := time.Now()
	outputs, timings, err := j.runner.Batch(ctx, jobs)
	result.Queue = time.Since(began)
	if err != nil {
		return err
	}
	result.Timings = timings
	return compareOutputs(outputs)
}

// compareOutputs holds the outputs of each dispatch against those of the first.
func compareOutputs(outputs [][][]uint32) error {
	for i, list := range outputs {
		for k := range list {
			if !slices.Equal(list[k], outputs[0][k]) {
				return &fault.Error{
					Kind: ErrDiffer, Detail: fmt.Sprintf("dispatch %d wrote another output %d than dispatch 1 from the same inputs: the kernel has a race", i+1, k+1),
					Fix: "find it with vyretop debug",
				}
			}
		}
	}
	return nil
}

// ErrDiffer is the kind of the error about dispatches over the same inputs with different outputs.
const ErrDiffer fault.Kind = "outputs of equal dispatches differ"

// resources are the job's buffers.
func (j *job) resources() []submit.Resource {
	in := make([]submit.Resource, len(j.buffers))
	for i := range in {
		in[i] = submit.Resident(j.buffers[i].Buffer)
	}
	return in
}
