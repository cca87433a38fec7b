package recommend

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/tasks"
)

var (
	llvmpipe  = megakernel.DeviceFacts{VectorWidth: 8, AtOnce: 2, Software: true}
	reference = megakernel.DeviceFacts{VectorWidth: 1, AtOnce: 1, Software: true}
	h100      = megakernel.DeviceFacts{VectorWidth: 32, ComputeUnits: 132, AtOnce: 2112}
)

// The figures of the tests, so that measuring again does not change what they expect.
var testFits = map[Kind]Fit{
	GPU: {PerUnit: 2, Workers: 0.9, Lanes: 0.9}, Interpreter: {PerUnit: 1, Beyond: 0.4, Lanes: 0.4}, Vectors: {PerUnit: 2, Workers: 0.25, Beyond: 0.02, Lanes: 0.6},
}

func inputs(d megakernel.DeviceFacts, workers, lanes, maxLanes, ready int) Inputs {
	fit := testFits[KindOf(&d)]
	in := Inputs{Device: d, Fit: &fit, MaxWorkers: megakernel.MaxWorkers, MaxLanes: maxLanes, Now: megakernel.Shape{Workers: workers, Lanes: lanes}}
	in.Ready[tasks.Normal] = ready
	return in
}

// switching makes the target one that can have workgroups of that many lanes.
func switching(in Inputs, most int) Inputs {
	in.LaneLimit = most
	return in
}

func TestAdvise(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   Inputs
		want megakernel.Shape // the one in force: nothing is recommended
	}{
		{"a healthy shape stays", inputs(llvmpipe, 4, 8, 8, 500), megakernel.Shape{Workers: 4, Lanes: 8}},
		{"a healthy shape stays with few tasks", inputs(llvmpipe, 4, 8, 8, 3), megakernel.Shape{Workers: 4, Lanes: 8}},
		{"a vector is filled", inputs(llvmpipe, 2, 1, 8, 500), megakernel.Shape{Workers: 4, Lanes: 8}},
		{"lanes and workers", inputs(llvmpipe, 1, 2, 8, 500), megakernel.Shape{Workers: 4, Lanes: 8}},
		{"more workers than now", inputs(llvmpipe, 1, 8, 8, 500), megakernel.Shape{Workers: 4, Lanes: 8}},
		{"far too many workers", inputs(reference, 255, 8, 8, 5000), megakernel.Shape{Workers: 1, Lanes: 8}},
		{"the reference interprets all lanes", inputs(reference, 1, 2, 8, 500), megakernel.Shape{Workers: 1, Lanes: 8}},
		{"the reference has one thread", inputs(reference, 1, 8, 8, 500), megakernel.Shape{Workers: 1, Lanes: 8}},
		{"a GPU runs two workers a unit", inputs(h100, 8, 128, 128, 1<<20), megakernel.Shape{Workers: 264, Lanes: 128}},
		{"a GPU with few tasks", inputs(h100, 264, 128, 128, 4), megakernel.Shape{Workers: 264, Lanes: 128}},
		{"a workgroup that is narrower than a vector", switching(inputs(llvmpipe, 4, 1, 1, 500), 12), megakernel.Shape{Workers: 4, Lanes: 8}},
		{"the reference with a workgroup of one lane", switching(inputs(reference, 1, 1, 1, 500), 1024), megakernel.Shape{Workers: 1, Lanes: 8}},
		{"the reference with a workgroup of eight lanes", switching(inputs(reference, 1, 8, 8, 500), 1024), megakernel.Shape{Workers: 1, Lanes: 8}},
		{"the reference with a workgroup of more lanes", switching(inputs(reference, 1, 32, 32, 500), 1024), megakernel.Shape{Workers: 1, Lanes: 32}},
		{"a workgroup as wide as a vector", switching(inputs(llvmpipe, 4, 8, 8, 500), 12), megakernel.Shape{Workers: 4, Lanes: 8}},
		{"a narrow workgroup that cannot be switched", inputs(llvmpipe, 4, 1, 1, 500), megakernel.Shape{Workers: 4, Lanes: 1}},
		{"nothing to do", inputs(llvmpipe, 1, 1, 8, 0), megakernel.Shape{Workers: 1, Lanes: 1}},
		{"an unknown device", inputs(megakernel.DeviceFacts{}, 1, 1, 8, 500), megakernel.Shape{Workers: 1, Lanes: 1}},
	} {
		a := Advise(&tt.in)
		if a.Shape != tt.want || a.Worthwhile(tt.in.Now) != (tt.want != tt.in.Now) || a.Reason == "" && tt.want != tt.in.Now {
			t.Errorf("%s: %+v, want %v", tt.name, a, tt.want)
		}
	}
}

// TestMeasurementsComeBeforeTheModel: what a shape was seen to do decides, once it was seen for long enough.
func TestMeasurementsComeBeforeTheModel(t *testing.T) {
	in := inputs(llvmpipe, 1, 8, 8, 500)
	two := megakernel.Shape{Workers: 4, Lanes: 8}
	in.Seen = []Seen{{in.Now, 100, 9, 0}, {two, 60, 2, 0}}
	if a := Advise(&in); a.Shape != two || a.Confidence != Guessed {
		t.Errorf("two windows: %+v", a)
	}
	in.Seen[1].Windows = 9
	if a := Advise(&in); a.Worthwhile(in.Now) {
		t.Errorf("seen to be slower: %+v", a)
	}
	three := megakernel.Shape{Workers: 3, Lanes: 8}
	in.Seen = append(in.Seen, Seen{three, 130, 9, 0})
	if a := Advise(&in); a.Shape != three || a.Confidence != Measured || a.Gain != 1.3 {
		t.Errorf("seen to be faster: %+v", a)
	}
	in.Seen[0].Activations, in.Seen[2].Activations = 20, 20
	if a := Advise(&in); a.Confidence == Measured {
		t.Errorf("20 activations show nothing: %+v", a)
	}
	in.Seen[0].Activations = 0
	in.Seen[2].Rate = 104
	if a := Advise(&in); a.Worthwhile(in.Now) {
		t.Errorf("4 %% are within the noise: %+v", a)
	}
}

// TestTunedShapeWins: a search beats a guess, unless it was seen here that it is slower.
func TestTunedShapeWins(t *testing.T) {
	in := inputs(llvmpipe, 1, 1, 8, 500)
	in.Tuned = &megakernel.Shape{Workers: 3, Lanes: 8}
	if a := Advise(&in); a.Shape != *in.Tuned || a.Confidence != Searched || !a.Worthwhile(in.Now) {
		t.Errorf("%+v", a)
	}
	in.Seen = []Seen{{in.Now, 100, 9, 0}, {*in.Tuned, 60, 9, 0}}
	if a := Advise(&in); a.Worthwhile(in.Now) {
		t.Errorf("seen to be slower: %+v", a)
	}
	in.Tuned = &megakernel.Shape{Workers: 3, Lanes: 64}
	if a := Advise(&in); a.Confidence == Searched {
		t.Errorf("impossible with this kernel: %+v", a)
	}
}

// TestTopologyHasHysteresis: the topology that one advice returns holds the next one near its threshold.
func TestTopologyHasHysteresis(t *testing.T) {
	p := policy.StandardPolicy()
	in := inputs(llvmpipe, 2, 8, 8, 500)
	in.Policy = policy.Request{QueueLen: 500, Groups: 2, Limits: policy.MinimumLimits, Workload: policy.Workload{MemoryPressureBps: p.MemoryBps}}
	in.Policy.FrontierDensityBps = p.DenseBps + 1
	first := Advise(&in)
	if first.Topology != policy.MemoryConstrained {
		t.Fatalf("%v", first.Topology)
	}
	in.Policy.MemoryPressureBps = p.MemoryBps - 1
	fresh := Advise(&in)
	in.Topology = first.Topology
	if held := Advise(&in); held.Topology != policy.MemoryConstrained || fresh.Topology == policy.MemoryConstrained {
		t.Errorf("held %v, fresh %v", held.Topology, fresh.Topology)
	}
}

// TestMemoryPressureAddsNoWorkers: more workers are recommended under memory pressure only where that was measured.
func TestMemoryPressureAddsNoWorkers(t *testing.T) {
	in := inputs(llvmpipe, 1, 8, 8, 500)
	in.Policy = policy.Request{QueueLen: 500, Groups: 1, Limits: policy.MinimumLimits, Workload: policy.Workload{ResidentDeviceBytes: 99, DeviceMemoryBudgetBytes: 100}}
	if a := Advise(&in); a.Worthwhile(in.Now) || a.Topology != policy.MemoryConstrained {
		t.Errorf("%+v", a)
	}
}

// TestWorkersWithoutWork: neither lanes nor workers are added where those that are there find no tasks.
func TestWorkersWithoutWork(t *testing.T) {
	in := inputs(llvmpipe, 4, 2, 8, 500)
	in.Fill = 0.3
	if a := Advise(&in); a.Worthwhile(in.Now) {
		t.Errorf("lanes: %+v", a)
	}
	in = inputs(llvmpipe, 1, 8, 8, 500)
	in.Idle = 0.8
	if a := Advise(&in); a.Worthwhile(in.Now) {
		t.Errorf("workers: %+v", a)
	}
	in.Waiting = 30
	if a := Advise(&in); !a.Worthwhile(in.Now) {
		t.Errorf("while tasks wait more workers may help: %+v", a)
	}
}

// TestATrialWithFewReadyTasksMeasuresTheDevicesWorkers: what one worker leaves ready says little about how much work there
// is for several, so the trial also measures as many workers as the device keeps busy.
func TestATrialWithFewReadyTasksMeasuresTheDevicesWorkers(t *testing.T) {
	in := inputs(llvmpipe, 1, 1, 8, 8)
	fit := Fit{PerUnit: 4, Workers: 0.25, Beyond: 0.02, Lanes: 0.6}
	in.Fit = &fit
	a := Advise(&in)
	if all := (megakernel.Shape{Workers: 8, Lanes: 8}); !slices.Contains(a.Shapes(), all) {
		t.Errorf("measures %v of %+v, want %v among them", a.Shapes(), a, all)
	}
}

// TestAdviceIsPossible: whatever is measured, the advice is a shape that the target can have, not below a vector unless
// it is in force, and expects a gain of at least 1.
func TestAdviceIsPossible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 4096)
		shape := func(label string) megakernel.Shape {
			return megakernel.Shape{Workers: rapid.IntRange(1, 300).Draw(t, label+" workers"), Lanes: rapid.IntRange(1, 128).Draw(t, label+" lanes")}
		}
		in := Inputs{
			Device: megakernel.DeviceFacts{
				VectorWidth: rapid.SampledFrom([]int{0, 1, 4, 8, 32}).Draw(t, "vector"), ComputeUnits: rapid.IntRange(0, 132).Draw(t, "units"),
				AtOnce: rapid.IntRange(0, 3000).Draw(t, "at once"), Software: rapid.Bool().Draw(t, "software"),
			},
			MaxWorkers: 300, MaxLanes: 128, Now: shape("now"), Running: n.Draw(t, "running"),
			Idle: rapid.Float64Range(0, 1).Draw(t, "idle"), Fill: rapid.Float64Range(0, 1).Draw(t, "fill"),
		}
		in.Ready[tasks.Low] = n.Draw(t, "ready")
		for range rapid.IntRange(0, 4).Draw(t, "seen") {
			in.Seen = append(in.Seen, Seen{shape("seen"), rapid.Float64Range(0.001, 1e9).Draw(t, "rate"), rapid.IntRange(1, 20).Draw(t, "windows"), 0})
		}
		a := Advise(&in)
		if a.Shape.Workers < 1 || a.Shape.Workers > 300 || a.Shape.Lanes < 1 || a.Shape.Lanes > 128 || !(a.Gain >= 1) {
			t.Fatalf("%+v", a)
		}
		if a.Worthwhile(in.Now) && a.Shape.Lanes < in.Device.VectorWidth {
			t.Fatalf("below the vector width: %+v", a)
		}
	})
}

// TestObserverMeasuresShapes: rates are of the work between snapshots with the same shape, and old ones are forgotten.
func TestObserverMeasuresShapes(t *testing.T) {
	var o Observer
	s := megakernel.Snapshot{Phase: megakernel.PhaseResident, Workers: 1, Lanes: 8, Progress: megakernel.Progress{Unit: "B"}}
	run := func(workers int, rate int64, windows int) {
		s.Workers = workers
		for range windows + 1 {
			next := s
			o.Add(&next)
			s.Taken += window
			s.Progress.Done += rate / 10
		}
	}
	run(1, 1000, 5)
	run(2, 2500, 5)
	target := megakernel.Target{MaxWorkers: 8, WorkgroupSize: 8}
	in := o.Inputs(&target, &s, nil)
	if len(in.Seen) != 2 || in.Seen[0].Rate != 1000 || in.Seen[1].Rate != 2500 || in.Seen[1].Windows != 5 {
		t.Fatalf("%+v", in.Seen)
	}
	s.Workers, s.Submitted = 1, 7
	if a := o.Advise(&target, &s, nil); a.Shape.Workers != 2 || a.Gain != 2.5 || a.Confidence != Measured {
		t.Errorf("%+v", a)
	}
	s.Taken += memory + time.Second
	if in := o.Inputs(&target, &s, nil); len(in.Seen) != 0 {
		t.Errorf("remembered for too long: %+v", in.Seen)
	}
}

// TestObserverWaitsForReadingsOfTheProgress: progress that is read for some of the snapshots only gives the rate between two
// readings, and none where the first one was read in another shape.
func TestObserverWaitsForReadingsOfTheProgress(t *testing.T) {
	var o Observer
	const step, every = 50 * time.Millisecond, 8
	now, read := megakernel.Snapshot{Phase: megakernel.PhaseResident, Workers: 1, Lanes: 1}, megakernel.Progress{Unit: "samples"}
	var readAt time.Duration
	done := int64(0)
	for i := range 10 * every {
		now.Taken += step
		if i == 3*every+2 {
			now.Workers = 8
		}
		done += 1000 * int64(now.Workers)
		if i%every == 0 {
			read.Done, readAt = done, now.Taken
		}
		now.Progress = read
		now.Progress.Age = now.Taken - readAt
		now.Counters[megakernel.CountActivations] += 1000
		s := now
		o.Add(&s)
	}
	for _, s := range o.recent(now.Taken) {
		if want := 20_000 * float64(s.Shape.Workers); s.Rate < 0.99*want || s.Rate > 1.01*want {
			t.Errorf("%v: %v samples/s, want %v", s.Shape, s.Rate, want)
		}
	}
	if n := len(o.recent(now.Taken)); n != 2 {
		t.Errorf("rates of %d shapes", n)
	}
}
