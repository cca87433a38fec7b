package tui

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// A program can be suspended where its starter can continue it; the test runs itself again to see both cases.
func TestJobControlIsKnown(t *testing.T) {
	if os.Getenv("VYRETOP_TEST_JOBS") != "" {
		t.Log("job control:", hasJobControl())
		return
	}
	for name, tc := range map[string]struct {
		attr *syscall.SysProcAttr
		want string
	}{
		"in a group of its own, in the session of who started it": {&syscall.SysProcAttr{Setpgid: true}, "job control: true"},
		"in a session of its own":                                 {&syscall.SysProcAttr{Setsid: true}, "job control: false"},
	} {
		c := exec.Command(os.Args[0], "-test.run=^TestJobControlIsKnown$", "-test.v")
		c.Env, c.SysProcAttr = append(os.Environ(), "VYRETOP_TEST_JOBS=1"), tc.attr
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), tc.want) {
			t.Errorf("%s: %v, want %q in\n%s", name, err, tc.want, out)
		}
	}
}
