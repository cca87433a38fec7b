package recommend

import (
	"testing"

	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/tasks"
)

// TestSlotsAreNoGraph: the observer told the launch policy that the slots of the ring are the nodes of a graph and the queued
// tasks its edges, for a target of which no graph is known.
func TestSlotsAreNoGraph(t *testing.T) {
	control, err := megakernel.EncodeControl(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := megakernel.Snapshot{Phase: megakernel.PhaseResident, Workers: 1, Lanes: 8, Control: control}
	for i := range 10 {
		w := (&tasks.Task{State: tasks.Ready, Opcode: 20, TaskID: uint32(i)}).Words()
		s.Slots = append(s.Slots, w[:]...)
	}
	in := new(Observer).Inputs(&megakernel.Target{MaxWorkers: 8, WorkgroupSize: 8}, &s, nil)
	if r := in.Policy; r.GraphNodes != 0 || r.GraphEdges != 0 || r.FrontierDensityBps != 0 || r.QueueLen != 10 {
		t.Errorf("%+v", r)
	}
}

// TestAdviceDoesNotDependOnTheGraph: of the launch policy the model takes whether memory is short, which no graph tells. So
// what a request says of one changes no recommendation.
func TestAdviceDoesNotDependOnTheGraph(t *testing.T) {
	devices := []megakernel.DeviceFacts{llvmpipe, reference, h100}
	topologies := []policy.Topology{policy.NoTopology, policy.MemoryConstrained, policy.SparseFrontier, policy.DenseFrontier, policy.FusedDense}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 5000)
		in := inputs(rapid.SampledFrom(devices).Draw(t, "device"), 1+n.Draw(t, "workers")%300, 1+n.Draw(t, "lanes")%128, 128, n.Draw(t, "ready"))
		in.Topology = rapid.SampledFrom(topologies).Draw(t, "topology")
		in.Policy = policy.Request{QueueLen: uint32(n.Draw(t, "queue")), Groups: uint32(in.Now.Workers), Limits: policy.MinimumLimits, Workload: policy.Workload{
			ResidentDeviceBytes: uint64(n.Draw(t, "resident")), DeviceMemoryBudgetBytes: uint64(n.Draw(t, "budget")), HotOpcodes: uint32(n.Draw(t, "hot")),
		}}
		without := Advise(&in)
		in.Policy.GraphNodes, in.Policy.GraphEdges = rapid.Uint32().Draw(t, "nodes"), rapid.Uint32().Draw(t, "edges")
		in.Policy.FrontierDensityBps = rapid.Uint16().Draw(t, "density")
		with := Advise(&in)
		with.Topology, without.Topology = 0, 0
		if with != without {
			t.Fatalf("%+v with a graph, %+v without", with, without)
		}
	})
}

// TestAGraphReachesTheRequests: what the workload says of its graph is in the input of the live recommendation, and in the request that is
// made of snapshots.
func TestAGraphReachesTheRequests(t *testing.T) {
	control, err := megakernel.EncodeControl(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := megakernel.Snapshot{Phase: megakernel.PhaseResident, Workers: 1, Lanes: 8, Control: control, Slots: make([]uint32, tasks.SlotWords)}
	s.Progress.Graph = megakernel.Graph{Nodes: 1 << 20, Edges: 1 << 24, Frontier: 7, Widest: 1}
	in := new(Observer).Inputs(&megakernel.Target{MaxWorkers: 8, WorkgroupSize: 8}, &s, nil)
	request, err := FromSnapshots(nil, &s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for what, r := range map[string]policy.Request{"live": in.Policy, "of snapshots": request} {
		if r.GraphNodes != 1<<20 || r.GraphEdges != 1<<24 || r.FrontierDensityBps != 1 {
			t.Errorf("%s: %+v", what, r.Workload)
		}
	}
}
