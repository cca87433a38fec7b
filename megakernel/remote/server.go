package remote

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel/live"
)

// maxClients bounds the clients at one time.
const maxClients = 32

// acceptPause is how long a server that cannot accept waits before it tries again.
const acceptPause = 100 * time.Millisecond

// Options shape a server; the zero value of each field means its default.
type Options struct {
	Dir          string // of the sockets
	AllowControl bool   // every client that does more than watch gets control
	NoControl    bool   // no client gets control
	Steered      bool   // the run's own dashboard has control
	// Audit, when not nil, is told of every request that could change the run, once it was answered. It must not block.
	Audit func(Audited)
	uid   int // of the peers; tests change it
}

// Server lets clients watch and steer a run. It ends with the hub, or with Close.
type Server struct {
	hub      *live.Hub
	header   fixtures.Header
	o        Options
	name     string
	listener *net.UnixListener // nil: clients come by Join only
	ctx      context.Context
	cancel   context.CancelFunc
	group    sync.WaitGroup

	mu     sync.Mutex
	conns  map[*conn]struct{}
	taken  int // how often a client has taken control from another one
	closed bool
}

// Listen makes the run of a hub reachable under the name of its workload. Errors are ErrListen.
func Listen(hub *live.Hub, header fixtures.Header, o Options) (*Server, error) {
	l, name, err := claim(o.Dir, cleanName(header.Target.Workload))
	if err != nil {
		return nil, err
	}
	s := Serve(hub, header, o)
	s.name, s.listener = name, l
	s.group.Go(s.accept)
	return s, nil
}

// Serve makes a server without a socket, for clients that Join brings.
func Serve(hub *live.Hub, header fixtures.Header, o Options) *Server {
	if o.uid == 0 {
		o.uid = os.Getuid()
	}
	s := &Server{hub: hub, header: header, o: o, name: cleanName(header.Target.Workload), conns: map[*conn]struct{}{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Hub is the hub of the run that is served.
func (s *Server) Hub() *live.Hub { return s.hub }

// Name is the name of the target.
func (s *Server) Name() string { return s.name }

// farewell is how long a client has to take what is left when the server closes: less would be enough for any that is
// not stopped, and lose the end of the run to one on a busy host.
const farewell = 3 * time.Second

// Close stops listening and removes the socket. Clients get what the hub read last, where the hub has
// ended, and their connections end.
func (s *Server) Close() error {
	var err error
	if s.listener != nil {
		err = s.listener.Close() // removes the socket
	}
	s.mu.Lock()
	s.closed = true
	patience := time.Duration(0)
	if s.hub.Ended() {
		patience = farewell
	}
	for c := range s.conns {
		c.leave(patience)
	}
	s.mu.Unlock()
	s.cancel()
	s.group.Wait()
	return err
}

func (s *Server) accept() {
	for {
		c, err := s.listener.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			s.serve(c)
			continue
		}
		select { // there are no files left, perhaps
		case <-s.ctx.Done():
			return
		case <-time.After(acceptPause):
		}
	}
}

// serve gives a connection a goroutine, if its peer may have one.
func (s *Server) serve(c *net.UnixConn) {
	p, err := peerOf(c)
	if err != nil || p.uid != s.o.uid {
		c.Close()
		return
	}
	s.Join(c, Peer{Process: p.pid, Rights: Administer})
}

// Join serves a client that came by another way than the socket, which has made sure who it is. It reports false, and closes the
// connection, where there are too many clients or the server is closed.
func (s *Server) Join(c net.Conn, p Peer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.conns) == maxClients {
		c.Close()
		return false
	}
	k := &conn{server: s, socket: c, peer: p, replies: make(chan reply, maxPending), pending: make(chan struct{}, maxPending)}
	s.conns[k] = struct{}{}
	s.group.Go(k.run)
	return true
}
