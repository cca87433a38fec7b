package main

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"vyretop/engine/device"
)

// everyCall has TestEachSystemCallMayFail try every call with every error. Without it every second kind of call on each file, or
// the few kinds of the command, fails once, the first time it is made.
var everyCall = flag.Bool("everycall", false, "TestEachSystemCallMayFail tries every call, not only the first of some kinds on each file")

// overseenTime is how long a command may take of which one call fails.
const overseenTime = time.Minute

// faultCase is a command of which calls fail in turn.
type faultCase struct {
	args    []string           // of vyretop; DIR in them stands for its own folder
	prepare func(string) error // puts files into the folder
	beside  []string           // a command that runs beside it, in a folder of its own, for all attempts
	target  []string           // a command that runs beside it in its own folder, for one attempt
	runtime string             // where the sockets of beside are
	visit   func(faultVisit)   // is a client of the command while it runs
	said    string             // on stdout, whenever the exit status is 0
	few     []string           // kinds of calls that are enough without -everycall: others are tried with other commands
	results []string           // calls whose failure loses no result: what is said is said whatever the status is
}

// faultVisit is a command at work: a client of it may fail if the call that is to fail is one of its socket.
type faultVisit struct {
	t   *testing.T
	dir string
	run *overseenRun
}

const doubleWorkload = `name = "double"
[[opcode]]
number = 0x100
name = "double"
handler = "twice"
file = "double.glsl"
[[task]]
opcode = "double"
count = 8
input = "index"
[[buffer]]
name = "twice_of"
binding = 8
words = 8
`

const doubleHandler = `layout(std430, binding = 8) buffer Twice { uint twice_of[8]; };
void twice(inout Task t) {
    twice_of[t.input_handle] = 2u * t.input_handle;
    task_done(t);
}
`

// faultCases are the commands that are tried.
func faultCases(t *testing.T) map[string]faultCase {
	recording, err := os.ReadFile(smallRecording(t))
	if err != nil {
		t.Fatal(err)
	}
	gate, err := filepath.Abs("testdata/gate")
	if err != nil {
		t.Fatal(err)
	}
	recorded := func(dir string) error { return os.WriteFile(filepath.Join(dir, "small.mcap"), recording, 0o600) }
	workload := func(dir string) error {
		at := filepath.Join(dir, "double")
		return errors.Join(os.Mkdir(at, 0o700), os.WriteFile(filepath.Join(at, "workload.toml"), []byte(doubleWorkload), 0o600),
			os.WriteFile(filepath.Join(at, "double.glsl"), []byte(doubleHandler), 0o600))
	}
	run := []string{"run", gate, "--backend", device.Reference, "--headless", "--workers", "1", "--workgroup-size", "4"}
	return map[string]faultCase{
		"run --record": {
			prepare: workload, args: []string{"run", "DIR/double", "--backend", device.Reference, "--headless", "--record", "DIR/run.mcap"},
			few:  []string{"openat", "write", "pwrite", "fsync", "fdatasync", "close", "ftruncate", "flock", "fchmod", "chmod", "mkdir", "unlink", "rename", "link", "bind", "listen"},
			said: `8 done, 0 faulted`, results: []string{"write /run.mcap", "fsync /run.mcap", "fdatasync /run.mcap", "close /run.mcap", "accept", "listen", "bind", "/vyretop/double", "/vyretop/.lock"},
		},
		"replay": {prepare: recorded, args: []string{"replay", "DIR/small.mcap", "--linear"}, said: `15 tasks queued`},
		"log":    {prepare: recorded, args: []string{"log", "DIR/small.mcap"}, said: `.`},
		"export": {prepare: recorded, args: []string{"export", "DIR/small.mcap", "--form", "csv", "-o", "DIR/out.csv"}},
		"record": {beside: run, args: []string{"record", "DIR/run.mcap", "gate", "--for", "1ms"}},
		"info":   {beside: run, args: []string{"snapshot", "gate"}, said: `workers`},
		"attach": {target: run, args: []string{"attach", "gate", "--linear"}, visit: visitEnd, few: []string{"connect", "read", "write"}, said: `gate on `},
		"server": {args: run, visit: visitTwice, few: []string{"bind", "listen", "chmod", "accept", "unlink", "read", "write"}, said: `9 left`},
	}
}

// TestEachSystemCallMayFail: each call of a command on a file or a socket of its own fails in turn, at the kernel. A command
// ends by itself, with its result or an error that says what to do; it leaves no socket, and what it had finished is printed.
func TestEachSystemCallMayFail(t *testing.T) {
	for name, c := range faultCases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // much of it is waiting
			if c.beside != nil {
				c.runtime = t.TempDir()
				startBeside(t, c.runtime, c.beside)
			}
			all := c.try(t, 0, 0)
			t.Logf("%d calls", len(all.calls))
			seen := map[string]bool{}
			for i, call := range all.calls {
				if !*everyCall && c.few == nil && len(seen)%2 == 1 && !seen[call] { // every second kind
					seen[call] = true
					continue
				}
				if !*everyCall && (seen[call] || c.few != nil && !slices.Contains(c.few, strings.Fields(call)[0])) {
					continue
				}
				seen[call] = true
				for which, more := 0, true; more; which++ {
					o := c.try(t, i+1, which)
					more = *everyCall && o.more
				}
			}
		})
	}
}

// startBeside starts a command, whose sockets are in a folder, for as long as the test runs.
func startBeside(t *testing.T, dir string, args []string) {
	t.Helper()
	beside := exec.Command("vyretop", args...)
	beside.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
	if err := beside.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = beside.Process.Signal(os.Interrupt); _ = beside.Wait() })
	if text, err := clientOf(t.Context(), dir, "snapshot", "--wait", patience.String()); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// clientOf runs vyretop for the sockets in a folder, and returns what it prints.
func clientOf(ctx context.Context, dir string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "vyretop", args...)
	c.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
	text, err := c.CombinedOutput()
	return string(text), err
}

// try runs the command, whose nth call fails, and checks what becomes of it.
func (c *faultCase) try(t *testing.T, nth, which int) *overseer {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "") // each attempt is the first in its folder
	if err != nil {
		t.Fatal(err)
	}
	if c.prepare != nil {
		if err := c.prepare(dir); err != nil {
			t.Fatal(err)
		}
	}
	runtime, below := dir, dir
	if c.beside != nil {
		runtime, below = c.runtime, filepath.Dir(filepath.Dir(dir)) // with the folder of sockets
	}
	env := []string{"XDG_STATE_HOME=" + dir + "/state", "XDG_CONFIG_HOME=" + dir + "/config", "XDG_RUNTIME_DIR=" + runtime}
	if c.target != nil {
		startBeside(t, dir, c.target)
	}
	var args []string
	for _, a := range c.args {
		args = append(args, strings.ReplaceAll(a, "DIR", dir))
	}
	o := &overseer{below: below, dir: dir, nth: nth, which: which}
	r := o.start(t, overseenTime, env, args...)
	if c.visit != nil {
		c.visit(faultVisit{t, dir, r})
	}
	status := r.wait(t)
	c.judge(t, o, r, status)
	if found := leftovers(t, dir); c.target == nil && len(found) > 0 && !strings.HasPrefix(o.failed, "unlink") {
		t.Errorf("%s: it left %q", o.failed, found)
	}
	return o
}

// judge checks the exit status and the words of a command of which a call failed.
func (c *faultCase) judge(t *testing.T, o *overseer, r *overseenRun, status int) {
	t.Helper()
	said := regexp.MustCompile(c.said).MatchString(r.stdout.String())
	fixes := strings.Count(r.stderr.String(), "Fix: ")
	why := ""
	switch {
	case status < 0:
		why = "it did not end"
	case status > exitDevice, strings.Contains(r.stderr.String(), "goroutine "):
		why = "it crashed"
	case status == exitOK && !said:
		why = "a success without its result"
	case status != exitOK && fixes == 0 && !said:
		why = "an error without Fix"
	case fixes > strings.Count(r.stderr.String(), "\n"):
		why = "more than one Fix"
	case o.nth == 0 && status != exitOK && !said:
		why = "it fails though no call does"
	case !said && losesNothing(o.failed, c.results) && !strings.Contains(r.stderr.String(), "write header"): // nothing had begun
		why = "the finished result was not printed"
	default:
		t.Logf("%s: status %d, %s", o.failed, status, &r.stderr)
		return
	}
	t.Errorf("call %d, %s: %s: status %d, stdout:\n%sstderr:\n%s", o.nth, o.failed, why, status, &r.stdout, &r.stderr)
}

// losesNothing is whether a call is one of those whose failure loses no result.
func losesNothing(failed string, results []string) bool {
	for _, r := range results {
		if strings.Contains(failed, r) {
			return true
		}
	}
	return false
}

// visitTwice is a client that asks, asks again if it was not answered, and ends the run.
func visitTwice(v faultVisit) {
	ctx, cancel := context.WithTimeout(v.t.Context(), overseenTime)
	defer cancel()
	client := func(args ...string) (string, error) { return clientOf(ctx, v.dir, args...) }
	select {
	case <-v.run.listens.done:
	case <-v.run.ended:
		return
	}
	socket := filepath.Join(v.dir, "vyretop", "gate.sock")
	_, err := client("snapshot", "gate")
	if _, missing := os.Stat(socket); err != nil && errors.Is(missing, fs.ErrNotExist) {
		_ = v.run.cmd.Process.Signal(syscall.SIGINT) // it cannot be reached, and has to say so
		return
	}
	if err != nil { // the one that met the call that fails
		if text, err := client("snapshot", "gate"); err != nil {
			v.t.Errorf("the next client is not served: %s", text)
		}
	}
	if text, err := client("do", "stop", "--target", "gate", "--control"); err != nil {
		v.t.Logf("stop: %s", text)
		_ = v.run.cmd.Process.Signal(syscall.SIGINT)
	}
}

// visitEnd ends what a command is attached to, once it has read from it or has ended.
func visitEnd(v faultVisit) {
	select {
	case <-v.run.reads.done:
	case <-v.run.ended:
	}
	if text, err := clientOf(v.t.Context(), v.dir, "do", "stop", "--target", "gate", "--control"); err != nil {
		v.t.Errorf("stop: %v, %s", err, text)
	}
}
