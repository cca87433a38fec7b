package capture

import (
	"errors"
	"strings"
	"testing"

	"vyretop/megakernel"
)

// TestAMissingTaskMayWaitForTheCompiler: of a task that was not published yet because a kernel was being compiled it was said that
// no slot holds it.
func TestAMissingTaskMayWaitForTheCompiler(t *testing.T) {
	for compiling, want := range map[megakernel.Compiling]string{
		{}:             "no slot holds it. Fix: vyretop tasks",
		{Workgroup: 8}: "a kernel is being compiled. Fix: try again",
	} {
		err := missing(7, &megakernel.Snapshot{Compiling: compiling})
		if !errors.Is(err, ErrTask) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", compiling, err, want)
		}
	}
}
