package work

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"vyretop/megakernel/fleet"
)

// workers is the name of the consumer that hands out tasks.
const workers = "workers"

// Progress is how far a queue is.
type Progress struct {
	Waiting int `json:"waiting"` // tasks that no worker has
	Taken   int `json:"taken"`   // that workers are at
	Done    int `json:"done"`    // with a result, failed ones too
}

// Progress asks the hub.
func (q *Queue) Progress(ctx context.Context) (Progress, error) {
	return while(ctx, unanswered, q.progress)
}

func (q *Queue) progress(ctx context.Context) (p Progress, err error) {
	s, err := q.js.Stream(ctx, tasksStream(q.Name))
	if err != nil {
		return p, failure(q.Name, err)
	}
	left := int(s.CachedInfo().State.Msgs)
	c, err := s.Consumer(ctx, workers)
	switch {
	case err == nil:
		p.Taken = min(c.CachedInfo().NumAckPending, left)
	case !errors.Is(err, jetstream.ErrConsumerNotFound):
		return p, failure(q.Name, err)
	}
	if p.Done, err = q.done(ctx); err != nil {
		return p, failure(q.Name, err)
	}
	open := max(q.Job.Tasks-p.Done, 0) // messages that are no tasks may be left
	p.Taken = min(p.Taken, open)
	p.Waiting = min(left-p.Taken, open-p.Taken)
	return p, nil
}

// done is how many tasks have a result.
func (q *Queue) done(ctx context.Context) (n int, err error) {
	d, err := q.js.Stream(ctx, doneStream(q.Name))
	if err != nil {
		return 0, err
	}
	if n = int(d.CachedInfo().State.Msgs); n < q.Job.Tasks {
		return n, nil
	}
	info, err := d.Info(ctx, jetstream.WithSubjectFilter(doneSubjects(q.Name))) // there may be messages that are results of no task
	if err != nil {
		return 0, err
	}
	n = 0
	for task := range q.Job.Tasks {
		if info.State.Subjects[doneSubject(q.Name, task)] > 0 {
			n++
		}
	}
	return n, nil
}

// pollTime is the time between two looks at a queue that is waited for.
const pollTime = 500 * time.Millisecond

// Await returns when all tasks are done.
func (q *Queue) Await(ctx context.Context) error {
	for {
		p, err := steady(ctx, q.progress)
		if err != nil || p.Done >= q.Job.Tasks {
			return err
		}
		select {
		case <-time.After(pollTime):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Share is what a worker has done of a queue.
type Share struct {
	Worker string `json:"worker"`
	Tasks  int    `json:"tasks"`
	Failed int    `json:"failed,omitempty"`
}

// Shares are what each worker has done, in the order of their names.
func (q *Queue) Shares(ctx context.Context) (list []Share, err error) {
	d, err := q.js.Stream(ctx, doneStream(q.Name))
	if err != nil {
		return nil, failure(q.Name, err)
	}
	left := int(d.CachedInfo().State.Msgs)
	c, err := d.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{HeadersOnly: true})
	if err != nil {
		return nil, failure(q.Name, err)
	}
	defer fleet.DropReader(d, c)
	of := map[string]*Share{}
	for left > 0 {
		batch, err := c.Fetch(min(left, 256))
		if err != nil {
			return nil, failure(q.Name, err)
		}
		n := 0
		for m := range batch.Messages() {
			n++
			name := m.Headers().Get(headerWorker)
			s := of[name]
			if s == nil {
				s = &Share{Worker: name}
				of[name] = s
			}
			s.Tasks++
			if m.Headers().Get(headerFailed) != "" {
				s.Failed++
			}
		}
		if n == 0 {
			return nil, failure(q.Name, errors.Join(batch.Error(), ctx.Err()))
		}
		left -= n
	}
	for _, s := range of {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b Share) int { return strings.Compare(a.Worker, b.Worker) })
	return list, nil
}

// List are all queues of a hub, in the order of their names.
func List(ctx context.Context, h *fleet.Hub) (list []*Queue, err error) {
	js, err := h.Streams()
	if err != nil {
		return nil, failure("", err)
	}
	all := js.ListStreams(ctx, jetstream.WithStreamListSubject("vyretop.work.*.task.*"))
	for info := range all.Info() {
		q := &Queue{Name: strings.TrimPrefix(info.Config.Name, tasksStream("")), hub: h, js: js}
		if q.read(info.Config.Metadata) == nil { // one of another version has nothing to show
			list = append(list, q)
		}
	}
	if err := all.Err(); err != nil && !errors.Is(err, jetstream.ErrEndOfData) {
		return nil, failure("list", err)
	}
	slices.SortFunc(list, func(a, b *Queue) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// Delete removes a queue with its results.
func (q *Queue) Delete(ctx context.Context) error {
	for _, remove := range []func() error{
		func() error { return q.js.DeleteStream(ctx, tasksStream(q.Name)) },
		func() error { return q.js.DeleteStream(ctx, doneStream(q.Name)) },
		func() error { return q.js.DeleteObjectStore(ctx, bucket(q.Name)) },
	} {
		if err := remove(); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) && !errors.Is(err, jetstream.ErrBucketNotFound) {
			return failure(q.Name, err)
		}
	}
	return nil
}
