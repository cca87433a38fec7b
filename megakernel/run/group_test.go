package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/command"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
	"vyretop/tui"
)

// shareable are workloads that several devices can do together, with work for all of them.
var shareable = map[string]func(t *testing.T) map[string]string{
	"render": func(*testing.T) map[string]string {
		return map[string]string{"width": "24", "height": "16", "tile": "4", "samples": "1"}
	},
	"scan": func(t *testing.T) map[string]string {
		patterns := filepath.Join(t.TempDir(), "patterns")
		write(t, patterns, "needle\ndle\nhay\n")
		return map[string]string{"path": files(t), "patterns": patterns, "arena": "1"}
	},
	"infer": func(*testing.T) map[string]string {
		return map[string]string{"tokens": "2", "prompt": "the", "sequences": "3", "batch": "1"}
	},
	"grep": func(t *testing.T) map[string]string {
		return map[string]string{"path": files(t), "pattern": "y.*le", "frames": "3", "page": "1"}
	},
}

// files is a folder of files with lines to find, of which the largest does not fit into the memory for one.
func files(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 24 {
		text := strings.Repeat("hay\nhayneedle\n", i) + "end"
		if i == 20 {
			text = strings.Repeat(text, 70)
		}
		write(t, filepath.Join(dir, fmt.Sprint("file", i)), text)
	}
	write(t, filepath.Join(dir, "empty"), "")
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func made(t *testing.T, name string, flags map[string]string) workload.Workload {
	t.Helper()
	d, err := OpenWorkload(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := d.New(flags)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// startOn starts a run on devices that were opened for it.
func startOn(t *testing.T, w workload.Workload, devices []engine.Backend) *Run {
	t.Helper()
	r, err := Start(t.Context(), Config{Workload: w, Backend: devices[0], More: devices[1:], Want: policy.Config{Workers: 2}, WorkgroupSize: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func opened(t *testing.T, open func(testing.TB) engine.Backend, n int) (list []engine.Backend) {
	for range n {
		list = append(list, open(t))
	}
	return list
}

// complete does the work of a run and ends it.
func complete(t *testing.T, r *Run) Outcome {
	t.Helper()
	if err := r.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	o, err := r.Finish(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if !o.Verified || !o.Verification.OK {
		t.Errorf("verification: %+v", o.Verification)
	}
	return o
}

// onEach runs a test with every shareable workload on every backend.
func onEach(t *testing.T, f func(t *testing.T, name string, flags map[string]string, open func(testing.TB) engine.Backend)) {
	for backend, open := range backendtest.All {
		for name, flags := range shareable {
			t.Run(name+" on "+backend, func(t *testing.T) {
				if name != "scan" && backendtest.CompilesSlowly(open(t)) {
					t.Skip("the driver compiles the kernel for seconds: -everyvariant")
				}
				f(t, name, flags(t), open)
			})
		}
	}
}

// TestDevicesShareAWorkload: the result is that of one device, all devices have done some of it, and the totals are sums.
func TestDevicesShareAWorkload(t *testing.T) {
	onEach(t, func(t *testing.T, name string, flags map[string]string, open func(testing.TB) engine.Backend) {
		want := complete(t, startOn(t, made(t, name, flags), opened(t, open, 1)))
		if want.Devices != nil {
			t.Errorf("a run on one device tells of devices: %+v", want.Devices)
		}
		// Each device takes units before the work of any is over, so that none comes late.
		w := &gathering{Sharer: made(t, name, flags).(workload.Sharer)}
		w.all.Add(2)
		r := startOn(t, w, opened(t, open, 2))
		got := complete(t, r)
		if a, b := workload.ResultDigest(want.Result), workload.ResultDigest(got.Result); a != b || a == "" {
			t.Errorf("digest %q, on one device %q", b, a)
		}
		var done uint64
		for i, d := range got.Devices {
			done += d.Done
			if d.Device != i || d.Workers != 2 || d.Done == 0 || d.Lost {
				t.Errorf("device %d: %+v", i, d)
			}
		}
		if len(got.Devices) != 2 || done != got.Summary.Counters[megakernel.CountDone] || got.Shape.Workers != 4 {
			t.Errorf("devices %+v of %+v, shape %+v", got.Devices, got.Summary, got.Shape)
		}
		checkJoined(t, r)
	})
}

// checkJoined checks the last snapshot and log of a run on two devices against each other.
func checkJoined(t *testing.T, r *Run) {
	t.Helper()
	s, target := r.Hub().Snapshot(), r.Hub().Target()
	n := target.Numbering()
	if len(target.Devices) != 2 || s.Workers != 4 || len(s.WorkerRecords()) != 4 || s.NumSlots() != target.Slots {
		t.Fatalf("target %+v with %d workers and %d slots", target.Devices, s.Workers, s.NumSlots())
	}
	var byDevice [2]uint64
	for _, w := range s.WorkerRecords() {
		device, _ := n.OfWorker(w.ID)
		byDevice[device] += uint64(w.Done)
	}
	for i, share := range s.Shares {
		if share.Done != byDevice[i] || share.Done == 0 {
			t.Errorf("device %d has done %d, its workers %d", i, share.Done, byDevice[i])
		}
	}
	deviceOf := map[uint32]int{} // of tasks, as their records of the log tell
	for i, rec := range r.Hub().Log(0, 1<<20) {
		device, _ := n.OfWorker(int(rec.Worker))
		deviceOf[rec.Task] = device
		if rec.Worker > 3 || i > 0 && rec.Number == 0 {
			t.Fatalf("record %+v", rec)
		}
	}
	checked := 0
	for i := range s.NumSlots() {
		words := s.Slot(i)
		device, _, _ := n.OfSlot(uint32(i))
		if of, known := deviceOf[words[tasks.WordTaskID]]; known && tasks.State(words[tasks.WordState]) == tasks.Done {
			if checked++; of != device {
				t.Errorf("task %d is in slot %d of device %d, and ran on device %d", words[tasks.WordTaskID], i, device, of)
			}
		}
	}
	if checked == 0 {
		t.Error("no task is in a slot and in the log")
	}
	x, err := tui.NewHeadless(t.Context(), tui.Options{Source: r.Hub(), Environ: []string{"TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=1"}}, 160, 30)
	if err != nil {
		t.Fatal(err)
	}
	screen := ansi.Strip(x.Frame())
	for _, want := range []string{" device 0 ", " device 1 ", "yields device"} {
		if !strings.Contains(screen, want) {
			t.Errorf("the dashboard does not show %q:\n%s", want, screen)
		}
	}
}

// gathering is a shared workload whose hosts begin together.
type gathering struct {
	workload.Sharer
	all sync.WaitGroup
}

func (w *gathering) RunShare(ctx context.Context, h workload.Host, part workload.Part) error {
	return w.Sharer.RunShare(ctx, &gatheringHost{Host: h, all: &w.all}, part)
}

// gatheringHost holds the first tasks of a host back until all hosts have some.
type gatheringHost struct {
	workload.Host
	all   *sync.WaitGroup
	begun bool
}

func (h *gatheringHost) Publish(ctx context.Context, list []tasks.Task) error {
	if len(list) > 0 && !h.begun {
		h.begun = true
		h.all.Done()
		h.all.Wait()
	}
	return h.Host.Publish(ctx, list)
}

// losing is a shared workload one of whose devices is lost when tasks have been published there.
type losing struct {
	*gathering
	host int
	lose func()
}

func (w *losing) RunShare(ctx context.Context, h workload.Host, part workload.Part) error {
	if part.Host == w.host {
		h = &losingHost{h, w.lose}
	}
	return w.gathering.RunShare(ctx, h, part)
}

type losingHost struct {
	workload.Host
	lose func()
}

func (h *losingHost) Publish(ctx context.Context, list []tasks.Task) error {
	first := len(list) / 2
	if err := h.Host.Publish(ctx, list[:first]); err != nil {
		return err
	}
	if len(list) > 0 {
		h.lose()
	}
	return h.Host.Publish(ctx, list[first:]) // the lost device has something left to do
}

// TestALostDevicesWorkGoesToTheOthers: whichever device is lost, the result is that of one device, and the run tells of the loss.
func TestALostDevicesWorkGoesToTheOthers(t *testing.T) {
	onEach(t, func(t *testing.T, name string, flags map[string]string, open func(testing.TB) engine.Backend) {
		want := complete(t, startOn(t, made(t, name, flags), opened(t, open, 1)))
		for lost := range 2 {
			t.Run(fmt.Sprint(lost), func(t *testing.T) {
				devices := opened(t, open, 2)
				w := &losing{&gathering{Sharer: made(t, name, flags).(workload.Sharer)}, lost, devices[lost].(engine.Lifecycle).SimulateLoss}
				w.all.Add(2)
				r := startOn(t, w, devices)
				got := complete(t, r)
				if a, b := workload.ResultDigest(want.Result), workload.ResultDigest(got.Result); a != b || a == "" {
					t.Errorf("digest %q, on one device %q", b, a)
				}
				for i, d := range got.Devices {
					if d.Lost != (i == lost) {
						t.Errorf("device %d: %+v", i, d)
					}
				}
				checkLoss(t, r, lost)
			})
		}
	})
}

func checkLoss(t *testing.T, r *Run, lost int) {
	t.Helper()
	text := fmt.Sprintf("device %d was lost", lost)
	if !slices.ContainsFunc(r.Hub().Events(0, 1000), func(e megakernel.HostEvent) bool {
		return e.Kind == EventDeviceLost && strings.HasPrefix(e.Text, text)
	}) {
		t.Errorf("no event says that %s: %+v", text, r.Hub().Events(0, 1000))
	}
	s, target := r.Hub().Snapshot(), r.Hub().Target()
	n := target.Numbering()
	for i, share := range s.Shares {
		if (share.Phase == megakernel.PhaseLost) != (i == lost) {
			t.Errorf("device %d is %s", i, share.Phase)
		}
	}
	for _, w := range s.WorkerRecords() {
		if device, _ := n.OfWorker(w.ID); device == lost && w.State != megakernel.WorkerAbsent {
			t.Errorf("worker %d of the lost device is %s", w.ID, w.State)
		}
	}
	c := &s.Counters
	if left := s.Submitted + c[megakernel.CountSpawned] - c[megakernel.CountDone] - c[megakernel.CountFaulted]; left != 0 || s.Phase == megakernel.PhaseLost {
		t.Errorf("%d tasks are left, the target is %s", left, s.Phase)
	}
}

// TestTheLossOfAllDevicesIsThatOfTheRun: it ends with the error that has it start over.
func TestTheLossOfAllDevicesIsThatOfTheRun(t *testing.T) {
	devices := opened(t, backendtest.All["reference"], 2)
	w := &losing{&gathering{Sharer: made(t, "render", shareable["render"](t)).(workload.Sharer)}, 0, func() {
		for _, b := range devices {
			b.(engine.Lifecycle).SimulateLoss()
		}
	}}
	w.all.Add(2)
	r, err := Start(t.Context(), Config{Workload: w, Backend: devices[0], More: devices[1:], Want: policy.Config{Workers: 2}, WorkgroupSize: 4})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Work(t.Context()); !errors.Is(err, engine.ErrDeviceLost) {
		t.Errorf("error is %v", err)
	}
	if err := r.Close(); !errors.Is(err, engine.ErrDeviceLost) {
		t.Errorf("closing says %v", err)
	}
}

// TestCommandsReachTheDeviceOfAWorker: a worker is paused on its own device, all are paused on all, and shapes and breakpoints are
// those of the target.
func TestCommandsReachTheDeviceOfAWorker(t *testing.T) {
	r := startOn(t, made(t, "render", shareable["render"](t)), opened(t, backendtest.All["reference"], 2))
	hub, ctx := r.Hub(), t.Context()
	states := func() (out []string) {
		for _, w := range hub.Snapshot().WorkerRecords() {
			out = append(out, w.State.String())
		}
		return out
	}
	ack, err := hub.Do(ctx, megakernel.Command{Op: megakernel.OpPauseWorker, Worker: 3})
	if err != nil || ack.Result != megakernel.AckApplied || ack.Slot != 3 {
		t.Fatalf("%+v, %v", ack, err)
	}
	if got := states(); got[3] != "paused" || slices.Contains(got[:3], "paused") {
		t.Errorf("worker 3 is to be paused: %v", got)
	}
	if ack, err = hub.Do(ctx, megakernel.Command{Op: megakernel.OpPauseAll}); err != nil || ack.Result != megakernel.AckApplied {
		t.Fatalf("%+v, %v", ack, err)
	}
	if got := states(); !slices.Equal(got, []string{"paused", "paused", "paused", "paused"}) {
		t.Errorf("all workers are to be paused: %v", got)
	}
	if err := hub.Retune(ctx, megakernel.Shape{Workers: 5, Lanes: 4}); err != nil {
		t.Fatal(err)
	}
	if got := hub.Settings().Workers; got != 6 || hub.Snapshot().Workers != 6 {
		t.Errorf("%d workers, %d in the snapshot; each device gets as many of 5 as another", got, hub.Snapshot().Workers)
	}
	if changes, err := hub.Undo(ctx); err != nil || len(changes) != 1 || changes[0].Old != 6 || changes[0].Value != 4 {
		t.Errorf("%+v, %v", changes, err)
	}
	if _, err := hub.Do(ctx, megakernel.Command{Op: megakernel.OpEditBuffer, Slot: 8}); !errors.Is(err, ErrOneDevice) || !strings.Contains(err.Error(), "Fix: ") {
		t.Errorf("error is %v", err)
	}
	program, err := command.CompileCondition("op=256", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := hub.Arm(ctx, breakpoint.Breakpoint{Condition: "op=256", Program: program, Action: breakpoint.Count})
	if err != nil {
		t.Fatal(err)
	}
	onWorker := breakpoint.Breakpoint{Condition: "worker=1", Program: breakpoint.Program{{Kind: breakpoint.Test, Field: breakpoint.Worker, Accept: breakpoint.Equal, Value: 1}}}
	if _, err := hub.Arm(ctx, onWorker); !errors.Is(err, ErrOneDevice) {
		t.Errorf("error is %v", err)
	}
	if _, err := hub.Do(ctx, megakernel.Command{Op: megakernel.OpResumeAll}); err != nil {
		t.Fatal(err)
	}
	complete(t, r)
	list := hub.Breakpoints()
	if len(list) != 1 || list[0].ID != b.ID || list[0].Hits < uint64(hub.Snapshot().Counters[megakernel.CountDone]) {
		t.Errorf("breakpoints %+v", list)
	}
}

// TestWorkloadsOfOneDeviceSaySo: a search of a graph, and a workload without a driver.
func TestWorkloadsOfOneDeviceSaySo(t *testing.T) {
	for _, name := range []string{"bfs", "collatz"} {
		devices := opened(t, backendtest.All["reference"], 2)
		_, err := Start(t.Context(), Config{Workload: made(t, name, nil), Backend: devices[0], More: devices[1:]})
		if !errors.Is(err, ErrNotShared) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
