package work

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"vyretop/engine/fault"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
)

// outFlag is the flag by which workloads write what they found to a file.
const outFlag = "out"

// NewJob is the work of a workload with values of its flags, for at most tasks tasks. The workload is set up on this machine, so that
// its units are known. Paths of inputs are made absolute, because runs start in other folders; outputs are left out: they are named
// where the results are collected. Errors are run.ErrNotShared and those of the workload.
func NewJob(ctx context.Context, d workload.Definition, values map[string]string, tasks int) (Job, error) {
	if !slices.Contains(run.Workloads(), d.Name()) {
		return Job{}, &fault.Error{Kind: run.ErrNotShared, Detail: d.Name() + " is not a shipped workload, and other machines do not have its files", Fix: "use render, scan, grep, bfs-batch or infer"}
	}
	values, err := inputValues(d, values)
	if err != nil {
		return Job{}, err
	}
	w, err := run.Prepare(ctx, d, values)
	if err != nil {
		return Job{}, err
	}
	return Job{Workload: d.Name(), Values: values, Inputs: w.Inputs(), Tasks: tasks}, nil
}

// inputValues are the values of flags that mean the same in every folder of every machine.
func inputValues(d workload.Definition, given map[string]string) (map[string]string, error) {
	values := maps.Clone(given)
	for _, f := range d.Flags() {
		v, ok := values[f.Name]
		switch {
		case f.Name == outFlag:
			delete(values, f.Name)
			continue
		case f.Value != "DIR" && f.Value != "FILE" && f.Value != "PATH":
			continue
		case !ok:
			v = f.Default
		}
		if v == "" {
			continue
		}
		path, err := filepath.Abs(v)
		if err != nil {
			return nil, err
		}
		values[f.Name] = path
	}
	return values, nil
}

// Join puts the results of all tasks together on this machine, without a device, and verifies them. out is what the workload's flag of
// that name says; "" writes no file. Errors are ErrInputs, ErrQueue, ErrFailed and those of the workload.
func (q *Queue) Join(ctx context.Context, out string) (result any, v workload.Verification, err error) {
	d, err := run.OpenWorkload(q.Job.Workload)
	if err != nil {
		return nil, v, err
	}
	values := map[string]string{}
	maps.Copy(values, q.Job.Values)
	if out != "" {
		values[outFlag] = out
	}
	w, err := run.Prepare(ctx, d, values)
	if err != nil {
		return nil, v, err
	}
	if err := q.Collect(ctx, w, func(int) bool { return false }); err != nil {
		return nil, v, err
	}
	if err := w.Joined(); err != nil {
		return nil, v, err
	}
	if v, err = w.Verify(ctx); err != nil {
		return nil, v, err
	}
	return w.Result(), v, nil
}
