package remote

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel/live"
)

// talk sends text to a server and returns the topics that it answers with, until it closes.
func talk(t testing.TB, r *run, text string, half bool) []string {
	t.Helper()
	socket, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: filepath.Join(r.dir, r.server.Name()+suffix), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	_ = socket.SetDeadline(time.Now().Add(patience))
	_, _ = io.WriteString(socket, text)
	if half {
		_ = socket.CloseWrite()
	}
	stream, err := fixtures.NewStreamReader(socket, "server")
	if err != nil {
		return nil
	}
	defer stream.Close()
	var topics []string
	for {
		m, err := stream.Next()
		if err != nil {
			return topics
		}
		topics = append(topics, m.Topic)
	}
}

// TestMalformedClientsAreRefused: a sender that is not a client ends its own connection and nothing else.
func TestMalformedClientsAreRefused(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	hello := `{"protocol":4,"control":"none"}` + "\n"
	for name, tt := range map[string]struct {
		text string
		want string
	}{
		"no line":            {"", ""},
		"no JSON":            {"GET / HTTP/1.1\r\n\r\n", topicRefused},
		"an old client":      {`{"protocol":0}` + "\n", topicRefused},
		"an unknown wish":    {`{"protocol":4,"control":"own"}` + "\n", topicRefused},
		"a negative number":  {`{"protocol":4,"control":"none","events_after":-1}` + "\n", topicRefused},
		"a line without end": {strings.Repeat("x", MaxLine+1), ""},
		"a broken request":   {hello + "{]\n", topicWelcome},
		"a long request":     {hello + strings.Repeat(" ", MaxLine+1), topicWelcome},
	} {
		topics := talk(t, r, tt.text, true)
		got := ""
		if len(topics) > 0 {
			got = topics[0]
		}
		if got != tt.want {
			t.Errorf("%s is answered with %q, want %q first", name, topics, tt.want)
		}
	}
	if _, err := r.dial(DialOptions{}).First(t.Context()); err != nil {
		t.Errorf("a client after all that: %v", err)
	}
}

// TestAnUnknownRequestIsAnswered: a later client may ask for more than this server knows.
func TestAnUnknownRequestIsAnswered(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	c := r.dial(DialOptions{Control: ControlAsk})
	if _, err := c.request(t.Context(), request{}); !errors.Is(err, ErrRequest) {
		t.Errorf("error is %v", err)
	}
}

// FuzzServer sends anything to a server; it must close the connection when the client does.
func FuzzServer(f *testing.F) {
	f.Add(`{"protocol":4,"control":"auto"}` + "\n" + `{"id":1,"command":{"op":5}}` + "\n")
	f.Add(`{"protocol":4,"control":"none","interval_ms":9223372036854775807,"log_after":3,"events_after":1}` + "\n" + `{"id":1,"retune":{"workers":-1}}`)
	f.Add("\x00\xff\n{}")
	f.Fuzz(func(t *testing.T, text string) {
		r := newRun(t, Options{}, live.Options{})
		talk(t, r, text, true)
	})
}

// FuzzClient lets a client talk to a server that says anything.
func FuzzClient(f *testing.F) {
	var stream strings.Builder
	w, err := fixtures.NewStreamWriter(&stream, header("fake"), topics...)
	if err != nil {
		f.Fatal(err)
	}
	_ = w.Message(topicWelcome, Welcome{Protocol: Protocol, Name: "fake", Control: true})
	_ = w.Snapshot((&fakeSession{}).Snapshot())
	_ = w.Message(topicBye, Bye{})
	_ = w.Flush()
	f.Add([]byte(stream.String()))
	f.Add([]byte(stream.String()[:stream.Len()/2]))
	f.Fuzz(func(t *testing.T, data []byte) {
		here, there := net.Pipe()
		go func() {
			_, _ = there.Read(make([]byte, MaxLine))
			_, _ = there.Write(data)
			there.Close()
		}()
		l, err := greet(here, "fake", Hello{Protocol: Protocol})
		if err != nil {
			return
		}
		defer l.close()
		for {
			if _, err := l.next(); err != nil {
				return
			}
		}
	})
}

// mute is a connection to a process that is stopped: it takes what is written and never answers.
type mute struct{ net.Conn }

func (mute) Write(b []byte) (int, error)      { return len(b), nil }
func (mute) Read([]byte) (int, error)         { return 0, os.ErrDeadlineExceeded }
func (mute) SetReadDeadline(time.Time) error  { return nil }
func (mute) SetWriteDeadline(time.Time) error { return nil }
func (mute) Close() error                     { return nil }

// TestAStoppedTargetIsLost: one that does not answer was said to have refused.
func TestAStoppedTargetIsLost(t *testing.T) {
	_, err := greet(mute{}, "fake", Hello{})
	if !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "has not answered for 10s") {
		t.Errorf("%v", err)
	}
}

// TestATargetThatEndsHasNotRefused: do of a run that just ended said that the run refused this client.
func TestATargetThatEndsHasNotRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		ends bool
		want error
	}{"ended": {true, ErrLost}, "refuses": {false, ErrRefused}} {
		path := filepath.Join(t.TempDir(), "s")
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, MaxLine))
			if tt.ends {
				l.Close()
			}
			c.Close()
		}()
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := greet(c, "fake", Hello{Protocol: Protocol}); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
