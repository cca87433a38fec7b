package bench

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/tasks"
)

// The rate of the scanning kernel is as good as its count: every activation is in a slot too.
func TestScanningKernelCountsWhatItRan(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		r := &suite{backend: b, shape: shape{workers: 3, lanes: 8}}
		const slots, list = 64, 40
		p, err := r.plain(t.Context(), "naive.comp", 8,
			plainBuffer{slots * tasks.SlotWords, engine.HostVisible}, plainBuffer{scanWords, engine.HostVisible})
		if err != nil {
			t.Fatal(err)
		}
		defer p.close()
		if err := p.upload(t.Context(), 0, slotImage(slots, fill(list, opYield, nil))); err != nil {
			t.Fatal(err)
		}
		s := scanner{suite: r, plain: p, slots: slots, workers: 3}
		found, took, err := s.dispatch(t.Context(), 1000)
		if err != nil || took <= 0 {
			t.Fatal(took, err)
		}
		var yields uint32
		words := p.buffers[0].Words()
		for i := range slots {
			at := i * tasks.SlotWords
			yields += words.Load(at + tasks.WordYieldCount)
			want := tasks.Ready
			if i >= list {
				want = tasks.Empty
			}
			if got := tasks.State(words.Load(at)); got != want || words.Load(at+tasks.WordContinuationPC) != words.Load(at+tasks.WordYieldCount) {
				t.Errorf("slot %d: %s, pc %d, %d yields", i, got, words.Load(at+tasks.WordContinuationPC), words.Load(at+tasks.WordYieldCount))
			}
		}
		// Three workers of eight lanes take 24 slots a pass at most; 40 of the 64 slots hold a task.
		if found != yields || found == 0 || found > 3*8*1000 {
			t.Errorf("%d activations counted, %d in the slots", found, yields)
		}
	})
}

// The limit is one only if each pass did what an activation does.
func TestTrafficKernelTouchesEverySlot(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		r := &suite{backend: b, shape: shape{workers: 3, lanes: 8}}
		const slots, passes = 48, 10
		p, err := r.plain(t.Context(), "slots.comp", 8,
			plainBuffer{slots * tasks.SlotWords, engine.HostVisible}, plainBuffer{scanWords, engine.HostVisible})
		if err != nil {
			t.Fatal(err)
		}
		defer p.close()
		if err := p.upload(t.Context(), 0, slotImage(slots, fill(slots, opYield, nil))); err != nil {
			t.Fatal(err)
		}
		found, _, err := (&scanner{suite: r, plain: p, slots: slots, workers: 3}).dispatch(t.Context(), passes)
		if err != nil || found != passes*24 {
			t.Fatalf("%d activations, %v; want %d", found, err, passes*24)
		}
		for i := range slots {
			if got := p.buffers[0].Words().Load(i*tasks.SlotWords + tasks.WordYieldCount); got != passes/2 {
				t.Errorf("slot %d: %d yields, want %d", i, got, passes/2)
			}
		}
	})
}

func TestDispatchedTasksAreAllDone(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		r := &suite{backend: b, shape: shape{workers: 1, lanes: 8}}
		for _, size := range []int{1, 64, 100} {
			for _, indirect := range []bool{false, true} {
				var got tally
				if err := r.dispatch(t.Context(), time.Millisecond, size, indirect, &got); err != nil {
					t.Fatalf("%d tasks, indirect %v: %v", size, indirect, err)
				}
				if n, _ := got.done(); n == 0 || n != uint64(size*len(got.took)) || got.shape != (shape{(size + 7) / 8, 8}) {
					t.Errorf("%d tasks, indirect %v: %d done in %d dispatches of %v", size, indirect, n, len(got.took), got.shape)
				}
			}
		}
	})
}

func TestMailboxCompiles(t *testing.T) {
	nvcc, err := exec.LookPath("nvcc")
	if err != nil {
		t.Skip("there is no nvcc here; docs/bench/mailbox.cu is compiled where there is")
	}
	out, err := exec.Command(nvcc, "-c", "-o", filepath.Join(t.TempDir(), "mailbox.o"), "../../docs/bench/mailbox.cu").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
