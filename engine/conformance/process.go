package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// process is a running worker.
type process struct {
	cmd      *exec.Cmd
	cancel   context.CancelFunc
	requests *json.Encoder
	stdin    io.Closer
	replies  *json.Decoder
	said     speech
}

// start runs a worker and waits until it is ready, or ctx ends.
func start(ctx context.Context, command func(ctx context.Context) *exec.Cmd) (*process, error) {
	life, cancel := context.WithCancel(context.Background())
	w := &process{cmd: command(life), cancel: cancel}
	if err := w.run(); err != nil {
		cancel()
		return nil, fmt.Errorf("%w: start %s: %w. Fix: run vyretop from a file that can be executed", ErrWorker, w.cmd.Path, err)
	}
	if err := w.answer(ctx, &reply{}); err != nil {
		reason := w.end()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("%w: %s", ErrWorker, reason)
	}
	return w, nil
}

func (w *process) run() error {
	stdin, err := w.cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := w.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	w.cmd.Stderr, w.cmd.WaitDelay = &w.said, endTime
	w.stdin, w.requests, w.replies = stdin, json.NewEncoder(stdin), json.NewDecoder(bufio.NewReader(stdout))
	return w.cmd.Start()
}

// ask sends a case and waits for the reply. An error means that the worker is lost.
func (w *process) ask(ctx context.Context, c *Case) (*reply, error) {
	if err := w.requests.Encode(request{c}); err != nil {
		return nil, err
	}
	r := &reply{}
	return r, w.answer(ctx, r)
}

// answer reads a reply. A worker that has none when ctx ends, or after patience, is killed, and not waited for: one
// that hangs in its driver may outlive even that.
func (w *process) answer(ctx context.Context, r *reply) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer in %v", patience))
	defer cancel()
	read := make(chan error, 1)
	go func() { read <- w.replies.Decode(r) }()
	select {
	case err := <-read:
		return err
	case <-ctx.Done():
		w.said.endedBy(context.Cause(ctx))
		w.cancel()
		return context.Cause(ctx)
	}
}

// endTime is how long a worker may take to end once it has nothing more to do, or is killed.
const endTime = 2 * time.Second

// end stops the worker and says how it ended, in one line.
func (w *process) end() string {
	ended := make(chan error, 1)
	go func() {
		ended <- errors.Join(w.stdin.Close(), w.cmd.Wait())
		w.cancel()
	}()
	err := errors.New("it does not end")
	select {
	case err = <-ended:
	case <-time.After(endTime):
		w.cancel()
		select {
		case err = <-ended:
		case <-time.After(endTime):
		}
	}
	if line := w.said.reason(); line != "" {
		return line
	}
	return fmt.Sprint(err)
}

// maxSaid is how much of a worker's standard error is kept.
const maxSaid = 4096

// speech keeps the beginning of what a worker says on its standard error: a driver that gives up says
// why first, then the runtime adds its stacks. It also notes why this side ended the worker.
type speech struct {
	mu    sync.Mutex
	text  []byte
	cause error
}

// Write implements io.Writer.
func (s *speech) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, b[:min(len(b), maxSaid-len(s.text))]...)
	return len(b), nil
}

func (s *speech) endedBy(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cause = cause
}

// reason gives one line, or "" when nothing was said.
func (s *speech) reason() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause != nil {
		return s.cause.Error()
	}
	line, _, _ := bytes.Cut(bytes.TrimSpace(s.text), []byte("\n"))
	return strings.TrimSpace(string(line))
}
