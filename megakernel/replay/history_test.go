package replay_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
)

// walked is the recording of a run of docs/examples that debugging.md walks through.
func walked(name string) string {
	return filepath.Join("..", "..", "fixtures", "recordings", "walks", name+"-llvmpipe.mcap")
}

// otherKernel is why a recorded task may not open with its recorded words.
const otherKernel = "the kernel's text may have changed since fixtures/recordings/walks were recorded. Fix: record them again, see docs/CONTRIBUTING.md"

// TestActivationsOfAStalledRunOpen: nothing of a recording whose run was ended with tasks left could be executed again. The activation that
// wrote what the tasks wait for opens, and a task that waits knows it.
func TestActivationsOfAStalledRunOpen(t *testing.T) {
	const binding, ready = megakernel.FirstUserBinding, 0
	rec := open(t, walked("relay"))
	r, err := replay.Activation(t.Context(), "relay.mcap", rec, replay.Wanted{Task: 9})
	if err != nil || r.Number != 8 || r.Handler != "write" {
		t.Fatalf("%+v, %v", r, err)
	}
	if w, err := r.Writer(t.Context(), binding, ready); w != nil || err != nil {
		t.Errorf("before the activation that writes it: %+v, %v", w, err)
	}
	c, err := replay.Take(t.Context(), inspect.NewRecorded(rec), "relay.mcap", replay.Wanted{Task: 1}, false)
	if err != nil || c.Reached != nil || c.History == nil {
		t.Fatalf("%+v, %v; %s", c, err, otherKernel)
	}
	w, err := c.History.Writer(t.Context(), binding, ready)
	if err != nil || w == nil || w.Task != 9 || w.Activation != 8 || w.Line != 15 || w.Old != 0 || w.New != 1 {
		t.Errorf("%+v, %v", w, err)
	}
	text, fields, err := c.History.Earlier(t.Context(), "relay_ready", binding, []int{ready})
	if err != nil || !strings.Contains(text, "open it with vyretop debug relay.mcap --task 9 --activation 8") || fields["line"] != 15 {
		t.Errorf("%q, %v, %v", text, fields, err)
	}
	if _, err := replay.Verify(t.Context(), "relay.mcap", rec, nil); !errors.Is(err, replay.ErrNotExecutable) {
		t.Errorf("a run that had not ended is compared: %v", err)
	}
}

// TestHistoryHasALimit: who wrote of a run that takes long did not come back.
func TestHistoryHasALimit(t *testing.T) {
	c, err := replay.Take(t.Context(), inspect.NewRecorded(open(t, walked("relay"))), "relay.mcap", replay.Wanted{Task: 1, Within: time.Nanosecond}, false)
	if err != nil {
		t.Fatal(err)
	}
	if c.History == nil {
		t.Fatal(otherKernel)
	}
	if _, err := c.History.Writer(t.Context(), megakernel.FirstUserBinding, 0); !errors.Is(err, replay.ErrActivation) || !strings.Contains(err.Error(), "Fix: give it longer with --within") {
		t.Errorf("%v", err)
	}
}

// TestARunIsExecutedUnderAWatcher: it sees every activation, and no epoch where the host has advanced none.
func TestARunIsExecutedUnderAWatcher(t *testing.T) {
	x, err := replay.NewExecutable("relay.mcap", open(t, walked("relay")))
	if err != nil {
		t.Fatal(err)
	}
	seen, advanced := map[string]int{}, 0
	f := activations.New(func(a activations.Activation, _ activations.Memory) { seen[x.Handler(a.Opcode)]++ }, nil)
	if err := x.Execute(t.Context(), replay.Execution{Seed: 1, Workers: 1, Lanes: 1, Watcher: f, Advances: func() { advanced++ }}); err != nil {
		t.Fatal(err)
	}
	if seen["read"] != 8 || seen["write"] == 0 || advanced != 0 {
		t.Errorf("%v, %d epochs", seen, advanced)
	}
}
