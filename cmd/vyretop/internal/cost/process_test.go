package cost

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"

	"vyretop/tui/ptytest"
)

// Size of the terminal that everything is measured on.
const width, height = 200, 60

// patience is how long something may take before a measurement is given up.
const patience = 3 * time.Minute

// programs is the folder of the programs built so far; TestMain removes it.
var programs string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "vyretop-cost-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	programs = dir
	status := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(status)
}

// build makes a program of a package without cgo, once; with tags also with cgo.
func build(tb testing.TB, pkg, tags string) string {
	tb.Helper()
	file := filepath.Join(programs, filepath.Base(pkg)+tags)
	if _, err := os.Stat(file); err == nil {
		return file
	}
	c := exec.Command("go", "build", "-tags", tags, "-o", file, pkg)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if tags != "" {
		c.Env = append(os.Environ(), "CGO_ENABLED=1")
	}
	if out, err := c.CombinedOutput(); err != nil {
		tb.Fatalf("%v: %v\n%s", c, err, out)
	}
	return file
}

// The programs that are measured.
func vyretop(tb testing.TB) string { return build(tb, "vyretop/cmd/vyretop", "") }
func bare(tb testing.TB) string {
	return build(tb, "vyretop/cmd/vyretop/internal/cost/testdata/bare", "")
}

// onDevices is the program with OpenGL.
func onDevices(tb testing.TB) string { return build(tb, "vyretop/cmd/vyretop", "egl") }

// process is a program on a terminal of its own.
type process struct {
	tb      testing.TB
	cmd     *exec.Cmd
	master  *os.File
	started time.Time
	read    chan piece
	bytes   atomic.Int64
}

// piece is what the program wrote at once, and when that could be read.
type piece struct {
	at   time.Time
	text []byte
}

// start runs a program with its configuration in an empty folder; the test ends it.
func start(tb testing.TB, env []string, program string, args ...string) *process {
	tb.Helper()
	return startOn(tb, width, height, env, program, args...)
}

// startOn is start on a terminal of another size.
func startOn(tb testing.TB, w, h uint16, env []string, program string, args ...string) *process {
	tb.Helper()
	master, slave := ptytest.Open(tb, w, h)
	home := tb.TempDir()
	p := &process{tb: tb, cmd: exec.Command(program, args...), master: master, read: make(chan piece, 1<<16)}
	p.cmd.Env = append([]string{"TERM=xterm-256color", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home}, env...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = slave, slave, slave
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	go p.listen()
	p.started = time.Now()
	if err := p.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(p.stop)
	return p
}

func (p *process) listen() {
	defer close(p.read)
	for buf := make([]byte, 1<<16); ; {
		n, err := p.master.Read(buf)
		at := time.Now()
		if err != nil {
			return
		}
		p.bytes.Add(int64(n))
		select {
		case p.read <- piece{at, bytes.Clone(buf[:n])}:
		default: // no reader waits
		}
	}
}

func (p *process) stop() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// written waits until the program has written a text, and says when it had.
func (p *process) written(text string) time.Time {
	p.tb.Helper()
	var all []byte
	for end := time.After(patience); ; {
		select {
		case x, ok := <-p.read:
			if all = append(all, x.text...); bytes.Contains(all, []byte(text)) {
				return x.at
			} else if !ok {
				p.tb.Fatalf("the program ended without %q after %d bytes", text, len(all))
			}
		case <-end:
			p.tb.Fatalf("no %q within %v in %d bytes", text, patience, len(all))
		}
	}
}

// screen follows what the program shows.
type screen struct {
	p    *process
	term *vt.Emulator
}

func (p *process) screen() *screen {
	s := &screen{p, vt.NewEmulator(width, height)}
	go func() { _, _ = io.Copy(io.Discard, s.term) }() // answers to queries, which are not given
	p.tb.Cleanup(func() {
		if c, ok := s.term.InputPipe().(io.Closer); ok {
			_ = c.Close()
		}
	})
	return s
}

// until waits until a text is on the screen and says when it came to be.
func (s *screen) until(text string) time.Time {
	s.p.tb.Helper()
	for end := time.After(patience); ; {
		select {
		case x := <-s.p.read:
			_, _ = s.term.Write(x.text)
			if strings.Contains(s.term.String(), text) {
				return x.at
			}
		case <-end:
			s.p.tb.Fatalf("no %q within %v on\n%s", text, patience, s.term.String())
		}
	}
}

// press types a key and says when.
func (p *process) press(key string) time.Time {
	p.tb.Helper()
	now := time.Now()
	if _, err := io.WriteString(p.master, key); err != nil {
		p.tb.Fatal(err)
	}
	return now
}

// usage is what a process has used of the processor, and what it wrote.
type usage struct {
	cpu   time.Duration
	bytes int64
}

func (p *process) usage() usage {
	p.tb.Helper()
	u := usage{bytes: p.bytes.Load()}
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	if err != nil || len(threads) == 0 {
		p.tb.Fatalf("no threads of the process: %v", err)
	}
	for _, file := range threads {
		text, err := os.ReadFile(file)
		if err != nil {
			p.tb.Fatal(err)
		}
		ns, err := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
		if err != nil {
			p.tb.Fatal(err)
		}
		u.cpu += time.Duration(ns)
	}
	return u
}

// share is what a process uses of a core, in percent, and the bytes it writes a second.
type share struct{ percent, bytes float64 }

// during measures processes side by side for a time.
func during(d time.Duration, processes ...*process) []share {
	began, before := time.Now(), make([]usage, len(processes))
	for i, p := range processes {
		before[i] = p.usage()
	}
	<-time.After(d)
	span := time.Since(began).Seconds()
	out := make([]share, len(processes))
	for i, p := range processes {
		u := p.usage()
		out[i] = share{100 * (u.cpu - before[i].cpu).Seconds() / span, float64(u.bytes-before[i].bytes) / span}
	}
	return out
}

// resident is a line of /proc/PID/status in MB of 10^6 bytes.
func (p *process) resident(name string) float64 {
	p.tb.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.tb.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), name+":")
	kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		p.tb.Fatal(err)
	}
	return kib * 1024 / 1e6
}
