package run

import (
	"context"

	"vyretop/megakernel/workload"
)

// Prepare sets a workload up whose work a queue hands out, without a device: its units are known, and results of other processes can be
// taken in. Errors are ErrNotShared and those of the workload.
func Prepare(ctx context.Context, d workload.Definition, values map[string]string) (workload.Queued, error) {
	w, err := d.New(values)
	if err != nil {
		return nil, err
	}
	if err := CheckQueued(d.Name(), w); err != nil {
		return nil, err
	}
	q := w.(workload.Queued)
	q.Share(1)
	q.Feed(workload.NewFeed(func(int) {}))
	_, err = q.Setup(ctx)
	return q, err
}
