package targets

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// onTwo is a reading of a run on two devices, with three workers each, of which the second device has two.
func onTwo(at time.Duration, done [2]uint64) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Taken: at, Phase: megakernel.PhaseResident, Consistent: true, Workers: 6, Lanes: 8}
	s.Slots = make([]uint32, 8*tasks.SlotWords)
	s.Slot(1)[tasks.WordState] = uint32(tasks.Ready)
	s.Slot(4)[tasks.WordState] = uint32(tasks.Ready)
	s.Slot(7)[tasks.WordState] = uint32(tasks.Ready)
	s.WorkerTable = make([]uint32, 6*megakernel.WorkerWords)
	for w := range 6 {
		s.WorkerTable[w*megakernel.WorkerWords+megakernel.WkState] = uint32(megakernel.WorkerRunning)
	}
	s.WorkerTable[5*megakernel.WorkerWords+megakernel.WkState] = uint32(megakernel.WorkerAbsent)
	for _, n := range done {
		s.Shares = append(s.Shares, megakernel.Share{Phase: megakernel.PhaseResident, Submitted: n + 5, Done: n, Activations: n})
		s.Counters[megakernel.CountDone] += n
	}
	s.Shares[1].Phase = megakernel.PhaseParked
	return s
}

// twoDevices is what a hub says of that run.
func twoDevices(t *testing.T) *Status {
	t.Helper()
	s := Describe(&megakernel.Target{Workload: "scan", Renderer: "2 devices: H100", Devices: []string{"H100/PCIe", "H200/PCIe"}}, func(renderer string) string {
		name, _, _ := strings.Cut(renderer, "/")
		return name
	})
	s.ID, s.Name, s.Host, s.Interval = "00000000000000ff", "scan", "node1", 1000
	now, before := onTwo(2*time.Second, [2]uint64{130, 40}), onTwo(time.Second, [2]uint64{100, 20})
	s.Parts = s.PartsOf(now, before)
	body, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEachDeviceOfARunIsATarget: with what it has done itself, and one group for the run.
func TestEachDeviceOfARunIsATarget(t *testing.T) {
	var list []*Target
	for _, s := range twoDevices(t).Each() {
		x := &Target{}
		x.Hear(s, time.Now())
		list = append(list, x)
	}
	if len(list) != 2 {
		t.Fatalf("%d targets", len(list))
	}
	Name(list)
	for i, want := range []struct {
		title, device, state       string
		done, rate, depth, workers uint64
	}{{"scan:0@node1", "H100", "resident", 130, 30, 1, 3}, {"scan:1@node1", "H200", "parked", 40, 20, 2, 2}} {
		x := list[i]
		if x.TasksPerS == nil || x.Title() != want.title || x.Device != want.device || x.State() != want.state || x.Done != want.done || *x.TasksPerS != want.rate || x.QueueDepth != want.depth || x.Workers != want.workers {
			t.Errorf("%+v, want %+v", x.Status, want)
		}
		if found, err := Find(list, want.title); err != nil || found.RunID() != "00000000000000ff" {
			t.Errorf("%+v, %v", found, err)
		}
	}
	groups := Groups(list, "run", time.Now())
	if len(groups) != 1 || groups[0].Key != "scan@node1" || groups[0].Targets != 2 || groups[0].Done != 170 || groups[0].TasksPerS != 50 || groups[0].Depth != 3 {
		t.Errorf("%+v", groups)
	}
	for _, name := range []string{"", "scan", "scan@node1", "00000000000000ff"} {
		if x, err := Find(list, name); err != nil || x.Title() != "scan@node1" || x.ID != "00000000000000ff" || x.Device != "2 devices: H100" {
			t.Errorf("%q: %+v, %v", name, x, err)
		}
	}
	if runs := Reachable(list); len(runs) != 1 || runs[0].Title() != "scan@node1" {
		t.Errorf("a command reaches the run %d times", len(runs))
	}
}

// TestDevicesOfAStatusAreChecked: there are not more of them than a run can have, and their texts are short.
func TestDevicesOfAStatusAreChecked(t *testing.T) {
	for _, change := range []func(s *Status){
		func(s *Status) { s.Parts = make([]Part, megakernel.MaxDevices+1) },
		func(s *Status) { s.Parts[1].Device = strings.Repeat("x", maxText+1) },
		func(s *Status) { s.Parts[0].Verdict = strings.Repeat("x", maxText+1) },
	} {
		s := twoDevices(t)
		change(s)
		body, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(body); err == nil {
			t.Error("it is taken")
		}
	}
}
