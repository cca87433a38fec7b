package work_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

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

// TestAClusterLosesNothingWithAServer: of three servers any one may end while work is done.
func TestAClusterLosesNothingWithAServer(t *testing.T) {
	var peers, urls []string
	for range 3 {
		peers = append(peers, freePort(t))
	}
	var servers []*broker.Broker
	for i := range 3 {
		b := start(t, broker.Options{Name: fmt.Sprint("hub", i), Cluster: peers[i], Peers: peers})
		servers, urls = append(servers, b), append(urls, b.URL())
	}
	h := connect(t, strings.Join(urls, ","))
	job := work.Job{Workload: "squares", Inputs: newSquares(2000).Inputs(), Tasks: 100}
	q, err := work.Submit(t.Context(), h, "q", job)
	for tries := 0; err != nil && tries < 30; tries++ { // until the servers have found each other
		q, err = work.Submit(t.Context(), h, "q", job)
	}
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	for i := range 2 {
		go func() {
			own := connect(t, strings.Join(urls, ","))
			q, err := work.Open(t.Context(), own, "q")
			if err == nil {
				var s *squares
				if s, _, err = do(t.Context(), q, fmt.Sprint("worker-", i)); err == nil && s.sum() != expected(2000) {
					err = fmt.Errorf("the sum is %d", s.sum())
				}
			}
			ended <- err
		}()
	}
	until(t, q, 10)
	servers[1].Close()
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if s, err := collect(t.Context(), q); err != nil || s.sum() != expected(2000) {
		t.Errorf("collected: %v", err)
	}
}
