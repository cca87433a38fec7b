package submit

import (
	"context"
	"errors"
	"fmt"

	"vyretop/engine"
)

// Job is one dispatch of a batch.
type Job struct {
	In     []Resource
	Config engine.DispatchConfig
}

// BatchError says which dispatch of a batch failed first.
type BatchError struct {
	Job int
	Err error
}

// Error names the job.
func (e *BatchError) Error() string { return fmt.Sprintf("dispatch %d of the batch: %v", e.Job, e.Err) }

// Unwrap gives the job's error.
func (e *BatchError) Unwrap() error { return e.Err }

// Batch queues independent dispatches together, waits once, and returns the outputs of each.
func (r *Runner) Batch(ctx context.Context, jobs []Job) ([][][]uint32, []engine.Timing, error) {
	out := make([][][]uint32, len(jobs))
	for i := range out {
		out[i] = make([][]uint32, r.Outputs())
	}
	timings := make([]engine.Timing, len(jobs))
	err := r.BatchInto(ctx, jobs, out, timings)
	return out, timings, err
}

// BatchInto is Batch into the caller's slots, as Collect fills them; timings has room for each job, or is
// nil. When a job fails the others run all the same, and the error is a *BatchError.
func (r *Runner) BatchInto(ctx context.Context, jobs []Job, out [][][]uint32, timings []engine.Timing) error {
	if len(out) != len(jobs) || timings != nil && len(timings) != len(jobs) {
		return r.invalid("%d jobs, slots for %d outputs and %d timings", len(jobs), len(out), len(timings))
	}
	return r.batch(ctx, jobs, func(i int, s *Submission) error {
		timing, err := s.finish(ctx, out[i])
		if timings != nil {
			timings[i] = timing
		}
		return err
	})
}

// BatchResident is Batch that leaves the outputs on the device, as DispatchResident does. On an error the
// buffers of the jobs that succeeded are returned too.
func (r *Runner) BatchResident(ctx context.Context, jobs []Job) ([][]engine.Buffer, []engine.Timing, error) {
	out, timings := make([][]engine.Buffer, len(jobs)), make([]engine.Timing, len(jobs))
	err := r.batch(ctx, jobs, func(i int, s *Submission) (err error) {
		out[i], timings[i], err = s.keep(ctx)
		return err
	})
	return out, timings, err
}

// BatchResidentInto is BatchResident into the caller's slots, which are used again.
func (r *Runner) BatchResidentInto(ctx context.Context, jobs []Job, out [][]engine.Buffer) error {
	if len(out) != len(jobs) {
		return r.invalid("%d jobs, slots for %d outputs", len(jobs), len(out))
	}
	return r.batch(ctx, jobs, func(i int, s *Submission) error {
		kept, _, err := s.keep(ctx)
		out[i] = append(out[i][:0], kept...)
		return err
	})
}

// batch starts all jobs, and then ends all that have started.
func (r *Runner) batch(ctx context.Context, jobs []Job, end func(i int, s *Submission) error) error {
	var first error
	failed := func(i int, err error) {
		if err != nil && first == nil {
			first = &BatchError{i, err}
		}
	}
	under := make([]*Submission, len(jobs))
	for i := range jobs {
		s, err := r.Start(ctx, jobs[i].In, jobs[i].Config)
		under[i] = s
		failed(i, err)
	}
	for i, s := range under {
		if s != nil {
			failed(i, end(i, s))
		}
	}
	return first
}

// RowLength is the number of buffers of a Row.
const RowLength = 4

// Row is the resources of a megakernel's queue: control, ring, debug log, IO queue, resident.
type Row [RowLength]engine.Buffer

// Rows dispatches a program of exactly four buffers once for each row, queued together, with one wait. It
// makes no slice for a row.
func (r *Runner) Rows(ctx context.Context, rows []Row, cfg engine.DispatchConfig) error {
	if len(r.specs) != RowLength {
		return r.invalid("rows of %d resources, the program has %d buffers", RowLength, len(r.specs))
	}
	var first, bound error
	var bindings [RowLength]engine.Binding
	pendings := make([]engine.Pending, 0, len(rows))
	for i := range rows {
		for k := range bindings {
			bindings[k] = engine.Binding{Index: r.specs[k].Binding, Buffer: rows[i][k]}
		}
		p, err := r.pipeline.Start(ctx, bindings[:], cfg)
		if err != nil {
			bound = &BatchError{i, err}
			break
		}
		pendings = append(pendings, p)
	}
	for i, p := range pendings {
		if _, err := engine.Finish(ctx, p); err != nil && first == nil {
			first = &BatchError{i, err}
		}
	}
	return errors.Join(first, bound)
}
