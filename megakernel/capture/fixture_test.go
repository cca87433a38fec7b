package capture_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/megakernel"
	"vyretop/megakernel/capture"
)

var rewrite = flag.Bool("rewrite", false, "write what captures of fixtures/captures end as into their golden files")

// TestStoredCapturesEndAlike: captures that were made on several devices, maybe by earlier versions, open without a device, and each
// activation ends as its golden file says. The comparison with the device found no difference when they were made.
func TestStoredCapturesEndAlike(t *testing.T) {
	files, err := filepath.Glob("../../fixtures/captures/*.capture")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := capture.Read(file, bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			a, err := c.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			stop := a.Finish()
			got := fmt.Sprintf("task %d, handler %s, on %s: %s\n%s", c.Task, c.Handler, c.Target.Renderer, stop.Reason, outcomeOf(a))
			golden := strings.TrimSuffix(file, ".capture") + ".golden"
			if *rewrite {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// outcomeOf lists the words that an activation has changed, with those of the workload's buffers.
func outcomeOf(a *capture.Activation) string {
	var b strings.Builder
	out := a.Outcome()
	fmt.Fprintf(&b, "state %s\n", out.State)
	for _, w := range out.Slot {
		fmt.Fprintf(&b, "%s: %s -> %s\n", w.Name, w.Old, w.New)
	}
	for _, info := range a.Capture.Target.Buffers {
		before, now := a.Capture.Buffers[info.Binding], a.Contents(info.Binding)
		if info.Binding < megakernel.FirstUserBinding {
			continue
		}
		for i, w := range now {
			if w != before[i] {
				fmt.Fprintf(&b, "%s word %d: %#x -> %#x\n", info.Name, i, before[i], w)
			}
		}
	}
	return b.String()
}
