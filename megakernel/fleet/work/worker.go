package work

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vyretop/megakernel/workload"
)

// The times of a worker.
const (
	DefaultLease = 30 * time.Second
	leastLease   = 100 * time.Millisecond
	fetchTime    = time.Second // that the hub may take to find a task
	retryTime    = time.Second // behind an error of the hub
	askTime      = 5 * time.Second
)

// maxTries is how many workers may take a task before it has failed.
const maxTries = 5

// Worker does tasks of a queue in this process.
type Worker struct {
	queue *Queue
	name  string
	lease time.Duration
	feed  *workload.Feed
	w     workload.Queued
	told  func(text string)

	cancel context.CancelFunc
	group  sync.WaitGroup
	ctx    context.Context

	mu    sync.Mutex
	units []int         // finished and not looked at
	wake  chan struct{} // when there are some
	held  map[int]*held // by task
	own   map[int]bool  // tasks whose results are here
	first int           // tasks of which the result at the hub is this worker's
}

// held is a task that the worker is at.
type held struct {
	message jetstream.Msg
	left    map[int]bool // units
}

// NewWorker makes a worker; name says which one it is, told is told what goes wrong and is tried again.
func (q *Queue) NewWorker(name string, lease time.Duration, told func(text string)) *Worker {
	w := &Worker{queue: q, name: name, lease: max(lease, leastLease), told: told, wake: make(chan struct{}, 1), held: map[int]*held{}, own: map[int]bool{}}
	w.feed = workload.NewFeed(w.finished)
	return w
}

// Feed is where the workload gets its units from.
func (w *Worker) Feed() *workload.Feed { return w.feed }

// finished notes a unit that the workload has finished. It does not wait.
func (w *Worker) finished(unit int) {
	w.mu.Lock()
	w.units = append(w.units, unit)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Begin takes tasks for a workload that is set up, until the queue is done or ctx ends. Errors are ErrInputs and ErrQueue.
func (w *Worker) Begin(ctx context.Context, q workload.Queued) error {
	if err := w.queue.Job.check(w.queue.Name, q.Inputs()); err != nil {
		return err
	}
	s, err := w.queue.stream(ctx, tasksStream(w.queue.Name))
	if err != nil {
		return failure(w.queue.Name, err)
	}
	c, err := steady(ctx, func(ctx context.Context) (jetstream.Consumer, error) {
		return s.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: w.lease, MaxAckPending: MaxTasks})
	})
	if err != nil {
		return failure(w.queue.Name, err)
	}
	w.w = q
	w.ctx, w.cancel = context.WithCancel(ctx)
	w.group.Go(func() { w.take(c) })
	w.group.Go(w.give)
	w.group.Go(w.keep)
	return nil
}

// take gets tasks while the workload asks for units.
func (w *Worker) take(c jetstream.Consumer) {
	for w.ctx.Err() == nil {
		select {
		case <-w.feed.Hungry():
		case <-w.ctx.Done():
			return
		}
		for got := false; !got && w.ctx.Err() == nil; {
			batch, err := c.Fetch(1, jetstream.FetchMaxWait(fetchTime))
			if err == nil {
				for m := range batch.Messages() {
					got = w.begin(m) || got
				}
				err = batch.Error()
			}
			if err != nil && !errors.Is(err, nats.ErrTimeout) {
				w.trouble("no task was taken: ", err)
				continue
			}
			if !got && w.over() {
				w.feed.End()
				return
			}
		}
	}
}

// trouble tells what went wrong, and waits before it is tried again.
func (w *Worker) trouble(what string, err error) {
	if w.ctx.Err() != nil {
		return
	}
	w.told("queue " + w.queue.Name + ": " + what + err.Error())
	select {
	case <-time.After(retryTime):
	case <-w.ctx.Done():
	}
}

// over reports whether every task has a result.
func (w *Worker) over() bool {
	ctx, cancel := context.WithTimeout(w.ctx, askTime)
	defer cancel()
	done, err := w.queue.done(ctx)
	return err == nil && done >= w.queue.Job.Tasks
}

// begin begins a task; it reports whether the workload has got units by that. A task that the worker has already brings none: the workload
// would wait for ever for units of other tasks.
func (w *Worker) begin(m jetstream.Msg) bool {
	task, err := strconv.Atoi(m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:])
	if err != nil || task < 0 || task >= w.queue.Job.Tasks {
		_ = m.Term() // no task of this queue: the hub keeps it otherwise, and gives it out again and again
		return false
	}
	w.mu.Lock()
	if h := w.held[task]; h != nil {
		h.message = m // its lease was over, and it came back here
		w.mu.Unlock()
		return false
	}
	own := w.own[task]
	w.mu.Unlock()
	if own || w.has(task) {
		_ = m.Ack() // it was done, and not removed
		return false
	}
	if meta, err := m.Metadata(); err == nil && meta.NumDelivered > maxTries {
		w.publish(task, m, nil, fmt.Sprintf("task %d: %d workers ended while they were at it", task, maxTries))
		return false
	}
	units := w.queue.Job.units(task)
	left := make(map[int]bool, len(units))
	for _, u := range units {
		left[u] = true
	}
	w.mu.Lock()
	w.held[task] = &held{message: m, left: left}
	w.mu.Unlock()
	w.feed.Put(units)
	return true
}

// has reports whether a task has a result.
func (w *Worker) has(task int) bool {
	ctx, cancel := context.WithTimeout(w.ctx, askTime)
	defer cancel()
	d, err := w.queue.js.Stream(ctx, doneStream(w.queue.Name))
	if err != nil {
		return false
	}
	_, err = d.GetLastMsgForSubject(ctx, doneSubject(w.queue.Name, task))
	return err == nil
}

// give publishes the results of tasks whose units are finished.
func (w *Worker) give() {
	for {
		select {
		case <-w.wake:
		case <-w.ctx.Done():
			return
		}
		for _, task := range w.completed() {
			data, err := w.w.Pack(w.queue.Job.units(task))
			failed := ""
			if err != nil {
				failed = err.Error()
			}
			w.mu.Lock()
			m := w.held[task].message
			w.mu.Unlock()
			w.publish(task, m, data, failed)
			w.mu.Lock()
			delete(w.held, task)
			w.mu.Unlock()
		}
		if w.over() {
			w.feed.End()
		}
	}
}

// completed are the tasks whose last unit was finished lately.
func (w *Worker) completed() (list []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.units {
		task := u % w.queue.Job.Tasks
		h := w.held[task]
		if h == nil || !h.left[u] {
			continue
		}
		if delete(h.left, u); len(h.left) == 0 {
			list = append(list, task)
		}
	}
	w.units = w.units[:0]
	return list
}

// publish publishes the result of a task until the hub has it, and then removes the task.
func (w *Worker) publish(task int, m jetstream.Msg, data []byte, failed string) {
	for w.ctx.Err() == nil {
		first, err := w.queue.put(w.ctx, w.name, task, data, failed)
		if err != nil {
			w.trouble("the result of a task was not taken: ", err)
			continue
		}
		w.mu.Lock()
		if w.own[task] = failed == ""; first {
			w.first++
		}
		w.mu.Unlock()
		_ = m.DoubleAck(w.ctx) // else it is given out again, and found to be done
		return
	}
}

// keep says within each lease that the worker is at its tasks.
func (w *Worker) keep() {
	t := time.NewTicker(w.lease / 3)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-w.ctx.Done():
			return
		}
		for _, m := range w.messages() {
			_ = m.InProgress() // without a hub the task goes to another worker, which does no harm
		}
	}
}

func (w *Worker) messages() (list []jetstream.Msg) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.held {
		list = append(list, h.message)
	}
	return list
}

// Done is how many tasks this worker has done.
func (w *Worker) Done() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.first
}

// Join takes in what other workers have found, once the queue is done. Errors are those of Queue.Collect.
func (w *Worker) Join(ctx context.Context) error {
	return w.queue.Collect(ctx, w.w, func(task int) bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.own[task]
	})
}

// Close gives the tasks that are not done back at once.
func (w *Worker) Close() {
	if w.cancel == nil {
		return
	}
	for _, m := range w.messages() {
		_ = m.Nak()
	}
	w.cancel()
	w.group.Wait()
	_ = w.queue.hub.FlushTimeout(askTime)
}
