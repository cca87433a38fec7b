package work_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/fleet/work"
	"vyretop/megakernel/workload"
)

// childVariable has a test program be a worker that tests kill: its value is the address of the hub. hubVariable has it be a hub: its value
// are broker.Options as JSON.
const (
	childVariable = "VYRETOP_TEST_WORKER"
	hubVariable   = "VYRETOP_TEST_HUB"
)

func TestMain(m *testing.M) {
	if hub := os.Getenv(childVariable); hub != "" {
		os.Exit(runChild(hub))
	}
	if options := os.Getenv(hubVariable); options != "" {
		os.Exit(runHub(options))
	}
	if order := os.Getenv(scanVariable); order != "" {
		os.Exit(runScan(order))
	}
	goleak.VerifyTestMain(m)
}

// patience bounds what a test waits for.
const patience = time.Minute

// lease is short, so that tests that kill a worker end soon.
const lease = 300 * time.Millisecond

// squares is a workload without a device: unit n is the square of n.
type squares struct {
	units  *workload.Units
	values []uint64
	have   []bool
	twice  int // units that were done more than once
	digest string
}

func newSquares(n int) *squares {
	return &squares{units: workload.NewUnits(n, 1), values: make([]uint64, n), have: make([]bool, n), digest: "squares"}
}

func (s *squares) Setup(context.Context) (*workload.Setup, error) { return &workload.Setup{}, nil }
func (s *squares) Run(context.Context, workload.Host) error       { return nil }
func (s *squares) Verify(context.Context) (workload.Verification, error) {
	return workload.Verification{OK: true}, nil
}
func (s *squares) Result() any                      { return s.sum() }
func (s *squares) Progress() (int64, int64, string) { return 0, 0, "" }
func (s *squares) Share(int)                        {}
func (s *squares) Lose(int) int                     { return 0 }
func (s *squares) Joined() error                    { return nil }
func (s *squares) Feed(f *workload.Feed)            { s.units.Feed(f) }
func (s *squares) Inputs() workload.Inputs {
	return workload.Inputs{Units: len(s.values), Digest: s.digest}
}

func (s *squares) sum() (n uint64) {
	for _, v := range s.values {
		n += v
	}
	return n
}

// RunShare does units until the feed ends; it takes a few at a time, as a ring with few free slots.
func (s *squares) RunShare(ctx context.Context, _ workload.Host, _ workload.Part) error {
	for {
		changed := s.units.Changed()
		if s.units.Ended() {
			return nil
		}
		list := s.units.Take(0, 1, 3)
		for _, u := range list {
			s.values[u], s.have[u] = uint64(u)*uint64(u), true
			s.units.Finish(0, u)
		}
		if len(list) > 0 {
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *squares) Pack(units []int) (out []byte, err error) {
	for _, u := range units {
		out = binary.LittleEndian.AppendUint64(out, s.values[u])
	}
	return out, nil
}

func (s *squares) Unpack(units []int, data []byte) error {
	if len(data) != 8*len(units) {
		return errors.New("another length")
	}
	for i, u := range units {
		if s.have[u] {
			s.twice++
		}
		s.values[u], s.have[u] = binary.LittleEndian.Uint64(data[8*i:]), true
	}
	return nil
}

// expected is the sum of all squares.
func expected(n int) (sum uint64) {
	for i := range uint64(n) {
		sum += i * i
	}
	return sum
}

// start starts a hub with streams.
func start(t testing.TB, o broker.Options) *broker.Broker {
	t.Helper()
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Store == "" {
		o.Store = t.TempDir()
	}
	b, err := broker.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func connect(t testing.TB, url string) *fleet.Hub {
	t.Helper()
	h, err := fleet.Connect(fleet.Address{URL: url}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// submit makes a queue of squares.
func submit(t testing.TB, h *fleet.Hub, name string, units, tasks int) *work.Queue {
	t.Helper()
	q, err := work.Submit(t.Context(), h, name, work.Job{Workload: "squares", Inputs: newSquares(units).Inputs(), Tasks: tasks})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// do is a worker that runs until the queue is done.
func do(ctx context.Context, q *work.Queue, name string) (s *squares, done int, err error) {
	w := q.NewWorker(name, lease, func(string) {})
	s = newSquares(q.Job.Inputs.Units)
	s.Feed(w.Feed())
	defer w.Close()
	if err := w.Begin(ctx, s); err != nil {
		return nil, 0, err
	}
	if err := s.RunShare(ctx, nil, workload.Part{}); err != nil {
		return nil, 0, err
	}
	return s, w.Done(), w.Join(ctx)
}

// collect puts the results of a queue together, without a worker.
func collect(ctx context.Context, q *work.Queue) (*squares, error) {
	s := newSquares(q.Job.Inputs.Units)
	s.Feed(workload.NewFeed(func(int) {}))
	return s, q.Collect(ctx, s, func(int) bool { return false })
}

// runChild is a worker in a process of its own, for the queue "q".
func runChild(hub string) int {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	h, err := fleet.Connect(fleet.Address{URL: hub}, false)
	if err == nil {
		defer h.Close()
		var q *work.Queue
		if q, err = work.Open(ctx, h, "q"); err == nil {
			fmt.Println("ready") // the test may kill it from here on
			_, _, err = do(ctx, q, fmt.Sprint("child-", os.Getpid()))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// runHub is a hub in a process of its own, until it is killed or its input ends.
func runHub(options string) int {
	var o broker.Options
	err := json.Unmarshal([]byte(options), &o)
	if err == nil {
		var b *broker.Broker
		if b, err = broker.Start(o); err == nil {
			fmt.Println("ready")
			_, _ = io.Copy(io.Discard, os.Stdin) // the test has ended
			b.Close()
			return 0
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}
