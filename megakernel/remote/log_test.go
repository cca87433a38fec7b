package remote

import (
	"errors"
	"net"
	"testing"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/live"
)

// growing is a client for which the device writes more of its log with everything that it takes.
type growing struct {
	hub    *live.Hub
	logged uint64
	writes int
}

func (g *growing) grow() {
	records := make([]megakernel.LogRecord, logBatch)
	for i := range records {
		records[i].Number = g.logged
		g.logged++
	}
	g.hub.AddLog(megakernel.BlocksOf(records))
}

func (g *growing) Write(p []byte) (int, error) {
	if g.writes++; g.writes > 100 {
		return 0, errors.New("there is no end of the log")
	}
	g.grow()
	return len(p), nil
}

// TestALogThatGrowsKeepsNoSnapshotBack: a client that took the log more slowly than it was written never got a snapshot,
// and was given up.
func TestALogThatGrowsKeepsNoSnapshotBack(t *testing.T) {
	g := &growing{hub: live.New(&fakeSession{}, megakernel.Target{}, live.Options{})}
	g.grow()
	out, err := fixtures.NewStreamWriter(g, header("scan"), topics...)
	if err != nil {
		t.Fatal(err)
	}
	c := &conn{server: &Server{hub: g.hub}, socket: new(net.UnixConn), out: out} // a socket that is not open takes no deadline
	for range 3 {                                                                // what came in the meantime is sent with the next one
		var gap fixtures.Gap
		end := g.hub.LogEnd()
		if err := errors.Join(c.sendLog(0, &gap), out.Flush()); err != nil {
			t.Fatal(err)
		}
		if c.log < end {
			t.Errorf("the log was sent up to %d, and there were %d", c.log, end)
		}
	}
}
