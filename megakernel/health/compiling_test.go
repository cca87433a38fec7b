package health

import (
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
)

// TestIdleWhileAKernelIsCompiled: a target whose tasks wait for the kernel variant with breakpoints was called idle, and no word
// was said of what it waits for.
func TestIdleWhileAKernelIsCompiled(t *testing.T) {
	s := &megakernel.Snapshot{Phase: megakernel.PhaseParked}
	if got, want := Judge(s, nil).String(), "idle: no task waits or runs"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.Compiling = megakernel.Compiling{Workgroup: 8, Elapsed: 2340 * time.Millisecond}
	if got, want := Judge(s, nil).String(), "a kernel is being compiled, 2.3s so far"; !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
