package work_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"vyretop/engine/reference"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/fleet/work"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// What TestScanByFourProcesses measures; it is skipped without -scale.
var (
	scale     = flag.Int("scale", 0, "rounds of TestScanByFourProcesses")
	scaleTime = flag.Duration("scale-device", 100*time.Microsecond, "simulated time of a device for each word of text that it searches")
)

// scanVariable has a test program be a run of scan: its value is a scanOrder as JSON.
const scanVariable = "VYRETOP_TEST_SCAN"

// scanOrder says what a process of the measurement does.
type scanOrder struct {
	Hub, Queue, Name string
	Device           time.Duration // that it takes for a word of text
}

// The tree that is scanned.
const (
	scaleFiles = 512
	scaleBytes = 512
	scaleTasks = 128
)

// slow is a scan on a device that does one task after the other, in a time that is simulated: the work itself is done by the interpreter.
type slow struct {
	workload.Queued
	word time.Duration
}

func (s *slow) RunShare(ctx context.Context, h workload.Host, part workload.Part) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := &slowHost{Host: h, word: s.word, out: make(chan []workload.Completion), words: map[uint32]int{}}
	go d.pass(ctx)
	return s.Queued.RunShare(ctx, d, part)
}

// slowHost is a host whose tasks end when the simulated device has had the time for them.
type slowHost struct {
	workload.Host
	word time.Duration
	out  chan []workload.Completion

	mu    sync.Mutex
	texts []int          // words of those that were written and are in no task yet
	words map[uint32]int // of the text of each task
}

// Wrote notes how long the text of the next task is.
func (d *slowHost) Wrote(name string, first, words int) {
	if name == "text" {
		d.mu.Lock()
		d.texts = append(d.texts, words)
		d.mu.Unlock()
	}
	d.Host.Wrote(name, first, words)
}

// Publish notes which task has which text: they come in the order in which they were written.
func (d *slowHost) Publish(ctx context.Context, list []tasks.Task) error {
	d.mu.Lock()
	for _, t := range list {
		d.words[t.TaskID], d.texts = d.texts[0], d.texts[1:]
	}
	d.mu.Unlock()
	return d.Host.Publish(ctx, list)
}

func (d *slowHost) Completions() <-chan []workload.Completion { return d.out }

// pass passes each completion on when the device is through with it; the device is busy from the first one on.
func (d *slowHost) pass(ctx context.Context) {
	free := time.Now()
	for cs := range d.Host.Completions() {
		for _, c := range cs {
			d.mu.Lock()
			takes := time.Duration(d.words[c.TaskID]) * d.word
			d.mu.Unlock()
			if now := time.Now(); free.Before(now) {
				free = now
			}
			free = free.Add(takes)
			select {
			case <-time.After(time.Until(free)):
			case <-ctx.Done():
				return
			}
			select {
			case d.out <- []workload.Completion{c}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// runScan is a run of scan from a queue in a process of its own. It begins when a line comes.
func runScan(text string) int {
	var o scanOrder
	err := json.Unmarshal([]byte(text), &o)
	if err == nil {
		err = o.run(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (o *scanOrder) run(ctx context.Context) error {
	h, err := fleet.Connect(fleet.Address{URL: o.Hub}, false)
	if err != nil {
		return err
	}
	defer h.Close()
	q, err := work.Open(ctx, h, o.Queue)
	if err != nil {
		return err
	}
	w, err := scanOf(q.Job.Values)
	if err != nil {
		return err
	}
	backend, err := reference.Open(reference.Options{})
	if err != nil {
		return err
	}
	defer backend.Close()
	worker := q.NewWorker(o.Name, work.DefaultLease, func(string) {})
	defer worker.Close()
	r, err := run.Start(ctx, run.Config{Workload: &slow{w, o.Device}, Backend: backend, Queue: worker, Want: policy.Config{Workers: 1}, WorkgroupSize: 4})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	if err := r.Work(ctx); err != nil {
		return err
	}
	outcome, err := r.Finish(ctx, true)
	if err != nil {
		return err
	}
	if !outcome.Verification.OK {
		return fmt.Errorf("verification: %s", outcome.Verification.Detail)
	}
	fmt.Println(workload.ResultDigest(outcome.Result))
	return r.Close()
}

func scanOf(values map[string]string) (workload.Queued, error) {
	d, err := run.OpenWorkload("scan")
	if err != nil {
		return nil, err
	}
	w, err := d.New(values)
	if err != nil {
		return nil, err
	}
	return w.(workload.Queued), nil
}

// TestScanByFourProcesses measures how long runs of scan take for a queue, one and four in turns, with a device whose time is simulated.
func TestScanByFourProcesses(t *testing.T) {
	if *scale == 0 {
		t.Skip("only with -scale")
	}
	dir := t.TempDir()
	tree(t, filepath.Join(dir, "tree"))
	patterns := filepath.Join(dir, "patterns")
	if err := os.WriteFile(patterns, []byte("needle\nhay\nab\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"path": filepath.Join(dir, "tree"), "patterns": patterns}
	b := start(t, broker.Options{})
	h := connect(t, b.URL())
	d, err := run.OpenWorkload("scan")
	if err != nil {
		t.Fatal(err)
	}
	job, err := work.NewJob(t.Context(), d, values, scaleTasks)
	if err != nil {
		t.Fatal(err)
	}
	for round := range *scale {
		times, digests := map[int]time.Duration{}, map[string]bool{}
		for _, n := range []int{1, 4} {
			name := fmt.Sprintf("scan-%d-%d", round, n)
			q, err := work.Submit(t.Context(), h, name, job)
			if err != nil {
				t.Fatal(err)
			}
			times[n] = scanBy(t, q, b.URL(), n, digests)
			if err := q.Delete(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if len(digests) != 1 {
			t.Errorf("results differ: %v", digests)
		}
		t.Logf("one process %v, four %v: %.2fx", times[1].Round(time.Millisecond), times[4].Round(time.Millisecond), times[1].Seconds()/times[4].Seconds())
	}
}

// tree writes files of random text.
func tree(t *testing.T, dir string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range scaleFiles {
		text := make([]byte, scaleBytes)
		for k := range text {
			text[k] = "abhayneedle \n"[random.IntN(13)]
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d", i)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// scanBy has that many processes do the work of a queue, and measures from when all are ready until the last task has a result.
func scanBy(t *testing.T, q *work.Queue, hub string, n int, digests map[string]bool) time.Duration {
	t.Helper()
	type process struct {
		cmd *exec.Cmd
		in  io.WriteCloser
		out *bufio.Reader
	}
	var list []process
	for i := range n {
		text, err := json.Marshal(scanOrder{hub, q.Name, fmt.Sprint("scan-", i), *scaleTime})
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(os.Args[0])
		c.Env, c.Stderr = append(os.Environ(), scanVariable+"="+string(text)), os.Stderr
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		p := process{c, in, bufio.NewReader(out)}
		if _, err := p.out.ReadString('\n'); err != nil {
			t.Fatalf("process %d: %v", i, err)
		}
		list = append(list, p)
	}
	began := time.Now()
	for _, p := range list {
		if _, err := fmt.Fprintln(p.in); err != nil {
			t.Fatal(err)
		}
	}
	until(t, q, scaleTasks)
	took := time.Since(began)
	for i, p := range list {
		digest, err := p.out.ReadString('\n')
		if err == nil {
			err = p.cmd.Wait()
		}
		if err != nil {
			t.Errorf("process %d: %v", i, err)
		}
		digests[digest] = true
	}
	return took
}
