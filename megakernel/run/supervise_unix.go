//go:build unix

package run

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// variable tells a process that another one waits for it, on the file descriptors below.
const variable = "VYRETOP_SUPERVISED"

const (
	newsFd = 3 // what the run has to say when it leaves the terminal
	lifeFd = 4 // ends when the waiting process does
)

// Supervised reports whether another process waits for this one.
func Supervised(environ []string) bool { return slices.Contains(environ, variable+"=1") }

// Impossible says why a run cannot leave its terminal, "" if it can.
func Impossible(environ []string) string {
	if !Supervised(environ) {
		return "vyretop could not start itself"
	}
	return ""
}

// Supervise runs the same command line in a process of its own and waits until that ends or leaves the terminal. It
// returns the exit status, and what the run had to say on leaving, else "". A run that a signal ended cannot restore its
// terminal or say why it ended: the terminal is restored here, and the text says what happened.
func Supervise(args, environ []string) (status int, text string, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, "", err
	}
	news, newsEnd, err := os.Pipe()
	if err != nil {
		return 0, "", err
	}
	defer news.Close()
	lifeEnd, life, err := os.Pipe()
	if err != nil {
		newsEnd.Close()
		return 0, "", err
	}
	defer life.Close()
	c := exec.Command(self, args...)
	c.Args[0] = os.Args[0]
	c.Env = append(slices.Clone(environ), variable+"=1")
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.ExtraFiles = []*os.File{newsEnd, lifeEnd}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2)
	defer signal.Stop(signals)
	before := stateOf(os.Stdin)
	err = c.Start()
	newsEnd.Close()
	lifeEnd.Close()
	if err != nil {
		return 0, "", err
	}
	go func() {
		for s := range signals {
			_ = c.Process.Signal(s) // it may have ended
		}
	}()
	told, _ := io.ReadAll(news) // until it ends, or has told
	if len(told) > 0 {
		return 0, string(told), nil
	}
	_ = c.Wait() // the state says it
	if s, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		before.restore(os.Stdout)
		return 128 + int(s.Signal()), killed(s.Signal(), Rescue(SurvivorDir(environ), PastDir(environ))), nil
	}
	return c.ProcessState.ExitCode(), "", nil
}

// killed tells of a run that a signal ended, with what its status is to a shell, and of the ends of runs that were kept.
func killed(s syscall.Signal, kept []string) string {
	fix := "if you did not end it, look for it in the system's log: dmesg names processes that were killed for want of memory"
	if s != syscall.SIGKILL {
		fix = "run it again with --record FILE, which keeps what happens until the last second"
	}
	text := fmt.Sprintf("vyretop: the run was ended by a signal (%v), exit status %d. Fix: %s\n", s, 128+int(s), fix)
	for _, file := range kept {
		text += fmt.Sprintf("vyretop: its last second is kept; explain it with: vyretop postmortem %s\n", file)
	}
	return text
}

// WatchSupervisor ends this process as SIGHUP does when the one that waits for it is gone, unless it has left the terminal by
// then. The files of both are not inherited further.
func WatchSupervisor(environ []string) {
	if !Supervised(environ) {
		return
	}
	unix.CloseOnExec(newsFd)
	unix.CloseOnExec(lifeFd)
	go func() {
		life := os.NewFile(lifeFd, "life")
		_, _ = life.Read(make([]byte, 1))
		if sid, err := unix.Getsid(0); err == nil && sid != os.Getpid() {
			_ = syscall.Kill(os.Getpid(), syscall.SIGHUP)
		}
	}()
}

// Leave makes a session of its own for this process, with the log in place of the terminal, and gives the waiting process a
// text to end with.
func (l *DetachedLog) Leave(text string) error {
	if err := l.keep(); err != nil {
		return err
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return unwritable(os.DevNull, err)
	}
	defer null.Close()
	if _, err := unix.Setsid(); err != nil {
		return unwritable("the session", err)
	}
	for fd, file := range map[int]*os.File{0: null, 1: l.file, 2: l.file} {
		if err := unix.Dup2(int(file.Fd()), fd); err != nil {
			return unwritable(file.Name(), err)
		}
	}
	news := os.NewFile(newsFd, "news")
	_, _ = io.Copy(news, strings.NewReader(text)) // a waiting process that is gone needs no text, and this one has left
	_ = news.Close()
	return nil
}

// ending reports whether a process is there still.
func ending(pid int) bool { return unix.Kill(pid, 0) == nil }
