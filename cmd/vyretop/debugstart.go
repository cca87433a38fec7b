package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vyretop/engine/debugger/attach"
	"vyretop/engine/fault"
	"vyretop/megakernel/livedebug"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/workload"
)

// startedRun is a run that a debugger has started, with all workers paused, and that ends with it.
type startedRun struct {
	*livedebug.Run

	process *exec.Cmd
	life    io.WriteCloser // the run ends when it is closed, as when the debugger is killed
	output  *tail
	ended   <-chan error
	over    bool // it had ended before the debugger left it
}

// isWorkloadFolder reports whether a program is the folder of a workload.
func isWorkloadFolder(program string) bool {
	info, err := os.Stat(filepath.Join(program, workload.ManifestName))
	return err == nil && info.Mode().IsRegular()
}

// startRun runs the workload of a folder on a backend, in a process of its own, and attaches to it once its kernel is compiled.
func startRun(ctx context.Context, a *app, dir, backend, client string, bytes int) (*startedRun, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	x := &startedRun{process: exec.Command(self, "run", dir, "--headless", "--paused", "--while-stdin", "--backend", backend), output: &tail{}}
	x.process.Env, x.process.Stdout, x.process.Stderr = a.env, x.output, x.output
	ownGroup(x.process)
	if x.life, err = x.process.StdinPipe(); err != nil {
		return nil, err
	}
	if err := x.process.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- x.process.Wait() }()
	x.ended = ended
	name, err := x.reachable(ctx, a)
	if err == nil {
		var run attach.Run
		run, err = attachRun(ctx, a, name, bytes, client, remote.ControlAuto)
		x.Run, _ = run.(*livedebug.Run)
	}
	if err != nil {
		x.kill()
		return nil, err
	}
	return x, nil
}

// lookForRun is the time between two looks for a run that was started.
const lookForRun = 20 * time.Millisecond

// reachable waits until the run has its socket, and gives its name.
func (x *startedRun) reachable(ctx context.Context, a *app) (name string, err error) {
	for {
		live, err := remote.Live(remote.Dir(a.env))
		if err != nil {
			return "", err
		}
		if i := slices.IndexFunc(live, func(r remote.Running) bool { return r.Process == x.process.Process.Pid }); i >= 0 {
			return live[i].Name, nil
		}
		select {
		case <-time.After(lookForRun):
		case <-x.ended:
			said := strings.TrimPrefix(strings.TrimSpace(x.output.String()), "vyretop: ") // with what to do
			return "", &fault.Error{Kind: errStarted, Detail: "the run ended before it could be debugged", Cause: errors.New(said)}
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// stays is what a debugger writes to the standard input of a run that is to continue without it.
const stays = 's'

// endsWith has a run end with its input, unless that says that it stays: the debugger that has started it may be killed.
func endsWith(ctx context.Context, input io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		if n, _ := input.Read(make([]byte, 1)); n == 0 {
			cancel()
		}
	}()
	return ctx
}

// errStarted is the kind of the error about a run that a debugger could not start.
const errStarted fault.Kind = "the run cannot be started"

// Detach implements attach.Run: the run ends, unless it is to be left as it is.
func (x *startedRun) Detach(ctx context.Context, e attach.End) error {
	if e == attach.Leave {
		_, err := x.life.Write([]byte{stays})
		return errors.Join(err, x.Run.Detach(ctx, e))
	}
	select {
	case <-x.ended:
		x.over = true
		return x.Run.Detach(ctx, attach.Terminate)
	default:
	}
	err := x.Run.Detach(ctx, attach.Terminate)
	select {
	case <-x.ended:
	case <-ctx.Done():
		x.kill()
	}
	return err
}

func (x *startedRun) kill() {
	err := x.process.Process.Kill()
	if !errors.Is(err, os.ErrProcessDone) {
		<-x.ended
	}
}

// tail keeps the last part of what a process has printed. The process writes it, and it is read when that has ended.
type tail struct{ text bytes.Buffer }

// maxTail bounds what is kept, in bytes.
const maxTail = 16 << 10

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.text.Write(p)
	if over := t.text.Len() - maxTail; over > 0 {
		t.text.Next(over)
	}
	return len(p), nil
}

func (t *tail) String() string { return t.text.String() }

// startedNote says that a run was started.
func startedNote(name string) string {
	return fmt.Sprintf("started %s, which ends with this debugger; vyretop debug of a live run leaves it running", name)
}
