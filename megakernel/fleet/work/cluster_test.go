package work_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/fleet/work"
)

// freePort is a port of this machine that no process uses.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// servers are a cluster of processes.
type servers struct {
	options []broker.Options
	running []*exec.Cmd
	url     string
}

// cluster starts three servers.
func cluster(t *testing.T) *servers {
	t.Helper()
	c := &servers{running: make([]*exec.Cmd, 3)}
	var peers, urls []string
	for range 3 {
		peers = append(peers, freePort(t))
	}
	for i := range 3 {
		listen := freePort(t)
		urls = append(urls, "nats://"+listen)
		c.options = append(c.options, broker.Options{Listen: listen, Name: fmt.Sprint("hub", i), Cluster: peers[i], Peers: peers, Store: t.TempDir()})
	}
	c.url = strings.Join(urls, ",")
	for i := range 3 {
		c.start(t, i)
	}
	return c
}

// start starts a server, with what it had stored before.
func (c *servers) start(t *testing.T, i int) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	options, err := json.Marshal(map[string]any{
		"Listen": c.options[i].Listen, "Name": c.options[i].Name, "Cluster": c.options[i].Cluster, "Peers": c.options[i].Peers, "Store": c.options[i].Store,
	})
	if err != nil {
		t.Fatal(err)
	}
	p := exec.Command(program)
	p.Env = append(os.Environ(), hubVariable+"="+string(options))
	p.Stderr = os.Stderr
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = p.Process.Kill() // it may have ended
		_ = p.Wait()         // or was waited for
	})
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("server %d has not started: %v", i, err)
	}
	c.running[i] = p
}

// kill ends a server without a word.
func (c *servers) kill(t *testing.T, i int) {
	t.Helper()
	if err := c.running[i].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.running[i].Wait() // it was killed
}

// whole waits until all servers have all of a queue.
func whole(t *testing.T, h *fleet.Hub, name string) {
	t.Helper()
	js, err := jetstream.New(h.Conn)
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); ; {
		current := 0
		for _, stream := range []string{"vyretop-work-" + name, "vyretop-done-" + name} {
			s, err := js.Stream(t.Context(), stream)
			if err != nil || s.CachedInfo().Cluster == nil || s.CachedInfo().Cluster.Leader == "" {
				continue
			}
			for _, r := range s.CachedInfo().Cluster.Replicas {
				if r.Current && !r.Offline {
					current++
				}
			}
		}
		if current == 4 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d of 4 replicas of queue %s are whole", current, name)
		}
	}
}

// submitTo makes a queue once the servers have found each other.
func submitTo(t *testing.T, h *fleet.Hub, name string) *work.Queue {
	t.Helper()
	job := work.Job{Workload: "squares", Inputs: newSquares(2000).Inputs(), Tasks: 100}
	for end := time.Now().Add(patience); ; {
		q, err := work.Submit(t.Context(), h, name, job)
		if err == nil {
			return q
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// TestAClusterLosesNothingWithAServer: of three processes each is killed in turn while work is done, and comes back; no task and no result
// is lost.
func TestAClusterLosesNothingWithAServer(t *testing.T) {
	c := cluster(t)
	h := connect(t, c.url)
	var queues []*work.Queue
	for i := range 3 {
		name := fmt.Sprint("q", i)
		q := submitTo(t, h, name)
		queues = append(queues, q)
		whole(t, h, name)
		ended := make(chan error)
		for k := range 2 {
			own := connect(t, c.url)
			go func() { ended <- doAll(t, own, name, fmt.Sprint("worker-", k)) }()
		}
		until(t, q, 10)
		c.kill(t, i)
		for range 2 {
			if err := <-ended; err != nil {
				t.Errorf("without server %d: %v", i, err)
			}
		}
		c.start(t, i)
		whole(t, h, name)
	}
	for i, q := range queues {
		if s, err := collect(t.Context(), q); err != nil || s.sum() != expected(2000) || s.twice > 0 {
			t.Errorf("queue %d collected: %v", i, err)
		}
	}
}

// doAll is a worker until the queue is done, and checks what it has then. A cluster that elects a leader answers late.
func doAll(t *testing.T, h *fleet.Hub, queue, name string) error {
	q, err := work.Open(t.Context(), h, queue)
	if err != nil {
		return err
	}
	s, _, err := do(t.Context(), q, name)
	if err == nil && s.sum() != expected(2000) {
		err = fmt.Errorf("the sum is %d", s.sum())
	}
	return err
}
