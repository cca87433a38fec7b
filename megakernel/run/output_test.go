package run

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/policy"
)

// TestOutputsAreWrittenWhenTheWorkEnds: the files of --out were written when the dashboard was left, and lost if the process was killed before.
func TestOutputsAreWrittenWhenTheWorkEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.bin")
	r := start(t, Config{Workload: collatz(t), Want: policy.Config{Workers: 2}, WorkgroupSize: 4, Outputs: []Output{{Buffer: "steps", File: file}}})
	opened := make(chan struct{})
	close(opened)
	j := Begin(t.Context(), r, opened, t.Context())
	<-j.Ended()
	before, err := os.ReadFile(file)
	if err != nil || len(before) == 0 {
		t.Fatalf("%d bytes after the work, %v", len(before), err)
	}
	if err := os.WriteFile(file, []byte("kept"), 0o600); err != nil { // another writing would show
		t.Fatal(err)
	}
	o, err := j.Finish(t.Context(), Leaving{Checks: t.Context(), Hurried: func() bool { return false }, Verifying: func() func() { return func() {} }})
	if err != nil || o.Unwritten != nil || len(o.Outputs) != 1 || o.Outputs[0].Partial || o.Outputs[0].Words*4 != len(before) || !o.Verified {
		t.Errorf("outcome %+v, %v", o, err)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != "kept" {
		t.Errorf("written again at the end: %d bytes, %v", len(now), err)
	}
	told := 0
	for _, e := range r.Hub().Events(0, 100) {
		if e.Kind == megakernel.EventWritten {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

// TestOutputsOfWorkThatWasStoppedAreWrittenAtItsEnd: nothing is saved of work that has not come to its end; Finish writes what there is.
func TestOutputsOfWorkThatWasStoppedAreWrittenAtItsEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.bin")
	r := start(t, Config{Workload: collatz(t), Want: policy.Config{Workers: 2}, WorkgroupSize: 4, Outputs: []Output{{Buffer: "steps", File: file}}})
	stopped, stop := context.WithCancel(t.Context())
	stop()
	j := Begin(stopped, r, nil, nil)
	<-j.Ended()
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the file is there: %v", err)
	}
	o, err := j.Finish(t.Context(), Leaving{})
	if err != nil || len(o.Outputs) != 1 || !o.Outputs[0].Partial {
		t.Errorf("outcome %+v, %v", o, err)
	}
}
