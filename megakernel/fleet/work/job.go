package work

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"vyretop/engine/fault"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/workload"
)

// Version is the version of tasks and results.
const Version = 1

// Job is what a queue is for.
type Job struct {
	Version   int               `json:"v"`
	Workload  string            `json:"workload"`
	Values    map[string]string `json:"values,omitempty"` // of the workload's flags
	Inputs    workload.Inputs   `json:"inputs"`
	Tasks     int               `json:"tasks"`
	Submitted time.Time         `json:"submitted"`
	By        string            `json:"by,omitempty"` // the user
}

// metadata is the key of the job in the metadata of its stream.
const metadata = "vyretop-job"

// MaxTasks bounds the tasks of a queue.
const MaxTasks = 1 << 14

// duplicates is how long a task that was published is not published a second time, when submitting is tried again.
const duplicates = 10 * time.Minute

// units are those of a task.
func (j *Job) units(task int) (out []int) {
	for u := task; u < j.Inputs.Units; u += j.Tasks {
		out = append(out, u)
	}
	return out
}

// check compares inputs with those that were submitted.
func (j *Job) check(name string, have workload.Inputs) error {
	if have == j.Inputs {
		return nil
	}
	detail := "it has the same number of units, made of something else"
	if have.Units != j.Inputs.Units {
		detail = fmt.Sprintf("it has %d units instead of %d", have.Units, j.Inputs.Units)
	}
	return &fault.Error{Kind: ErrInputs, Subject: "queue " + name, Detail: "this machine has other inputs than were submitted: " + detail, Fix: "give all machines the same files, and name where they are here with the flags of the workload"}
}

func tasksStream(name string) string { return "vyretop-work-" + name }
func doneStream(name string) string  { return "vyretop-done-" + name }
func bucket(name string) string      { return "vyretop-work-" + name }

func taskSubject(name string, task int) string {
	return fmt.Sprintf("vyretop.work.%s.task.%d", name, task)
}

func doneSubject(name string, task int) string {
	return fmt.Sprintf("vyretop.work.%s.done.%d", name, task)
}

// doneSubjects are those of all results.
func doneSubjects(name string) string { return "vyretop.work." + name + ".done.*" }

// Queue is a queue at a hub.
type Queue struct {
	Name string
	Job  Job

	hub *fleet.Hub
	js  jetstream.JetStream
}

// open is a queue without its job.
func open(h *fleet.Hub, name string) (*Queue, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	js, err := h.Streams()
	if err != nil {
		return nil, failure(name, err)
	}
	return &Queue{Name: name, hub: h, js: js}, nil
}

// Open finds a queue. Errors are ErrQueue.
func Open(ctx context.Context, h *fleet.Hub, name string) (*Queue, error) {
	q, err := open(h, name)
	if err != nil {
		return nil, err
	}
	s, err := while(ctx, unanswered, func(ctx context.Context) (jetstream.Stream, error) { return q.js.Stream(ctx, tasksStream(name)) })
	if err != nil {
		return nil, failure(name, err)
	}
	return q, q.read(s.CachedInfo().Config.Metadata)
}

// read reads the job of a queue.
func (q *Queue) read(meta map[string]string) error {
	invalid := func(detail string) error {
		return &fault.Error{Kind: ErrQueue, Subject: "queue " + q.Name, Detail: detail, Fix: "use the version of vyretop that submitted it, or submit it again"}
	}
	if err := json.Unmarshal([]byte(meta[metadata]), &q.Job); err != nil {
		return invalid("its description cannot be read: " + err.Error())
	}
	j := &q.Job
	switch {
	case j.Version != Version:
		return invalid(fmt.Sprintf("it was submitted by another version of vyretop: its description has version %d, this program knows version %d", j.Version, Version))
	case j.Tasks < 1 || j.Tasks > MaxTasks || j.Inputs.Units < j.Tasks:
		return invalid("its description makes no sense")
	}
	return nil
}

// Submit makes a queue and publishes its tasks. One that was interrupted is continued by another call with the same job. Errors are
// ErrQueue.
func Submit(ctx context.Context, h *fleet.Hub, name string, j Job) (*Queue, error) {
	q, err := open(h, name)
	if err != nil {
		return nil, err
	}
	j.Version, j.Tasks = Version, min(j.Tasks, j.Inputs.Units)
	q.Job = j
	if err := q.create(ctx); err != nil {
		return nil, err
	}
	for task := range q.Job.Tasks {
		_, err := q.js.PublishAsync(taskSubject(name, task), nil, jetstream.WithMsgID(fmt.Sprintf("task-%d", task)))
		if err != nil {
			return nil, failure(name, err)
		}
	}
	select {
	case <-q.js.PublishAsyncComplete():
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return q, q.complete(ctx)
}

// create makes the streams. A queue of this name that has the same work is continued.
func (q *Queue) create(ctx context.Context) error {
	if s, err := q.js.Stream(ctx, tasksStream(q.Name)); err == nil {
		before := *q
		if err := before.read(s.CachedInfo().Config.Metadata); err != nil || before.Job.Inputs != q.Job.Inputs || before.Job.Workload != q.Job.Workload {
			return failure(q.Name, jetstream.ErrStreamNameAlreadyInUse)
		}
		q.Job = before.Job
		return nil
	}
	text, err := json.Marshal(q.Job)
	if err != nil {
		return failure(q.Name, err)
	}
	replicas := q.hub.Replicas()
	_, err = q.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: doneStream(q.Name), Subjects: []string{doneSubjects(q.Name)}, AllowDirect: true, Replicas: replicas,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, // the first result of a task is the one that counts
	})
	if err != nil {
		return failure(q.Name, err)
	}
	_, err = q.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: tasksStream(q.Name), Subjects: []string{"vyretop.work." + q.Name + ".task.*"}, Retention: jetstream.WorkQueuePolicy, Duplicates: duplicates,
		Metadata: map[string]string{metadata: string(text)}, Replicas: replicas,
	})
	if err != nil {
		return failure(q.Name, err)
	}
	return nil
}

// complete makes sure that all tasks arrived: each is in the stream, or has been done.
func (q *Queue) complete(ctx context.Context) error {
	p, err := q.progress(ctx)
	if err == nil && p.Waiting+p.Taken+p.Done < q.Job.Tasks {
		return &fault.Error{Kind: ErrQueue, Subject: "queue " + q.Name, Detail: fmt.Sprintf("the hub has taken %d of %d tasks", p.Waiting+p.Taken+p.Done, q.Job.Tasks), Fix: "submit it again, which continues"}
	}
	return err
}
