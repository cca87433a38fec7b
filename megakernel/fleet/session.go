package fleet

import "sync"

// session is what frames go to before there is a connection for them: the other side may be faster.
type session struct {
	mu    sync.Mutex
	conn  *Conn
	early [][]byte
}

// maxEarly bounds the frames that are kept.
const maxEarly = 64

// take hands a frame to the connection.
func (s *session) take(frame []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.conn != nil:
		s.conn.take(frame)
	case len(s.early) < maxEarly: // what is left out is missed, which ends the connection
		s.early = append(s.early, frame)
	}
}

// begin hands over what came early.
func (s *session) begin(c *Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, frame := range s.early {
		c.take(frame)
	}
	s.conn, s.early = c, nil
}
