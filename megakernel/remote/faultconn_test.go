package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/live"
)

// faultyConn is a connection of which a call fails. The other end sees it closed then.
type faultyConn struct {
	*net.UnixConn
	calls *atomic.Int64
	fails int64 // number of the call that fails, from 1
	with  error // nil: the call does half of what it is asked to, and says so
}

// next counts a call, and reports whether it fails.
func (f *faultyConn) next() bool {
	if f.calls.Add(1) != f.fails {
		return false
	}
	if f.with != nil {
		f.UnixConn.Close()
	}
	return true
}

func (f *faultyConn) Read(p []byte) (int, error) {
	if !f.next() {
		return f.UnixConn.Read(p)
	}
	if f.with == nil {
		return f.UnixConn.Read(p[:(len(p)+1)/2])
	}
	return 0, f.with
}

func (f *faultyConn) Write(p []byte) (int, error) {
	if !f.next() {
		return f.UnixConn.Write(p)
	}
	if f.with == nil {
		return f.UnixConn.Write(p[:len(p)/2])
	}
	return 0, f.with
}

// use attaches, and does what a dashboard and the commands do.
func (r *run) use(ctx context.Context, o DialOptions) error {
	o.Dir, o.Control = r.dir, ControlAsk
	c, err := Dial(ctx, r.server.Name(), o)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.First(ctx)
	for range 3 {
		if err == nil {
			err = c.ReadBuffer(ctx, "table", 0, make([]uint32, 3000))
		}
		if err == nil {
			_, err = c.Do(ctx, megakernel.Command{Op: megakernel.OpPauseAll})
		}
		if err == nil {
			_, err = c.Apply(ctx, megakernel.Setting{ID: megakernel.AgingSetting, Value: 3})
		}
	}
	if err == nil {
		err = c.Lost()
	}
	return err
}

// TestEachCallOfAConnectionMayFail: each call of a client fails in turn, in each way, and the server's end with it. The
// client gets one typed error that says what to do, nothing hangs, and the server continues serving others.
func TestEachCallOfAConnectionMayFail(t *testing.T) {
	r := newRun(t, Options{AllowControl: true}, live.Options{})
	try := func(fails int64, with error) (calls int64, err error) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		var n atomic.Int64
		err = r.use(ctx, DialOptions{wrap: func(c net.Conn) net.Conn { return &faultyConn{c.(*net.UnixConn), &n, fails, with} }})
		if ctx.Err() != nil {
			t.Fatalf("call %d failed with %v, and the client hung: %v", fails, with, err)
		}
		return n.Load(), err
	}
	whole, err := try(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, with := range map[string]error{
		"EIO": syscall.EIO, "EPIPE": syscall.EPIPE, "ECONNRESET": syscall.ECONNRESET, "ENOBUFS": syscall.ENOBUFS, "timeout": os.ErrDeadlineExceeded, "short": nil,
	} {
		for fails := int64(1); fails <= whole; fails++ {
			calls, err := try(fails, with)
			what := fmt.Sprintf("%s in call %d of %d", name, fails, calls)
			switch {
			case err == nil && (with == nil || calls <= fails || calls >= whole): // a short read, or every request was answered before the call failed
			case err == nil:
				t.Errorf("%s: nothing is said", what)
			case !errors.Is(err, ErrLost) && !errors.Is(err, ErrRefused), strings.Count(err.Error(), "Fix: ") != 1:
				t.Errorf("%s: error %v", what, err)
			}
		}
	}
	if _, err := try(0, nil); err != nil {
		t.Errorf("the server serves no client any longer: %v", err)
	}
	t.Logf("%d calls", whole)
}
