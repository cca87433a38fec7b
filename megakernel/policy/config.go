package policy

import (
	"time"

	"vyretop/engine/fault"
	"vyretop/tasks"
)

// Config is what a caller asks of a megakernel.
type Config struct {
	Workers     uint32        // ceiling of resident workgroups
	MaxWallTime time.Duration // then the kernel drains and leaves
	HitsPerItem uint32        // expected; 0 counts as 1
	Workload    Workload
}

// DefaultConfig is DefaultWorkers for a minute, and nothing known about the work.
func DefaultConfig() Config {
	return Config{Workers: DefaultWorkers, MaxWallTime: time.Minute}
}

// Validate refuses a configuration that could do no work.
func (c *Config) Validate() error {
	if c.Workers == 0 {
		return zero("worker_count", "ask for at least one worker")
	}
	if c.MaxWallTime <= 0 {
		return &fault.Error{Kind: ErrInput, Detail: "max_wall_time is " + c.MaxWallTime.String(), Fix: "give a time to run"}
	}
	return nil
}

// Grid is the number of workgroups for a queue without asking the policy.
func (c *Config) Grid(queue, maxWidth uint32) [3]uint32 { return Grid(c.Workers, queue, maxWidth) }

// Request makes the request for a queue on a device.
func (c *Config) Request(queue uint32, limits *Limits) Request {
	return Request{QueueLen: queue, Groups: c.Workers, HitsPerItem: max(c.HitsPerItem, 1), Limits: *limits, Workload: c.Workload}
}

// Recommend shapes a launch for a queue with the standard policy. It does not need a valid c: no
// workers stand for the default of the limits.
func (c *Config) Recommend(queue uint32, limits *Limits) (Recommendation, error) {
	r, p := c.Request(queue, limits), StandardPolicy()
	return p.Recommend(&r, NoTopology)
}

// RequestForTasks makes the request for a queue of tasks, given as slot words; see AddQueue for what
// counts. A malformed queue is an error of package tasks.
func (c *Config) RequestForTasks(slots []uint32, limits *Limits) (Request, error) {
	q, err := tasks.Summarise(slots)
	if err != nil {
		return Request{}, err
	}
	r := c.Request(0, limits)
	return r, r.AddQueue(&q)
}

// RecommendForTasks is Recommend for a queue of tasks, given as in RequestForTasks.
func (c *Config) RecommendForTasks(slots []uint32, limits *Limits) (Recommendation, error) {
	r, err := c.RequestForTasks(slots, limits)
	if err != nil {
		return Recommendation{}, err
	}
	p := StandardPolicy()
	return p.Recommend(&r, NoTopology)
}
